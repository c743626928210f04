import { cell, flatten, isRow, type Row } from './flatten.ts';
import { record } from './record.ts';
import { fits, type TableStyle, table } from './table.ts';

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

const shownRows = (rows: readonly Row[], style: TableStyle, brief: readonly string[] | undefined): string => {
  const columns = [columnsOf(rows), ...(brief ? [brief] : [])].find((names) =>
    fits(names, linesOf(rows, names), style.columns),
  );
  if (columns) return table(columns, linesOf(rows, columns), style);
  return rows.map((row) => record(flatten(row), style)).join('\n');
};

/**
 * Data as text for people and pipes. On a terminal (`style` given) a table with a header, fitted to the width: all
 * columns, or else the `brief` ones, or else each entry as a record, for nothing that has to be copied is cut.
 * Elsewhere TSV without header, nothing cut. An object is a line for each field; a list a line for each entry.
 */
export const render = (value: unknown, style: TableStyle | undefined, brief?: readonly string[]): string => {
  if (Array.isArray(value) && value.every(isRow)) {
    if (!style) return tsv(linesOf(value, columnsOf(value)));
    return value.length === 0 ? '' : shownRows(value, style, brief);
  }
  if (Array.isArray(value)) {
    const lines = value.map((entry) => [cell(entry)]);
    return style ? table(undefined, lines, style) : tsv(lines);
  }
  const fields = flatten(value);
  return style ? record(fields, style) : tsv(fields);
};
