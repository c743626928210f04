import * as z from 'zod';
import { transaction } from '../../contract/pay/transaction.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import type { ReadContext } from '../context/context.ts';
import { type Body, documentOf, mergeBodies, readGiven } from './body.ts';
import type { InputSpec } from './build-input.ts';
import { checkBy, type OptionDetails } from './fields.ts';
import { type Check, type Option, type ParsedArgs, stringArg } from './options.ts';

/** A nested field of a card payment, with the option that sets it. */
type CardField = { readonly path: string; readonly flag: `--${string}`; readonly value: string } & OptionDetails & {
    readonly description: string;
  };

const FIELDS: readonly CardField[] = [
  {
    path: 'card_data.card_token',
    flag: '--card-token',
    value: 'TOKEN',
    description: 'Tokenized card; needs --payer-ip and --session-id',
    isHidden: true,
    isSecret: true,
  },
  {
    path: 'card_data.statement_descriptor',
    flag: '--statement-descriptor',
    value: 'TEXT',
    description: 'What the card statement shows',
    sandboxValue: 'SHOP',
  },
  {
    path: 'card_data.address.country',
    flag: '--address-country',
    value: 'TEXT',
    description: 'Country of the billing address',
    sandboxValue: 'BR',
  },
  {
    path: 'card_data.address.state',
    flag: '--address-state',
    value: 'TEXT',
    description: 'State or province',
    sandboxValue: 'SP',
  },
  {
    path: 'card_data.address.city',
    flag: '--address-city',
    value: 'TEXT',
    description: 'City of the address',
    sandboxValue: 'São Paulo',
  },
  {
    path: 'card_data.address.neighborhood',
    flag: '--address-neighborhood',
    value: 'TEXT',
    description: 'Neighborhood of the address',
    sandboxValue: 'Bela Vista',
  },
  {
    path: 'card_data.address.street',
    flag: '--address-street',
    value: 'TEXT',
    description: 'Street of the address',
    sandboxValue: 'Avenida Paulista',
  },
  {
    path: 'card_data.address.street_number',
    flag: '--address-number',
    value: 'TEXT',
    description: 'Number of the house',
    sandboxValue: '1000',
  },
  {
    path: 'card_data.address.zipcode',
    flag: '--address-zipcode',
    value: 'CODE',
    description: 'Postal code; its digits are sent',
    sandboxValue: '01310-100',
  },
  {
    path: 'card_data.address.complement',
    flag: '--address-complement',
    value: 'TEXT',
    description: 'Apartment, floor or the like',
  },
  {
    path: 'payer_phone.country_code',
    flag: '--phone-country',
    value: 'TEXT',
    description: 'Country code of the phone',
    sandboxValue: '55',
  },
  {
    path: 'payer_phone.area_code',
    flag: '--phone-area',
    value: 'TEXT',
    description: 'Area code of the phone',
    sandboxValue: '11',
  },
  {
    path: 'payer_phone.number',
    flag: '--phone-number',
    value: 'TEXT',
    description: 'Number of the phone within the area',
    sandboxValue: '999990000',
  },
];

/** Where the questions about a card begin among others, and what makes them necessary. */
const ORDER = -40;
const OF_CARD = { heading: 'By card', follows: ['--transaction-type'] } as const;

const CARD_FILE: Option = {
  ...OF_CARD,
  heading: 'Where values come from',
  order: ORDER + FIELDS.length,
  flag: '--card-file',
  value: 'FILE',
  readsStdin: true,
  description: 'Raw card details as JSON, passed on unchanged and never kept',
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
    ...FIELDS.map(
      ({ path, ...option }, at): Option => ({ ...OF_CARD, order: ORDER + at, ...option, check: checkAt(path) }),
    ),
    CARD_FILE,
  ],
  bodyFrom: (given: ParsedArgs): Body =>
    FIELDS.reduce<Body>((body, { path, flag }) => {
      const value = stringArg(given, flag.slice(2));
      return value === undefined ? body : mergeBodies(body, setAt(path.split('.'), sentAs(path, value)));
    }, {}),
  optionsOf: (field: string): readonly string[] => {
    const flags = FIELDS.filter(({ path }) => path === field).map(({ flag }) => flag);
    return field === 'card_data.card_token' ? [...flags, CARD_FILE.flag] : flags;
  },
} as const satisfies InputSpec;

const CARD_TYPES: readonly unknown[] = ['cardcrypto', 'cardfiat'];

/** Whether a transaction of this type charges a card. */
export const isCardType = (type: unknown): boolean => CARD_TYPES.includes(type);

const rawCard = async (cli: ReadContext, path: string): Promise<Body> => {
  if (path === '-' && cli.io.stdin.isTerminal) {
    // What is typed there stays on the screen, and in what the terminal keeps of it.
    throw new Failure('invalid_input', '--card-file -: stdin is the terminal; give a file, or a pipe', {
      hint: 'Nothing was sent.',
    });
  }
  // A parser's complaint may quote what it could not read.
  const card = await documentOf(await readGiven(cli.io, path), path).catch(() => {
    throw new Failure('unreadable_file', `--card-file ${path}: not readable as JSON`);
  });
  if (isJsonObject(card) && Object.keys(card).length > 0) return card;
  throw new Failure('unreadable_file', `--card-file ${path}: must be an object with the details of a card`);
};

/**
 * What is left out of a card payment: the one number of installments, and the objects that its fields lie in, so that
 * each missing one is named. The raw card is read here. Of a payment that is none of a card nothing changes.
 */
export const withCard = async (cli: ReadContext, given: ParsedArgs, input: Body): Promise<Body> => {
  const path = stringArg(given, 'card-file');
  if (!isCardType(input['transaction_type'])) {
    if (path === undefined) return input;
    throw new Failure('invalid_input', '--card-file is for --transaction-type cardcrypto or cardfiat');
  }
  const whole = mergeBodies({ card_data: { installments: 1, address: {} } }, input);
  const card = path === undefined ? {} : { card_data: { card: await rawCard(cli, path) } };
  return mergeBodies(whole, card);
};
