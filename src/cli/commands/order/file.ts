import { Failure, type FieldError } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { type Declared, readDeclared } from '../../../flows/order/declared.ts';
import { readDocument } from '../../body.ts';
import type { Cli } from '../../cli.ts';

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

/** Reads the orders that a file declares; `-` is standard input. Throws with everything that is wrong. */
export const readOrderFile = async (cli: Cli, path: string): Promise<readonly Declared[]> => {
  const read = entriesOf(await readDocument(cli.io, path), path).map(readDeclared);
  const errors = read.flatMap((one, at) =>
    'fields' in one ? [] : one.map(({ field, message }) => ({ field: `orders.${at}${field && `.${field}`}`, message })),
  );
  if (errors.length > 0) throw wrongOrders(errors);
  return read.flatMap((one) => ('fields' in one ? [one] : []));
};
