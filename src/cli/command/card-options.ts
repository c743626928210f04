import * as z from 'zod';
import { transaction } from '../../contract/pay/transaction.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import type { CommandContext } from '../context/context.ts';
import { type Body, mergeBodies, readDocument } from './body.ts';
import type { InputSpec } from './build-input.ts';
import { checkBy } from './fields.ts';
import { type Check, type Option, type ParsedArgs, stringArg } from './options.ts';

/** Nested fields of a card payment, each with the option that sets it. */
const FIELDS: Readonly<Record<string, readonly [flag: `--${string}`, value: string, says: string]>> = {
  'card_data.card_token': ['--card-token', 'TOKEN', 'Tokenized card; needs --payer-ip and --session-id'],
  'card_data.statement_descriptor': ['--statement-descriptor', 'TEXT', 'What the card statement shows'],
  'card_data.address.country': ['--address-country', 'TEXT', 'Country of the billing address'],
  'card_data.address.state': ['--address-state', 'TEXT', 'State or province'],
  'card_data.address.city': ['--address-city', 'TEXT', 'City of the address'],
  'card_data.address.neighborhood': ['--address-neighborhood', 'TEXT', 'Neighborhood of the address'],
  'card_data.address.street': ['--address-street', 'TEXT', 'Street of the address'],
  'card_data.address.street_number': ['--address-number', 'TEXT', 'Number of the house'],
  'card_data.address.zipcode': ['--address-zipcode', 'CODE', 'Postal code, such as 01310-100; its digits are sent'],
  'card_data.address.complement': ['--address-complement', 'TEXT', 'Apartment, floor or the like'],
  'payer_phone.country_code': ['--phone-country', 'TEXT', 'Country code of the phone, such as 55'],
  'payer_phone.area_code': ['--phone-area', 'TEXT', 'Area code of the phone'],
  'payer_phone.number': ['--phone-number', 'TEXT', 'Number of the phone within the area'],
};

const CARD_FILE: Option = {
  flag: '--card-file',
  value: 'FILE',
  description: 'Raw card details as JSON, passed on unchanged and never kept; - for stdin',
};

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  card_data: transaction.body.card_data,
  payer_phone: transaction.body.payer_phone,
};

/** The schema of a nested field, by its path. */
const schemaAt = (path: string): z.ZodType | undefined => {
  const [first = '', ...rest] = path.split('.');
  return rest.reduce<z.ZodType | undefined>((outer, key) => {
    const inner = outer instanceof z.ZodOptional ? (outer.unwrap() as z.ZodType) : outer;
    return inner instanceof z.ZodObject ? (inner.shape[key] as z.ZodType | undefined) : undefined;
  }, SCHEMAS[first]);
};

const checkAt =
  (path: string): Check =>
  (text) =>
    checkBy(schemaAt(path))(sentAs(path, text));

/** The document takes a postal code by its digits alone; people write it with a hyphen, a dot or a space. */
const sentAs = (path: string, text: string): string =>
  path === 'card_data.address.zipcode' ? text.replaceAll(/(?<=\d)[\s.-](?=\d)/g, '') : text;

const setAt = (path: readonly string[], value: string): Body => {
  const [first = '', ...rest] = path;
  return { [first]: rest.length === 0 ? value : setAt(rest, value) };
};

/** How the nested fields of a card payment are given: one option each. */
export const CARD_CUSTOM = {
  sets: Object.keys(SCHEMAS),
  options: [
    ...Object.entries(FIELDS).map(
      ([path, [flag, value, says]]): Option => ({
        flag,
        value,
        description: says,
        check: checkAt(path),
        ...(path === 'card_data.card_token' && { isHidden: true, isSecret: true }),
      }),
    ),
    CARD_FILE,
  ],
  bodyFrom: (given: ParsedArgs): Body =>
    Object.entries(FIELDS).reduce<Body>((body, [path, [flag]]) => {
      const value = stringArg(given, flag.slice(2));
      return value === undefined ? body : mergeBodies(body, setAt(path.split('.'), sentAs(path, value)));
    }, {}),
  optionOf: (field: string): string | undefined => {
    if (field === 'card_data.card_token') return '--card-token or --card-file';
    return FIELDS[field]?.[0];
  },
} as const satisfies InputSpec;

const CARD_TYPES: readonly unknown[] = ['cardcrypto', 'cardfiat'];

/** Whether a transaction of this type charges a card. */
export const isCardType = (type: unknown): boolean => CARD_TYPES.includes(type);

const rawCard = async (cli: CommandContext, path: string): Promise<Body> => {
  if (path === '-' && cli.io.stdin.isTerminal) {
    // What is typed there stays on the screen, and in what the terminal keeps of it.
    throw new Failure('invalid_input', '--card-file -: stdin is the terminal; give a file, or a pipe', {
      hint: 'Nothing was sent.',
    });
  }
  const card = await readDocument(cli.io, path).catch((error: unknown) => {
    // A parser's complaint may quote what it could not read.
    const message = `--card-file ${path}: not readable as JSON`;
    throw error instanceof Failure && !error.message.includes('not valid')
      ? error
      : new Failure('unreadable_file', message);
  });
  if (isJsonObject(card) && Object.keys(card).length > 0) return card;
  throw new Failure('unreadable_file', `--card-file ${path}: must be an object with the details of a card`);
};

/**
 * What is left out of a card payment: the one number of installments, and the objects that its fields lie in, so that
 * each missing one is named. The raw card is read here. Of a payment that is none of a card nothing changes.
 */
export const withCard = async (cli: CommandContext, given: ParsedArgs, input: Body): Promise<Body> => {
  const path = stringArg(given, 'card-file');
  if (!isCardType(input['transaction_type'])) {
    if (path === undefined) return input;
    throw new Failure('invalid_input', '--card-file is for --transaction-type cardcrypto or cardfiat');
  }
  const whole = mergeBodies({ card_data: { installments: 1, address: {} } }, input);
  const card = path === undefined ? {} : { card_data: { card: await rawCard(cli, path) } };
  return mergeBodies(whole, card);
};
