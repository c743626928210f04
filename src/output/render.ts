import { closest } from '../core/closest.ts';
import { Failure } from '../core/failure.ts';
import { isJsonObject, valueAt } from '../core/json.ts';
import { escapeText } from '../core/text.ts';
import { record, type Tone } from './summary.ts';
import { fits, type TableStyle, table } from './table.ts';
import { inLocale, inRecord, inTable } from './terminal-text.ts';

const at = (row: Row, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, key) => (isRow(value) || Array.isArray(value) ? (value as Row)[key] : undefined), row);

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
  const picked = rows.map((row) => Object.fromEntries(names.map((name) => [name, at(row, name)])));
  return Array.isArray(value) ? picked : picked[0];
};

/** An object in a result. */
type Row = Readonly<Record<string, unknown>>;

/** Whether a value is an object and not a list. */
const isRow = (value: unknown): value is Row => isJsonObject(value);

/** The text of a cell: empty for null, a list with commas, control characters escaped. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  const field = ([key, inner]: [string, unknown]) => `${escapeText(key)}=${cell(inner)}`;
  return isRow(value) ? Object.entries(value).map(field).join(' ') : escapeText(String(value));
};

/** Flattens an object to dotted keys: {a: {b: 1}} becomes {"a.b": 1}. A list of plain values stays in one cell. */
const flatten = (value: unknown, prefix = ''): readonly (readonly [string, string])[] => {
  const under = (key: string) => (prefix ? `${prefix}.${key}` : key);
  if (isRow(value)) return Object.entries(value).flatMap(([key, inner]) => flatten(inner, under(escapeText(key))));
  if (Array.isArray(value) && value.some(isRow)) {
    return value.flatMap((inner, index) => flatten(inner, under(String(index))));
  }
  return [[prefix, cell(value)]];
};

/** The declared fields of a result; `isOpen`: the result may have undocumented fields as well. */
export type DeclaredFields = { readonly names: readonly string[]; readonly isOpen: boolean };

/** The failure for unknown fields of a result. `paths`: its fields and their parts, as dotted paths. */
const noSuchFields = (unknown: readonly string[], valid: readonly string[], paths = valid): Failure => {
  // The closest field to a mistyped one, or a path that ends with the name.
  const suggested = unknown.flatMap(
    (name) => closest(name, paths) ?? paths.find((path) => path.endsWith(`.${name}`)) ?? [],
  );
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

const tsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((text) => text.replaceAll('\t', ' ')).join('\t')}\n`).join('');

const columnsOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => flatten(row).map(([key]) => key))),
];

const linesOf = (rows: readonly Row[], columns: readonly string[]): readonly (readonly string[])[] =>
  rows.map((row) => {
    const cells = new Map(flatten(row));
    return columns.map((column) => cells.get(column) ?? '');
  });

const recordOf = (value: unknown, style: TableStyle): string => {
  const fields = flatten(value).map(([name, text]) => [inLocale(name, style), inRecord(text, style)] as const);
  return record(fields, style);
};

/** A rendered value, and the columns of a list that did not fit. */
export type RenderedText = { readonly text: string; readonly hidden: readonly string[] };

const whole = (text: string): RenderedText => ({ text, hidden: [] });

const shownRows = (rows: readonly Row[], style: TableStyle, brief: readonly string[] | undefined): RenderedText => {
  const linesFor = (names: readonly string[]) =>
    linesOf(rows, names).map((line) => line.map((text) => inTable(text, style)));
  const choice = chooseColumns(columnsOf(rows), linesFor, style, brief);
  if (!choice) return whole(rows.map((row) => recordOf(row, style)).join('\n'));
  const header = choice.columns.map((name) => inLocale(name, style));
  return { text: table(header, linesFor(choice.columns), style), hidden: choice.hidden };
};

/**
 * Renders data for a terminal. A list becomes a table with a header, fitted to the width; the least important columns are
 * left out first. If no table fits, each entry becomes a record. Values that users copy are never cut.
 */
export const renderFor = (style: TableStyle, value: unknown, brief?: readonly string[]): RenderedText => {
  if (!Array.isArray(value)) return whole(recordOf(value, style));
  if (value.length === 0) return whole('');
  if (value.every(isRow)) return shownRows(value, style, brief);
  const rows = value.map((entry) => [inTable(cell(entry), style)]);
  return whole(table(undefined, rows, style));
};

/**
 * Renders data as TSV: no header, nothing cut. An object has a line for each field, a list a line for each entry. With
 * `columns` (dotted paths) every line has exactly these.
 */
export const renderTsv = (value: unknown, columns?: readonly string[]): string => {
  if (!Array.isArray(value)) return tsv(flatten(value));
  if (!value.every(isRow)) return tsv(value.map((entry) => [cell(entry)]));
  if (!columns) return tsv(linesOf(value, columnsOf(value)));
  return tsv(value.map((row) => columns.map((path) => cell(valueAt(row, ...path.split('.'))))));
};

/** The columns of a list that fit the terminal, and those that do not. */
type ColumnChoice = { readonly columns: readonly string[]; readonly hidden: readonly string[] };

/** The minimum number of columns of a table. */
const FEWEST = 3;

type LinesFor = (columns: readonly string[]) => readonly (readonly string[])[];

/**
 * Chooses the columns of a list that fit the terminal: all of them, or as many as fit, the most important first. `brief`
 * are the important columns in that order. `undefined` if no table fits.
 */
const chooseColumns = (
  all: readonly string[],
  linesFor: LinesFor,
  style: TableStyle,
  brief: readonly string[] | undefined,
): ColumnChoice | undefined => {
  const hasRoom = (columns: readonly string[], how: 'well' | 'cut') => {
    const header = columns.map((name) => inLocale(name, style));
    return fits(header, linesFor(columns), style.columns, how);
  };
  if (hasRoom(all, 'well')) return { columns: all, hidden: [] };
  const important = brief?.filter((name) => all.includes(name)) ?? [];
  if (important.length === 0) return hasRoom(all, 'cut') ? { columns: all, hidden: [] } : undefined;
  const ordered = [...important, ...all.filter((name) => !important.includes(name))];
  for (let count = ordered.length - 1; count >= Math.min(FEWEST, important.length); count -= 1) {
    const columns = ordered.slice(0, count);
    if (hasRoom(columns, 'well')) {
      return { columns: all.filter((name) => columns.includes(name)), hidden: ordered.slice(count) };
    }
  }
  return undefined;
};

const GOOD: readonly string[] = ['success', 'payment_confirmed', 'landed', 'settled'];
const BAD: readonly string[] = ['error', 'failed', 'refused', 'declined', 'expired'];

/** The tone of a state of the service or the journal. An unknown state counts as open. */
export const toneOf = (state: string): Tone => {
  if (GOOD.includes(state)) return 'good';
  return BAD.includes(state) ? 'bad' : 'open';
};
