import { noSuchFields } from './declared.ts';
import { isRow, type Row } from './flatten.ts';

const at = (row: Row, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (isRow(value) || Array.isArray(value) ? (value as Row)[key] : undefined), row);

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, at(row, name)]));

/**
 * Keeps the named fields of an object, or of each object of a list; a name may be a dotted path. Throws
 * `invalid_input` with the valid names when a name is not known.
 */
export const selectFields = (value: unknown, names: readonly string[]): unknown => {
  const rows = (Array.isArray(value) ? value : [value]).filter(isRow);
  const unknown = names.filter((name) => rows.length > 0 && rows.every((row) => at(row, name) === undefined));
  if (unknown.length > 0) {
    const valid = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    throw noSuchFields(unknown, valid);
  }
  return Array.isArray(value) ? rows.map((row) => pick(row, names)) : rows.map((row) => pick(row, names))[0];
};
