import * as z from 'zod';
import type { Input } from '../../client/call.ts';
import { transaction } from '../../contract/pay/transaction.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { kindOf } from '../profiles/selection.ts';
import { documentOf, mergeBodies, readGiven } from './body.ts';
import type { InputSpec } from './build-input.ts';
import type { ReadContext } from './command.ts';
import { checkBy, type OptionDetails } from './fields.ts';
import { type Check, type Option, type ParsedArgs, type Suggest, stringArg } from './options.ts';
import { partAt } from './schema-parts.ts';

/** A nested field of a card payment and the option that sets it. */
type CardField = OptionDetails & Pick<Option, 'flag' | 'description'> & { readonly path: string };

const nested = (
  path: string,
  flag: Option['flag'],
  description: string,
  sandboxValue?: string,
  more: OptionDetails = {},
): CardField => ({ path, flag, value: 'TEXT', description, sandboxValue, ...more });

const TOKEN = 'card_data.card_token';
const ZIPCODE = 'card_data.address.zipcode';

/** The test tokens of the sandbox. A live service lists none. */
const suggestTokens: Suggest = async ({ selection }) => {
  if (kindOf(await selection()) !== 'sandbox') return { others: 'taken', choices: [] };
  const { APPROVED_TOKEN, PENDING_TOKEN, REFUSING_TOKENS } = await import('../../sandbox/assumptions.ts');
  const refused = Object.entries(REFUSING_TOKENS).map(([value, { message }]) => ({
    name: `${value}: ${message}`,
    value,
  }));
  const approved = { name: `${APPROVED_TOKEN}: The card is charged.`, value: APPROVED_TOKEN };
  const pending = { name: `${PENDING_TOKEN}: The charge waits for a decision of yours.`, value: PENDING_TOKEN };
  return { others: 'taken', choices: [approved, pending, ...refused] };
};

const HIDDEN: OptionDetails = { value: 'TOKEN', isHidden: true, isSecret: true, suggest: async () => suggestTokens };

const FIELDS: readonly CardField[] = [
  nested(TOKEN, '--card-token', 'Tokenized card; needs --payer-ip and --session-id', undefined, HIDDEN),
  nested('card_data.statement_descriptor', '--statement-descriptor', 'What the card statement shows', 'SHOP'),
  nested('card_data.address.country', '--address-country', 'Country of the billing address', 'BR'),
  nested('card_data.address.state', '--address-state', 'State or province', 'SP'),
  nested('card_data.address.city', '--address-city', 'City of the address', 'São Paulo'),
  nested('card_data.address.neighborhood', '--address-neighborhood', 'Neighborhood of the address', 'Bela Vista'),
  nested('card_data.address.street', '--address-street', 'Street of the address', 'Avenida Paulista'),
  nested('card_data.address.street_number', '--address-number', 'Number of the house', '1000'),
  nested(ZIPCODE, '--address-zipcode', 'Postal code; its digits are sent', '01310-100', { value: 'CODE' }),
  nested('card_data.address.complement', '--address-complement', 'Apartment, floor or the like'),
  nested('payer_phone.country_code', '--phone-country', 'Country code of the phone', '55'),
  nested('payer_phone.area_code', '--phone-area', 'Area code of the phone', '11'),
  nested('payer_phone.number', '--phone-number', 'Number of the phone within the area', '999990000'),
];

/** The position of the card questions, and the answer that makes them necessary. */
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

const { card_data, payer_phone } = transaction.body;
const SCHEMA = z.object({ card_data, payer_phone });

/** The schema of a nested field, found by its path. */
const schemaAt = (path: string): z.core.$ZodType | undefined =>
  path.split('.').reduce<z.core.$ZodType | undefined>((part, name) => part && partAt(part, name), SCHEMA);

const checkAt =
  (path: string): Check =>
  (text) =>
    checkBy(schemaAt(path))(sentAs(path, text));

/** Removes hyphens, dots and spaces from a postal code: the service accepts digits only. */
const sentAs = (path: string, text: string): string =>
  path === ZIPCODE ? text.replaceAll(/(?<=\d)[\s.-](?=\d)/g, '') : text;

const setAt = (path: readonly string[], value: string): Input => {
  const [first = '', ...rest] = path;
  return { [first]: rest.length === 0 ? value : setAt(rest, value) };
};

/** Declares one option for each nested field of a card payment. */
export const CARD_CUSTOM = {
  sets: Object.keys(SCHEMA.shape),
  options: [
    ...FIELDS.map(
      ({ path, ...option }, at): Option => ({ ...OF_CARD, order: ORDER + at, ...option, check: checkAt(path) }),
    ),
    CARD_FILE,
  ],
  bodyFrom: (given: ParsedArgs): Input =>
    FIELDS.reduce<Input>((body, { path, flag }) => {
      const value = stringArg(given, flag.slice(2));
      return value === undefined ? body : mergeBodies(body, setAt(path.split('.'), sentAs(path, value)));
    }, {}),
  optionsOf: (field: string): readonly string[] => {
    const flags = FIELDS.filter(({ path }) => path === field).map(({ flag }) => flag);
    return field === TOKEN ? [...flags, CARD_FILE.flag] : flags;
  },
} as const satisfies InputSpec;

const CARD_TYPES: readonly unknown[] = ['cardcrypto', 'cardfiat'];

/** Whether a transaction type charges a card. */
export const isCardType = (type: unknown): boolean => CARD_TYPES.includes(type);

const rawCard = async (cli: ReadContext, path: string): Promise<Input> => {
  if (path === '-' && cli.io.stdin.isTerminal) {
    // Text typed at the terminal stays on the screen and in its scrollback.
    throw new Failure('invalid_input', '--card-file -: stdin is the terminal; give a file, or a pipe', {
      hint: 'Nothing was sent.',
    });
  }
  // A parser error may quote the card number, so its text is dropped.
  const card = await documentOf(await readGiven(cli.io, path), path).catch(() => {
    throw new Failure('unreadable_file', `--card-file ${path}: not readable as JSON`);
  });
  if (isJsonObject(card) && Object.keys(card).length > 0) return card;
  throw new Failure('unreadable_file', `--card-file ${path}: must be an object with the details of a card`);
};

/**
 * Completes the input of a card payment and reads the raw card. The default is one installment. Empty objects are added, so that each missing field is
 * reported. Other payments stay unchanged.
 */
export const withCard = async (cli: ReadContext, given: ParsedArgs, input: Input): Promise<Input> => {
  const path = stringArg(given, 'card-file');
  if (!isCardType(input['transaction_type'])) {
    if (path === undefined) return input;
    throw new Failure('invalid_input', '--card-file is for --transaction-type cardcrypto or cardfiat');
  }
  const whole = mergeBodies({ card_data: { installments: 1, address: {} } }, input);
  const card = path === undefined ? {} : { card_data: { card: await rawCard(cli, path) } };
  return mergeBodies(whole, card);
};
