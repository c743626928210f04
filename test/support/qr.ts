import jsqr from 'jsqr';

/** The pixels of a module. The reader needs more than one. */
const SCALE = 4;

/** Reads a QR code from its modules (`true` is dark), with a white margin of 4 modules. */
const read = (rows: readonly (readonly boolean[])[]): string | undefined => {
  const width = Math.max(...rows.map((row) => row.length)) + 8;
  const height = rows.length + 8;
  const pixels = new Uint8ClampedArray(width * height * SCALE * SCALE * 4).fill(255);
  for (let y = 0; y < height * SCALE; y += 1) {
    for (let x = 0; x < width * SCALE; x += 1) {
      const isDark = rows[Math.floor(y / SCALE) - 4]?.[Math.floor(x / SCALE) - 4] === true;
      if (isDark) pixels.fill(0, (y * width * SCALE + x) * 4, (y * width * SCALE + x) * 4 + 3);
    }
  }
  return jsqr.default(pixels, width * SCALE, height * SCALE)?.data;
};

const HALVES: Readonly<Record<string, readonly [above: boolean, below: boolean]>> = {
  '█': [true, true],
  '▀': [true, false],
  '▄': [false, true],
  ' ': [false, false],
};

/** Reads a QR code of half blocks, with two rows of modules in a line. `isInkDark` is false for light blocks on a dark screen. */
export const readHalfBlocks = (lines: readonly string[], isInkDark: boolean): string | undefined => {
  const width = Math.max(...lines.map((line) => line.length));
  const half = (line: string, part: 0 | 1) =>
    Array.from(line.padEnd(width), (char) => HALVES[char]?.[part] === isInkDark);
  return read(lines.flatMap((line) => [half(line, 0), half(line, 1)]));
};

/** Reads a QR code of pairs of characters, with one row of modules in a line. */
export const readPairs = (lines: readonly string[], dark: string): string | undefined => {
  const width = Math.max(...lines.map((line) => line.length));
  const pairs = (line: string) => line.padEnd(width).match(/../g) ?? [];
  return read(lines.map((line) => pairs(line).map((pair) => pair === dark)));
};

/** The lines of a screen that contain only half blocks. */
export const drawnLines = (screen: string): readonly string[] =>
  screen.split('\n').filter((line) => /^[█▀▄ ]*$/.test(line) && /[█▀▄]/.test(line));
