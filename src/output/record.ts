import { wrap } from '../core/wrap.ts';
import { linked } from './link.ts';
import type { TableStyle } from './table.ts';
import { inParts, widthOf } from './width.ts';

const INDENT = 4;

/** A value that is wider than the terminal goes on over several lines: in a record nothing is cut. */
const broken = (value: string, columns: number): readonly string[] => {
  const room = Math.max(10, columns - INDENT);
  return wrap(value, room)
    .split('\n')
    .flatMap((line) => inParts(line, room));
};

/** The fields of one thing, a line each; a value that does not fit beside its name stands below it. */
export const record = (
  fields: readonly (readonly [string, string])[],
  { columns, colour, links }: TableStyle,
): string => {
  const widest = Math.max(0, ...fields.map(([name]) => widthOf(name)));
  const gap = Math.min(widest, Math.floor(columns / 2)) + 2;
  const shown = (part: string, value: string) => (links ? linked(part, value) : part);
  return fields
    .map(([name, value]) => {
      const length = widthOf(name);
      const isBeside = length + 2 <= gap && gap + widthOf(value) <= columns;
      if (isBeside || value === '') {
        return `${colour.bold(name)}${' '.repeat(Math.max(2, gap - length))}${shown(value, value)}`.trimEnd();
      }
      const parts = broken(value, columns).map((part) => ' '.repeat(INDENT) + shown(part, value));
      return [colour.bold(name), ...parts].join('\n');
    })
    .map((line) => `${line}\n`)
    .join('');
};
