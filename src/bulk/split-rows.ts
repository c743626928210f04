/** A longer row is a problem and is not stored, so that memory stays bounded. */
export const MAX_ROW_BYTES = 64 * 1024;

/** A row as bytes, with its line end. */
export type RawRow = {
  readonly line: number;
  /** The last line of the row: a quoted cell may have line ends. */
  readonly lastLine: number;
  /** `undefined` above `MAX_ROW_BYTES`. */
  readonly bytes: Uint8Array | undefined;
  /** The number of the cell, from 0, whose quote is not closed before the end of the file. */
  readonly openCell?: number | undefined;
};

/** Splits chunks of bytes into rows. Leaves out blank lines. */
export type Splitter = {
  /** The rows that end in the chunk. */
  readonly push: (chunk: Uint8Array) => readonly RawRow[];
  /** The last row, if it has no line end. */
  readonly end: () => readonly RawRow[];
};

const [LINE_END, QUOTE, COMMA, SPACE] = [0x0a, 0x22, 0x2c, 0x20];

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= SPACE);

/**
 * A splitter at line ends. With `hasQuotes` a line end inside a quoted cell is part of the cell (RFC 4180, section 2). A
 * quote starts a cell only at its start, so a row with a wrong quote ends where its line ends.
 */
export const newSplitter = (hasQuotes: boolean): Splitter => {
  const findEnd = hasQuotes ? newCellScanner() : newLineScanner();
  let [line, next] = [1, 1];
  let held: Uint8Array[] = [];
  let size = 0;

  const hold = (part: Uint8Array): void => {
    size += part.length;
    // A copy, because the next chunk overwrites this one.
    held = size > MAX_ROW_BYTES ? [] : [...held, Uint8Array.from(part)];
  };

  const takeRow = (part: Uint8Array, openCell?: number): readonly RawRow[] => {
    const bytes = held.length === 0 ? part : Buffer.concat([...held, part]);
    const row = { line, lastLine: next, bytes: size + part.length > MAX_ROW_BYTES ? undefined : bytes, openCell };
    [held, size] = [[], 0];
    return row.bytes !== undefined && isBlank(row.bytes) ? [] : [row];
  };

  return {
    push: (chunk) => {
      const rows: RawRow[] = [];
      let from = 0;
      for (;;) {
        const { end, lines } = findEnd.scan(chunk, from);
        next += lines;
        if (end === -1) break;
        rows.push(...takeRow(chunk.subarray(from, end + 1)));
        next += 1;
        line = next;
        from = end + 1;
      }
      if (from < chunk.length) hold(chunk.subarray(from));
      return rows;
    },
    end: () => (size === 0 ? [] : takeRow(new Uint8Array(), findEnd.openCell())),
  };
};

/** Finds the end of the current row. `lines` counts the line ends inside cells before it. */
type Scanner = {
  readonly scan: (chunk: Uint8Array, from: number) => { readonly end: number; readonly lines: number };
  readonly openCell: () => number | undefined;
};

const newLineScanner = (): Scanner => ({
  scan: (chunk, from) => ({ end: chunk.indexOf(LINE_END, from), lines: 0 }),
  openCell: () => undefined,
});

/** The place of the next byte: the start of a cell, inside one without or with quotes, or after a quote in a quoted one. */
type Place = 'start' | 'plain' | 'quoted' | 'after quote';

const PLACE_AFTER_QUOTE: Readonly<Record<Place, Place>> = {
  start: 'quoted',
  plain: 'plain',
  quoted: 'after quote',
  'after quote': 'quoted',
};

const newCellScanner = (): Scanner => {
  let place: Place = 'start';
  let cell = 0;
  let scanned: Uint8Array | undefined;
  let quote = -1;

  /** The next quote of the chunk, found once for all rows before it. */
  const nextQuote = (chunk: Uint8Array, from: number): number => {
    if (scanned !== chunk || quote < from) {
      const found = chunk.indexOf(QUOTE, from);
      [scanned, quote] = [chunk, found === -1 ? chunk.length : found];
    }
    return quote;
  };

  const endRow = (end: number, lines: number) => {
    [place, cell] = ['start', 0];
    return { end, lines };
  };

  const scanBytes: Scanner['scan'] = (chunk, from) => {
    let lines = 0;
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === QUOTE) place = PLACE_AFTER_QUOTE[place];
      else if (place === 'quoted') lines += byte === LINE_END ? 1 : 0;
      else if (byte === LINE_END) return endRow(at, lines);
      else if (byte === COMMA) [place, cell] = ['start', cell + 1];
      else place = 'plain';
    }
    return { end: -1, lines };
  };

  return {
    scan: (chunk, from) => {
      if (place === 'start' || place === 'plain') {
        // Most rows have no quotes.
        const end = chunk.indexOf(LINE_END, from);
        if (end !== -1 && end < nextQuote(chunk, from)) return endRow(end, 0);
      }
      return scanBytes(chunk, from);
    },
    openCell: () => (place === 'quoted' ? cell : undefined),
  };
};
