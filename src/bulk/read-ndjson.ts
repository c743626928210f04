import { isUtf8 } from 'node:buffer';
import { undefinedOn } from '../core/failure.ts';
import { digitsOf, isJsonObject, parseJson } from '../core/json.ts';
import {
  type Columns,
  columnOf,
  type Field,
  type FieldValue,
  ID,
  type ParsedRow,
  shown,
  unknownColumn,
  valueIn,
} from './columns.ts';
import type { RowReader } from './read-csv.ts';
import { MAX_ROW_BYTES, type RawRow } from './split-rows.ts';

/** A reader of one JSON object a line. Numbers keep their digits. */
export const newNdjsonReader = (columns: Columns): RowReader => ({
  read: (rows) => rows.map((row) => readRow(columns, row)),
  end: () => undefined,
});

const UTF_8 = new TextDecoder();

const readRow = (columns: Columns, { line, bytes }: RawRow): ParsedRow => {
  if (bytes === undefined) return { line, message: `the line is longer than ${MAX_ROW_BYTES} bytes` };
  if (!isUtf8(bytes)) return { line, message: 'the line is not UTF-8 text' };
  const text = UTF_8.decode(bytes);
  const parsed = undefinedOn(() => ({ value: parseJson(text) }));
  if (parsed === undefined) return { line, message: messageFor(text) };
  if (!isJsonObject(parsed.value)) return { line, message: 'the line is not a JSON object' };
  return rowOf(columns, line, parsed.value);
};

/** The exact parser also refuses a repeated name and deep nesting. */
const messageFor = (text: string): string => {
  try {
    JSON.parse(text);
  } catch {
    return 'the line is not valid JSON';
  }
  return 'the line has a name twice with different values, or is nested too deeply';
};

const rowOf = (columns: Columns, line: number, values: Readonly<Record<string, unknown>>): ParsedRow => {
  const id = idText(values[ID]);
  if (id === undefined && values[ID] !== undefined)
    return { line, column: ID, message: 'id must be a text: write it in quotes' };
  const fields: Field[] = [];
  const names: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const column = columnOf(columns, name);
    if (column === undefined) return { line, id, column: shown(name), message: unknownColumn(columns, name) };
    if (names.includes(column)) return { line, id, column, message: `the column ${column} is there twice` };
    names.push(column);
    const field = fieldOf(columns, column, value);
    if (typeof field === 'object' && 'message' in field) return { line, id, column, message: field.message };
    if (field !== undefined && column !== ID) fields.push([column, field]);
  }
  return { line, id, fields: fields.sort(([a], [b]) => (a < b ? -1 : 1)) };
};

/** The text of an id. A program that saves the file again may spell a number such as 1.0 otherwise: as another id. */
const idText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  const digits = digitsOf(value) ?? '';
  return /^(0|[1-9]\d*)$/.test(digits) && Number.isSafeInteger(Number(digits)) ? digits : undefined;
};

/** The text of a value that is a text, a number or a boolean. */
const scalarText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' ? String(value) : digitsOf(value);
};

type Problem = { readonly message: string };

const fieldOf = (columns: Columns, column: string, value: unknown): FieldValue | undefined | Problem => {
  if (value === null) return undefined;
  if (Array.isArray(value)) return listOf(columns, column, value);
  const text = scalarText(value);
  if (text === undefined) return { message: 'the value is an object, not a text, a number or a boolean' };
  const field = valueIn(columns, column, text);
  return field?.length === 0 ? { message: 'the value has separators and no value' } : field;
};

const listOf = (columns: Columns, column: string, values: readonly unknown[]): FieldValue | undefined | Problem => {
  if (columns.get(column)?.many !== true) return { message: 'the value is a list, and the column has one value' };
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
  if (!values.every(isText)) return { message: 'the list has a value that is empty or not a text' };
  return values.length === 0 ? undefined : values;
};
