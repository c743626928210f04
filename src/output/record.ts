import type { TableStyle } from './table.ts';

const INDENT = 4;

/** A value that is wider than the terminal goes on over several lines: in a record nothing is cut. */
const broken = (value: string, columns: number): readonly string[] => {
  const room = Math.max(10, columns - INDENT);
  const characters = Array.from(value);
  const count = Math.ceil(characters.length / room);
  return Array.from({ length: count }, (_, at) => characters.slice(at * room, (at + 1) * room).join(''));
};

/** The fields of one thing, a line each; a value that does not fit beside its name stands below it. */
export const record = (fields: readonly (readonly [string, string])[], { columns, colour }: TableStyle): string => {
  const widest = Math.max(0, ...fields.map(([name]) => name.length));
  const gap = Math.min(widest, Math.floor(columns / 2)) + 2;
  return fields
    .map(([name, value]) => {
      const isBeside = name.length + 2 <= gap && gap + value.length <= columns;
      if (isBeside || value === '')
        return `${colour.bold(name)}${' '.repeat(Math.max(2, gap - name.length))}${value}`.trimEnd();
      return [colour.bold(name), ...broken(value, columns).map((part) => ' '.repeat(INDENT) + part)].join('\n');
    })
    .map((line) => `${line}\n`)
    .join('');
};
