import { escapeText } from '../core/escape.ts';
import { isJsonObject } from '../core/json.ts';

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
