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

/** What is shown, and the columns of a list that had no room. */
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
 * Data as a terminal shows it: a list as a table with a header, fitted to the width, the least important columns left out
 * where there is no room; where there is room for none, each entry as a record, for nothing that has to be copied is cut.
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
 * Data as TSV: no header, nothing cut. An object is a line for each field; a list a line for each entry. With `columns`,
 * paths with dots, a line has these alone, whatever an entry has.
 */
export const renderTsv = (value: unknown, columns?: readonly string[]): string => {
  if (!Array.isArray(value)) return tsv(flatten(value));
  if (!value.every(isRow)) return tsv(value.map((entry) => [cell(entry)]));
  return tsv(columns ? value.map((row) => fixedLine(row, columns)) : linesOf(value, columnsOf(value)));
};

/** What a terminal shows of a list: the columns that have room, and those that have none. */
type ColumnChoice = { readonly columns: readonly string[]; readonly hidden: readonly string[] };

/** Fewer are no table. */
const FEWEST = 3;

type LinesFor = (columns: readonly string[]) => readonly (readonly string[])[];

/**
 * The columns of a list that fit a terminal: all of them, or else as many as there is room for, the least important left
 * out. `brief` are the most important, the first of all first. `undefined` where there is no room for a table.
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
