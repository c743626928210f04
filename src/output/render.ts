import { toAscii } from '../core/ascii.ts';
import { cell, flatten, isRow, type Row } from './flatten.ts';
import { record } from './record.ts';
import { relativeTime } from './relative.ts';
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

/** A cell as a terminal shows it: ASCII where it can no more. */
const inLocale = (text: string, { unicode }: TableStyle): string => (unicode ? text : toAscii(text));

/** In a list the distance of a time tells more than the time; in a record there is room for both. */
const inTable = (text: string, style: TableStyle): string =>
  inLocale((style.now !== undefined && relativeTime(text, style.now)) || text, style);

const inRecord = (text: string, style: TableStyle): string => {
  const distance = style.now === undefined ? undefined : relativeTime(text, style.now);
  return inLocale(distance === undefined ? text : `${text} (${distance})`, style);
};

const recordOf = (value: unknown, style: TableStyle): string =>
  record(
    flatten(value).map(([name, text]) => [inLocale(name, style), inRecord(text, style)] as const),
    style,
  );

const shownRows = (rows: readonly Row[], style: TableStyle, brief: readonly string[] | undefined): string => {
  const linesFor = (names: readonly string[]) =>
    linesOf(rows, names).map((line) => line.map((text) => inTable(text, style)));
  const columns = [columnsOf(rows), ...(brief ? [brief] : [])].find((names) =>
    fits(names, linesFor(names), style.columns),
  );
  if (columns)
    return table(
      columns.map((name) => inLocale(name, style)),
      linesFor(columns),
      style,
    );
  return rows.map((row) => recordOf(row, style)).join('\n');
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
    return style
      ? table(
          undefined,
          lines.map((line) => line.map((text) => inTable(text, style))),
          style,
        )
      : tsv(lines);
  }
  return style ? recordOf(value, style) : tsv(flatten(value));
};
