import type { ChalkInstance } from 'chalk';

const GAP = 2;
const NARROWEST = 6;

const width = (text: string): number => Array.from(text).length;

const cut = (text: string, room: number, ellipsis: string): string =>
  width(text) <= room
    ? text
    : Array.from(text)
        .slice(0, Math.max(0, room - width(ellipsis)))
        .join('') + ellipsis;

/** Takes from the widest column until all fit; none gets narrower than a few characters. */
const narrow = (wanted: readonly number[], room: number): readonly number[] => {
  const widths = [...wanted];
  let over = widths.reduce((sum, one) => sum + one, 0) + GAP * (widths.length - 1) - room;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
    over -= 1;
  }
  return widths;
};

export type TableStyle = { readonly columns: number; readonly colour: ChalkInstance; readonly unicode: boolean };

/** Rows of cells under a header, fitted to a width. Cells are escaped already. */
export const table = (
  header: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  style: TableStyle,
): string => {
  const lines = header ? [header, ...rows] : rows;
  const count = Math.max(0, ...lines.map((line) => line.length));
  const wanted = Array.from({ length: count }, (_, at) => Math.max(0, ...lines.map((line) => width(line[at] ?? ''))));
  const widths = narrow(wanted, style.columns);
  const ellipsis = style.unicode ? '…' : '...';
  const printed = lines.map((line) =>
    widths
      .map((room, at) => {
        const text = cut(line[at] ?? '', room, ellipsis);
        return text + ' '.repeat(room - width(text));
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
  return printed.map((line, at) => `${header && at === 0 ? style.colour.bold(line) : line}\n`).join('');
};
