import { noSuchFields } from './declared.ts';
import { flatten, isRow, type Row } from './flatten.ts';

const at = (row: Row, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (isRow(value) || Array.isArray(value) ? (value as Row)[key] : undefined), row);

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, at(row, name)]));

/** Entries of a list are alike: a few have all the parts of their fields. */
const LOOKED_AT = 20;

/**
 * Keeps the named fields of an object, or of each object of a list; a name may be a dotted path. Throws
 * `invalid_input` with the valid names when a name is not known.
 */
export const selectFields = (value: unknown, names: readonly string[]): unknown => {
  const rows = (Array.isArray(value) ? value : [value]).filter(isRow);
  const unknown = names.filter((name) => rows.length > 0 && rows.every((row) => at(row, name) === undefined));
  if (unknown.length > 0) {
    const valid = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const paths = rows.slice(0, LOOKED_AT).flatMap((row) => flatten(row).map(([path]) => path));
    throw noSuchFields(unknown, valid, [...new Set([...valid, ...paths])]);
  }
  return Array.isArray(value) ? rows.map((row) => pick(row, names)) : rows.map((row) => pick(row, names))[0];
};
