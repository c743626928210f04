import { valueAt } from '../core/json.ts';
import { cell, flatten, isRow, type Row } from './fields.ts';
import { record } from './record.ts';
import { fits, type TableStyle, table } from './table.ts';
import { inLocale, inRecord, inTable } from './terminal-text.ts';

const tsvCell = (text: string): string => text.replaceAll('\t', ' ');

const tsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(tsvCell).join('\t')}\n`).join('');

const columnsOf = (rows: readonly Row[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => flatten(row).map(([key]) => key))),
];

const linesOf = (rows: readonly Row[], columns: readonly string[]): readonly (readonly string[])[] =>
  rows.map((row) => {
    const cells = new Map(flatten(row));
    return columns.map((column) => cells.get(column) ?? '');
  });

const recordOf = (value: unknown, style: TableStyle): string =>
  record(
    flatten(value).map(([name, text]) => [inLocale(name, style), inRecord(text, style)] as const),
    style,
  );

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
  return whole(
    table(
      undefined,
      value.map((entry) => [inTable(cell(entry), style)]),
      style,
    ),
  );
};

const fixedLine = (row: Row, columns: readonly string[]): readonly string[] =>
  columns.map((path) => cell(valueAt(row, ...path.split('.'))));

/**
 * Renders data as TSV: no header, nothing cut. An object has a line for each field, a list a line for each entry. With
 * `columns` (dotted paths) every line has exactly these.
 */
export const renderTsv = (value: unknown, columns?: readonly string[]): string => {
  if (!Array.isArray(value)) return tsv(flatten(value));
  if (!value.every(isRow)) return tsv(value.map((entry) => [cell(entry)]));
  return tsv(columns ? value.map((row) => fixedLine(row, columns)) : linesOf(value, columnsOf(value)));
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
  const hasRoom = (columns: readonly string[], how: 'well' | 'cut') =>
    fits(
      columns.map((name) => inLocale(name, style)),
      linesFor(columns),
      style.columns,
      how,
    );
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
