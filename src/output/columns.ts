import { fits, type TableStyle } from './table.ts';
import { inLocale } from './told.ts';

/** What a terminal shows of a list: the columns that have room, and those that have none. */
export type Chosen = { readonly columns: readonly string[]; readonly hidden: readonly string[] };

/** Fewer are no table. */
const FEWEST = 3;

type LinesFor = (columns: readonly string[]) => readonly (readonly string[])[];

/**
 * The columns of a list that fit a terminal: all of them, or else as many as there is room for, the least important left
 * out. `brief` are the most important, the first of all first. `undefined` where there is no room for a table.
 */
export const chooseColumns = (
  all: readonly string[],
  linesFor: LinesFor,
  style: TableStyle,
  brief: readonly string[] | undefined,
): Chosen | undefined => {
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
