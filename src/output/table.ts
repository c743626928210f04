import type { ChalkInstance } from 'chalk';
import { compareDecimals, divideDecimals, isDecimal, multiplyDecimals } from '../core/decimal.ts';
import { prefixThatFits, widthOf } from '../core/text.ts';

/** A complete URL of valid characters (RFC 3986). The shown text of a link is always a part of its target. */
const ADDRESS = /^https?:\/\/[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Makes `shown` a link to `whole` if `whole` is a URL. */
export const linked = (shown: string, whole: string): string =>
  ADDRESS.test(whole) ? `\u001b]8;;${whole}\u001b\\${shown}\u001b]8;;\u001b\\` : shown;

const GAP = 2;

/** The minimum widths of prose and headers, by fit mode. */
const MIN = { well: { prose: 16, header: 32 }, cut: { prose: 6, header: 6 } } as const;

type FitMode = keyof typeof MIN;

const cut = (text: string, room: number, ellipsis: string): string =>
  widthOf(text) <= room ? text : prefixThatFits(text, Math.max(0, room - ellipsis.length)) + ellipsis;

/** The minimum width of a column. Prose can be cut; ids, addresses and links cannot, because users copy them. */
const needOf = (cells: readonly string[], how: FitMode): number =>
  Math.max(0, ...cells.map((text) => Math.min(widthOf(text), text.includes(' ') ? MIN[how].prose : Infinity)));

type Column = { readonly need: number; readonly ideal: number };

type Lines = readonly (readonly string[])[];

const columnsOf = (header: readonly string[] | undefined, rows: Lines, how: FitMode): readonly Column[] => {
  const count = Math.max(0, ...[header ?? [], ...rows].map((line) => line.length));
  return Array.from({ length: count }, (_, at) => {
    const [name, cells] = [widthOf(header?.[at] ?? ''), rows.map((row) => row[at] ?? '')];
    const need = Math.max(needOf(cells, how), Math.min(name, MIN[how].header));
    return { need, ideal: Math.max(name, ...cells.map(widthOf)) };
  });
};

const gapsOf = (columns: readonly Column[]): number => GAP * Math.max(0, columns.length - 1);

/**
 * Whether a table fits the terminal without cutting values that users copy. `well` keeps headers and readable prose,
 * `cut` only a few letters of both.
 */
export const fits = (header: readonly string[] | undefined, rows: Lines, room: number, how: FitMode): boolean => {
  const columns = columnsOf(header, rows, how);
  return columns.reduce((sum, { need }) => sum + need, gapsOf(columns)) <= room;
};

/** Narrows the column with the most spare width, one character at a time, until the table fits. */
const narrow = (columns: readonly Column[], room: number): readonly number[] => {
  const widths = columns.map(({ ideal }) => ideal);
  let over = widths.reduce((sum, one) => sum + one, gapsOf(columns)) - room;
  const spareAt = (at: number): number => (widths[at] ?? 0) - (columns[at]?.need ?? 0);
  while (over > 0) {
    const most = widths.reduce((best, _, at) => (spareAt(at) > spareAt(best) ? at : best), 0);
    if (spareAt(most) <= 0) break;
    widths[most] = (widths[most] ?? 0) - 1;
    over -= 1;
  }
  return widths;
};

/** The style of output on a terminal. */
export type TableStyle = {
  readonly columns: number;
  readonly colour: ChalkInstance;
  readonly unicode: boolean;
  /** Whether addresses become links. */
  readonly links?: boolean;
  /** Milliseconds since 1970, for relative times; without it times stay absolute. */
  readonly now?: number;
};

/** Renders rows of cells under a header, fitted to the width. Cells must be escaped. */
export const table = (header: readonly string[] | undefined, rows: Lines, style: TableStyle): string => {
  const lines = header ? [header, ...rows] : rows;
  const how = fits(header, rows, style.columns, 'well') ? 'well' : 'cut';
  const widths = narrow(columnsOf(header, rows, how), style.columns);
  const ellipsis = style.unicode ? '…' : '...';
  const printed = lines.map((line) =>
    widths
      .map((room, at) => {
        const whole = line[at] ?? '';
        const text = cut(whole, room, ellipsis);
        const padding = ' '.repeat(Math.max(0, room - widthOf(text)));
        return (style.links ? linked(text, whole) : text) + padding;
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
  return printed.map((line, at) => `${header && at === 0 ? style.colour.bold(line) : line}\n`).join('');
};

/** Eighths of a block, from one to all of them. */
const EIGHTHS = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

const WIDTH = 12;

/** A value as a bar, relative to the largest value of its list: blocks, or # without Unicode. Empty for a non-decimal. */
export const bar = (value: string, most: string, unicode: boolean): string => {
  if (![value, most].every(isDecimal) || compareDecimals(most, '0') === 0) return '';
  const eighths = Number(divideDecimals(multiplyDecimals(value, String(WIDTH * 8)), most, 0));
  if (!unicode) return '#'.repeat(Math.round(eighths / 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[(eighths % 8) - 1] ?? '');
};
