import { create } from 'qrcode/lib/core/qrcode.js';
import type { TableStyle } from './table.ts';

/** The width of the light margin: two modules, or one on a small terminal. QR readers need at least one. */
const QUIET = [2, 1] as const;
const MIN_QUIET = 1;

type IsDark = (row: number, column: number) => boolean;

/** Draws two rows of modules a line: a character of a terminal is twice as high as wide. */
const inHalfBlocks = (size: number, isDark: IsDark, isInked: boolean): readonly string[] => {
  // The characters draw the dark modules on a light background, or the light modules on a dark one.
  const has = (row: number, column: number) => row < size && isDark(row, column) === isInked;
  const glyph = (above: boolean, below: boolean) => (above ? (below ? '█' : '▀') : below ? '▄' : ' ');
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) =>
    Array.from({ length: size }, (__, column) => glyph(has(2 * line, column), has(2 * line + 1, column))).join(''),
  );
};

/** Draws a row of modules a line, each module two characters wide. */
const inPairs = (size: number, isDark: IsDark, dark: string, light: string): readonly string[] =>
  Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => (isDark(row, column) ? dark : light)).join(''),
  );

const codeOf = (text: string) => create(text, { errorCorrectionLevel: 'L' }).modules;

/** A size on a terminal. */
type QrSize = { readonly columns: number; readonly rows: number };

const roomFor = (modules: number, quiet: number, unicode: boolean): QrSize => {
  const size = modules + 2 * quiet;
  return unicode ? { columns: size, rows: Math.ceil(size / 2) } : { columns: 2 * size, rows: size };
};

/** The minimum size of a text as a QR code; without Unicode both dimensions double. */
export const qrRoom = (text: string, unicode: boolean): QrSize => roomFor(codeOf(text).size, MIN_QUIET, unicode);

const fits = (needs: QrSize, room: QrSize): boolean => needs.columns <= room.columns && needs.rows <= room.rows;

/** The lines of a code with a light margin of that width. */
const drawn = (modules: ReturnType<typeof codeOf>, quiet: number, { colour, unicode }: QrStyle): readonly string[] => {
  const size = modules.size + 2 * quiet;
  const isInside = (at: number) => at >= quiet && at < size - quiet;
  const isDark: IsDark = (row, column) =>
    isInside(row) && isInside(column) && modules.get(row - quiet, column - quiet) === 1;
  const hasColour = colour.level > 0;
  if (unicode) {
    const paper = (line: string) => (hasColour ? colour.black.bgWhiteBright(line) : line);
    return inHalfBlocks(size, isDark, hasColour).map(paper);
  }
  const [dark, light] = hasColour ? [colour.bgBlack('  '), colour.bgWhiteBright('  ')] : ['  ', '##'];
  return inPairs(size, isDark, dark, light);
};

type QrStyle = Pick<TableStyle, 'colour' | 'unicode'>;

/**
 * A text as a QR code for a terminal: half blocks, or pairs of characters without Unicode. With colour the code is always
 * dark on light. Without colour the light modules are drawn, because most terminals are dark. `undefined` if the code
 * does not fit `room`.
 */
export const terminalQr = (text: string, room: QrSize, look: QrStyle): readonly string[] | undefined => {
  const modules = codeOf(text);
  const quiet = QUIET.find((each) => fits(roomFor(modules.size, each, look.unicode), room));
  return quiet && drawn(modules, quiet, look);
};
