import { create } from '../../../contract/order/create.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { escapeText } from '../../../core/text.ts';
import { type DeclaredOrder, readDeclared } from '../../../flows/order/difference.ts';
import { readDocument } from '../../command/body.ts';
import { PAYMENT_DEFAULTS } from '../../command/payment-options.ts';
import { meantInstead, type UnknownField, unknownFields } from '../../command/unknown-fields.ts';
import type { CommandContext } from '../../context/context.ts';

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

const warnOfUnknownFields = async ({ say }: CommandContext, orders: readonly DeclaredOrder[]): Promise<void> => {
  for (const [at, { fields }] of orders.entries()) {
    for (const unknown of unknownFields([create], fields).filter((one) => !isTopLevel(one))) {
      const path = `orders.${at}.${escapeText(unknown.field)}`;
      await say(`warning: ${path}: the service's document has no such field${meantInstead(unknown)}`);
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
