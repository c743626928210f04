import { create } from '../../../contract/order/create.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { isJsonObject, printJson } from '../../../core/json.ts';
import { escapeText } from '../../../core/text.ts';
import { type DeclaredOrder, declaredOf, readDeclared } from '../../../flows/order/difference.ts';
import { readOrders } from '../../../flows/order/rows.ts';
import { createGiven, readDocument } from '../../command/body.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { PAYMENT_DEFAULTS } from '../../command/payment-options.ts';
import { meantInstead, type UnknownField, unknownFields } from '../../command/unknown-fields.ts';

/** Version of the file format. */
export const FILE_VERSION = 1;

const wrongFile = (path: string, message: string): Failure =>
  new Failure('unreadable_file', `${path === '-' ? 'standard input' : path}: ${message}`, {
    hint: 'The format is that of bursar order export: {version: 1, orders: [...]}.',
  });

const entriesOf = (document: unknown, path: string): readonly unknown[] => {
  if (!isJsonObject(document)) throw wrongFile(path, 'it is not an object with orders');
  const { version, orders, ...rest } = document;
  if (version !== FILE_VERSION) throw wrongFile(path, `its version is not ${FILE_VERSION}`);
  if (!Array.isArray(orders)) throw wrongFile(path, 'orders must be a list');
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw wrongFile(path, `unknown field ${unknown}`);
  return orders;
};

/** The failure for a file with wrong orders; each error names its entry. */
export const wrongOrders = (errors: readonly FieldError[]): Failure =>
  new Failure('invalid_input', 'nothing was sent: the file cannot be applied', { errors });

/** Unknown fields inside a field are only warned about: the service may store them, and an export contains them. */
const isTopLevel = ({ field }: UnknownField): boolean => !field.includes('.');

/** Unknown top-level fields are errors: they are typing mistakes. */
const unknownFieldErrors = (declared: DeclaredOrder): readonly FieldError[] =>
  unknownFields([create], declared.fields)
    .filter(isTopLevel)
    .map((unknown) => ({ field: unknown.field, message: `an order has no such field${meantInstead(unknown)}` }));

const warnOfUnknownFields = async ({ printNote }: CommandContext, orders: readonly DeclaredOrder[]): Promise<void> => {
  for (const [at, { fields }] of orders.entries()) {
    for (const unknown of unknownFields([create], fields).filter((one) => !isTopLevel(one))) {
      const path = `orders.${at}.${escapeText(unknown.field)}`;
      await printNote(`warning: ${path}: the service's document has no such field${meantInstead(unknown)}`);
    }
  }
};

/** Adds the defaults of order create to a new order. */
const withDefaults = (declared: DeclaredOrder): DeclaredOrder =>
  declared.id === undefined ? { ...declared, fields: { ...PAYMENT_DEFAULTS, ...declared.fields } } : declared;

/** Reads the orders of a file; `-` is standard input. Throws one failure with all errors. */
export const readOrderFile = async (cli: CommandContext, path: string): Promise<readonly DeclaredOrder[]> => {
  const entries = entriesOf(await readDocument(cli.io, path), path).map(readDeclared);
  const errors = entries.flatMap((one, at) =>
    ('fields' in one ? unknownFieldErrors(one) : one).map(({ field, message }) => ({
      field: `orders.${at}${field && `.${field}`}`,
      message,
    })),
  );
  if (errors.length > 0) throw wrongOrders(errors);
  const orders = entries.flatMap((one) => ('fields' in one ? [one] : []));
  await warnOfUnknownFields(cli, orders);
  return orders.map(withDefaults);
};

const FORMATS = ['yaml', 'json'] as const;

/** The format of --format, of --json, or of the file name; otherwise YAML. */
const formatOf = (cli: CommandContext, given: ParsedArgs, out: string | undefined): string => {
  const format = stringArg(given, 'format') ?? (cli.globals.json && out === undefined ? 'json' : undefined);
  if (cli.globals.json && out === undefined && format !== 'json') {
    throw new Failure('usage', `--json and --format ${format} contradict each other`, { hint: 'Remove one of them.' });
  }
  return format ?? (out?.endsWith('.json') ? 'json' : 'yaml');
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const out = stringArg(given, 'out') === '-' ? undefined : stringArg(given, 'out');
  const format = formatOf(cli, given, out);
  const rows = await cli.io.spin('Reading the orders', readOrders(await cli.client()));
  const entries = rows.toReversed().map((row) => declaredOf(row, boolArg(given, 'portable')));
  const document = { version: FILE_VERSION, orders: entries.map(({ declared }) => declared) };
  const text =
    format === 'json' ? `${printJson(document, 2)}\n` : (await import('../../command/yaml.ts')).printSafeYaml(document);
  const omitted = [...new Set(entries.flatMap((one) => one.omitted))];
  if (omitted.length > 0) {
    await cli.printNote(escapeText(`omitted fields that are not in the service's document: ${omitted.join(', ')}`));
  }
  if (out === undefined) return cli.globals.json ? cli.printResult(document) : cli.io.stdout.write(text);
  const path = await createGiven(cli.io, out, text);
  return cli.printCommitted({ path, format, orders: rows.length });
};

/** `order export`. */
export const exportOrders: Command = {
  words: ['order', 'export'],
  summary: 'Write all orders to a file for order apply',
  about: [
    'Writes the oldest order first: its id, its active state, and the fields in the document of the service.',
    'Omits times and undocumented fields, so that the file changes only when an order does.',
  ],
  options: [
    {
      flag: '--out',
      value: 'FILE',
      usual: '-, stdout',
      description: 'File to create, never overwritten',
      validate: async () => (await import('../../prompt/validators.ts')).validateNewFile,
    },
    {
      flag: '--format',
      value: 'FORMAT',
      choices: FORMATS,
      usual: 'by the file name, otherwise yaml',
      description: 'Format of the file',
    },
    { flag: '--portable', description: 'Omit ids, to create the same orders in another account' },
  ],
  calls: ['order.list'],
  examples: ['order export --out orders.yaml', 'order export --portable --json'],
  run,
};
