import { withoutMark } from '../core/remote-text.ts';
import { splitToWidth, widthOf } from '../core/width.ts';
import { wrap } from '../core/wrap.ts';
import { linked } from './link.ts';
import type { TableStyle } from './table.ts';

const INDENT = 4;

/** An id, a hash or an address. Users copy it, and a broken word copies only in part. */
const IS_COPIED = /^[\x21-\x7e]+$/;

/** A Pix code (EMV: field 00 is 01). Users copy it with the blanks in its names. */
const IS_PIX_CODE = /^000201[\x20-\x7e]+$/;

/**
 * The rows of a value below its name. Sentences are wrapped. A value that users copy stays one line even if it is wider
 * than the terminal: the terminal's own line break is not copied.
 */
const below = (value: string, columns: number): readonly string[] => {
  const room = Math.max(10, columns - INDENT);
  const lines = IS_PIX_CODE.test(value) ? [value] : wrap(value, room).split('\n');
  return lines
    .flatMap((line) => (IS_COPIED.test(line) || IS_PIX_CODE.test(line) ? [line] : splitToWidth(line, room)))
    .map(withoutMark)
    .map((line) => ' '.repeat(Math.max(0, Math.min(INDENT, columns - widthOf(line)))) + line);
};

/** The fields of one object, a line each. A value that does not fit beside its name stands below it. */
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
      const parts = below(value, columns).map((part) => part.replace(/\S.*/, (text) => shown(text, value)));
      return [colour.bold(name), ...parts].join('\n');
    })
    .map((line) => `${line}\n`)
    .join('');
};
