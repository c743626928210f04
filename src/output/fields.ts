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

/** An object of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and no list. */
export const isRow = (value: unknown): value is Row => isJsonObject(value);

/** One value in one cell: nothing for null, lists of plain values with commas, all acting characters escaped. */
export const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  if (isRow(value))
    return Object.entries(value)
      .map(([key, inner]) => `${escapeText(key)}=${cell(inner)}`)
      .join(' ');
  return escapeText(String(value));
};

/** An object with dotted keys: {a: {b: 1}} becomes {"a.b": 1}. Lists of plain values stay in one cell. */
export const flatten = (value: unknown, prefix = ''): readonly (readonly [string, string])[] => {
  const under = (key: string) => (prefix ? `${prefix}.${key}` : key);
  if (isRow(value)) return Object.entries(value).flatMap(([key, inner]) => flatten(inner, under(escapeText(key))));
  if (Array.isArray(value) && value.some(isRow)) {
    return value.flatMap((inner, index) => flatten(inner, under(String(index))));
  }
  return [[prefix, cell(value)]];
};

/** Fields that an answer is known to have; `isOpen`: it may have others, which no document shows. */
export type DeclaredFields = { readonly names: readonly string[]; readonly isOpen: boolean };

/** The field that was likely meant, also a part of one that was named without it. */
const suggestedField = (name: string, paths: readonly string[]): string | undefined =>
  closest(name, paths) ?? paths.find((path) => path.endsWith(`.${name}`));

/** What is said of fields that an answer does not have. `paths`: those that it has, with their parts by dots. */
export const noSuchFields = (
  unknown: readonly string[],
  valid: readonly string[],
  paths: readonly string[] = valid,
): Failure => {
  const suggested = unknown.flatMap((name) => suggestedField(name, paths) ?? []);
  const suggestion = suggested.length === 0 ? '' : `Did you mean ${suggested.join(', ')}? `;
  return new Failure('invalid_input', `--fields: there is no ${unknown.join(', ')}`, {
    hint: `${suggestion}The fields of this answer are ${valid.join(', ')}.`,
  });
};

/**
 * Holds fields that are asked for against those that are declared, where there is no answer to hold them against. Of what
 * may have others only a name that is close to a declared one is wrong: `isNear` tells. Throws `invalid_input`.
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
