import { create } from 'qrcode/lib/core/qrcode.js';
import type { TableStyle } from './table.ts';

/** Light modules around the code: scanners do with two, and a terminal has few lines. */
const QUIET = 2;

type IsDark = (row: number, column: number) => boolean;

/** Two rows of modules a line: a character of a terminal is twice as high as wide. */
const inHalfBlocks = (size: number, isDark: IsDark, isInked: boolean): readonly string[] => {
  // Ink is what the characters draw: the dark modules on light paper, or the light ones on a dark screen.
  const has = (row: number, column: number) => row < size && isDark(row, column) === isInked;
  const glyph = (above: boolean, below: boolean) => (above ? (below ? '█' : '▀') : below ? '▄' : ' ');
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) =>
    Array.from({ length: size }, (__, column) => glyph(has(2 * line, column), has(2 * line + 1, column))).join(''),
  );
};

/** A row of modules a line, each two characters wide. */
const inPairs = (size: number, isDark: IsDark, dark: string, light: string): readonly string[] =>
  Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => (isDark(row, column) ? dark : light)).join(''),
  );

const codeOf = (text: string) => create(text, { errorCorrectionLevel: 'L' }).modules;

const sizeOf = ({ size }: ReturnType<typeof codeOf>): number => size + 2 * QUIET;

/** How many columns a text takes as a QR code; without Unicode twice as many. */
export const qrColumns = (text: string, unicode: boolean): number => sizeOf(codeOf(text)) * (unicode ? 1 : 2);

/**
 * A text as a QR code for a terminal: half blocks, or without Unicode pairs of characters. With colour it is dark on
 * light whatever the terminal's own are; without, the light modules are drawn, for most terminals are dark. `undefined`
 * where it would be wider than the terminal: half a code is none.
 */
export const terminalQr = (text: string, { columns, colour, unicode }: TableStyle): string | undefined => {
  const modules = codeOf(text);
  const size = sizeOf(modules);
  if ((unicode ? size : 2 * size) > columns) return undefined;
  const isInside = (at: number) => at >= QUIET && at < size - QUIET;
  const isDark: IsDark = (row, column) =>
    isInside(row) && isInside(column) && modules.get(row - QUIET, column - QUIET) === 1;
  const hasColour = colour.level > 0;
  if (unicode) {
    const paper = (line: string) => (hasColour ? colour.black.bgWhiteBright(line) : line);
    return inHalfBlocks(size, isDark, hasColour)
      .map((line) => `${paper(line)}\n`)
      .join('');
  }
  const [dark, light] = hasColour ? [colour.bgBlack('  '), colour.bgWhiteBright('  ')] : ['  ', '##'];
  return inPairs(size, isDark, dark, light)
    .map((line) => `${line}\n`)
    .join('');
};
