import { cell, flatten, isRow, type Row } from './flatten.ts';
import { record } from './record.ts';
import { type TableStyle, table } from './table.ts';

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

/**
 * Data as text for people and pipes. On a terminal (`style` given) a table with a header, fitted to the width;
 * elsewhere TSV without header, nothing cut. An object is a line for each field; a list a line for each entry.
 */
export const render = (value: unknown, style: TableStyle | undefined): string => {
  if (Array.isArray(value) && value.every(isRow)) {
    const columns = columnsOf(value);
    const lines = linesOf(value, columns);
    if (!style) return tsv(lines);
    return value.length === 0 ? '' : table(columns, lines, style);
  }
  if (Array.isArray(value)) {
    const lines = value.map((entry) => [cell(entry)]);
    return style ? table(undefined, lines, style) : tsv(lines);
  }
  const fields = flatten(value);
  return style ? record(fields, style) : tsv(fields);
};
