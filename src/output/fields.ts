import { closest } from '../core/closest.ts';
import { escapeText } from '../core/escape.ts';
import { Failure } from '../core/failure.ts';
import { isJsonObject } from '../core/json.ts';

const at = (row: Row, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (isRow(value) || Array.isArray(value) ? (value as Row)[key] : undefined), row);

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, at(row, name)]));

/** The number of entries that are inspected for field names. Entries of a list are alike. */
const INSPECTED_ENTRIES = 20;

/**
 * Keeps the named fields of an object, or of each object of a list. A name may be a dotted path. Throws `invalid_input`
 * with the valid names for an unknown name.
 */
export const selectFields = (value: unknown, names: readonly string[]): unknown => {
  const rows = (Array.isArray(value) ? value : [value]).filter(isRow);
  const unknown = names.filter((name) => rows.length > 0 && rows.every((row) => at(row, name) === undefined));
  if (unknown.length > 0) {
    const valid = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const paths = rows.slice(0, INSPECTED_ENTRIES).flatMap((row) => flatten(row).map(([path]) => path));
    throw noSuchFields(unknown, valid, [...new Set([...valid, ...paths])]);
  }
  return Array.isArray(value) ? rows.map((row) => pick(row, names)) : rows.map((row) => pick(row, names))[0];
};

/** An object in a result. */
export type Row = Readonly<Record<string, unknown>>;

/** Whether a value is an object and not a list. */
export const isRow = (value: unknown): value is Row => isJsonObject(value);

/** The text of a cell: empty for null, a list with commas, control characters escaped. */
export const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  if (isRow(value))
    return Object.entries(value)
      .map(([key, inner]) => `${escapeText(key)}=${cell(inner)}`)
      .join(' ');
  return escapeText(String(value));
};

/** Flattens an object to dotted keys: {a: {b: 1}} becomes {"a.b": 1}. A list of plain values stays in one cell. */
export const flatten = (value: unknown, prefix = ''): readonly (readonly [string, string])[] => {
  const under = (key: string) => (prefix ? `${prefix}.${key}` : key);
  if (isRow(value)) return Object.entries(value).flatMap(([key, inner]) => flatten(inner, under(escapeText(key))));
  if (Array.isArray(value) && value.some(isRow)) {
    return value.flatMap((inner, index) => flatten(inner, under(String(index))));
  }
  return [[prefix, cell(value)]];
};

/** The declared fields of a result; `isOpen`: the result may have undocumented fields as well. */
export type DeclaredFields = { readonly names: readonly string[]; readonly isOpen: boolean };

/** The closest field to a mistyped one, or a path that ends with the name. */
const suggestedField = (name: string, paths: readonly string[]): string | undefined =>
  closest(name, paths) ?? paths.find((path) => path.endsWith(`.${name}`));

/** The failure for unknown fields of a result. `paths`: its fields and their parts, as dotted paths. */
export const noSuchFields = (
  unknown: readonly string[],
  valid: readonly string[],
  paths: readonly string[] = valid,
): Failure => {
  const suggested = unknown.flatMap((name) => suggestedField(name, paths) ?? []);
  const suggestion = suggested.length === 0 ? '' : `Did you mean ${suggested.join(', ')}? `;
  return new Failure('invalid_input', `--fields: no field ${unknown.join(', ')} in this result`, {
    hint: `${suggestion}Fields of this result: ${valid.join(', ')}.`,
  });
};

/**
 * Checks requested fields by the declared ones, for a result without entries. If the result may have undocumented fields,
 * only a name close to a declared one (`isNear`) is wrong. Throws `invalid_input`.
 */
export const assertDeclared = (
  requested: readonly string[],
  { names, isOpen }: DeclaredFields,
  isNear: (name: string, names: readonly string[]) => boolean,
): void => {
  const unknown = requested.filter((path) => {
    const [first = ''] = path.split('.');
    return !names.includes(first) && (!isOpen || isNear(first, names));
  });
  if (unknown.length > 0) throw noSuchFields(unknown, names);
};
