import { create } from '../../../contract/order/create.ts';
import { escapeText } from '../../../core/escape.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { type Declared, readDeclared } from '../../../flows/order/declared.ts';
import { readDocument } from '../../command/body.ts';
import { PAYMENT_DEFAULTS } from '../../command/payment-options.ts';
import { meantInstead, type UnknownField, unknownFields } from '../../command/unknown-fields.ts';
import type { CommandContext } from '../../context/context.ts';

/** Of the file's form; another one will have another number. */
export const FILE_VERSION = 1;

const wrongFile = (path: string, message: string): Failure =>
  new Failure('unreadable_file', `${path === '-' ? 'standard input' : path}: ${message}`, {
    hint: 'It is what bursar order export writes: {version: 1, orders: [...]}.',
  });

const entriesOf = (document: unknown, path: string): readonly unknown[] => {
  if (!isJsonObject(document)) throw wrongFile(path, 'not an object with orders');
  const { version, orders, ...rest } = document;
  if (version !== FILE_VERSION) throw wrongFile(path, `its version is not ${FILE_VERSION}`);
  if (!Array.isArray(orders)) throw wrongFile(path, 'orders must be a list');
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw wrongFile(path, `there is no ${unknown} in such a file`);
  return orders;
};

/** What is wrong with the orders of a file, each at its place. */
export const wrongOrders = (errors: readonly FieldError[]): Failure =>
  new Failure('invalid_input', 'nothing was sent: the file cannot be applied', { errors });

/** Within a field the service may keep more than its document names, and an export has that too. */
const isOurs = ({ field }: UnknownField): boolean => !field.includes('.');

/** The form of this file is ours: what it does not have is a typing error, and would silently not be what was meant. */
const unknownOf = (declared: Declared): readonly FieldError[] =>
  unknownFields([create], declared.fields)
    .filter(isOurs)
    .map((unknown) => ({ field: unknown.field, message: `an order has no such field${meantInstead(unknown)}` }));

const sayUnknown = async ({ say }: CommandContext, orders: readonly Declared[]): Promise<void> => {
  for (const [at, { fields }] of orders.entries()) {
    for (const unknown of unknownFields([create], fields).filter((one) => !isOurs(one))) {
      const named = `orders.${at}.${escapeText(unknown.field)}`;
      await say(`warning: ${named}: the service's document names no such field${meantInstead(unknown)}`);
    }
  }
};

/** A new order is what order create makes of the same fields. */
const completed = (declared: Declared): Declared =>
  declared.id === undefined ? { ...declared, fields: { ...PAYMENT_DEFAULTS, ...declared.fields } } : declared;

/** Reads the orders that a file declares; `-` is standard input. Throws with everything that is wrong. */
export const readOrderFile = async (cli: CommandContext, path: string): Promise<readonly Declared[]> => {
  const read = entriesOf(await readDocument(cli.io, path), path).map(readDeclared);
  const errors = read.flatMap((one, at) =>
    ('fields' in one ? unknownOf(one) : one).map(({ field, message }) => ({
      field: `orders.${at}${field && `.${field}`}`,
      message,
    })),
  );
  if (errors.length > 0) throw wrongOrders(errors);
  const orders = read.flatMap((one) => ('fields' in one ? [one] : []));
  await sayUnknown(cli, orders);
  return orders.map(completed);
};
