import { toAscii } from './ascii.ts';
import { escapeText } from './escape.ts';
import { prefixThatFits, widthOf } from './width.ts';

/*
 * A server can fill a line with blanks up to the edge of the terminal, or start a word at the start of a row. The rest of
 * the text then looks like a line of bursar. So remote text stands on rows of its own, unless its form makes that
 * impossible.
 */

/** Marks around remote text in a sentence, and for a newline in it. Unicode reserves these characters for internal use. */
const [OPEN, CLOSE, LINE] = ['\ufdd0', '\ufdd1', '\ufdd2'];
const MARKED = /\ufdd0([^\ufdd1]*)\ufdd1/g;

/** A longer id does not fit a narrow terminal and would start a row. */
const LONGEST_ID = 36;
/** Addresses and hashes: only characters of hex or base58. */
const CODE = /^(?:0x(?:[0-9a-f]{40}|[0-9a-f]{64})|[1-9A-HJ-NP-Za-km-z]{32,44})$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;
const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?$/;

/** The marks at the start of bursar's lines on a terminal without Unicode. */
const ASCII_MARK = /^(?:ok|NO)$/;

/** Whether the form of a value leaves no room for a sentence: an id, a symbol, a number or a time. */
const isClosedForm = (value: string): boolean =>
  value === '' ||
  TIME.test(value) ||
  DECIMAL.test(value) ||
  (value.length <= LONGEST_ID && isPlainId(value) && !ASCII_MARK.test(value));

/** The columns beside an address or hash on its row. */
const ROW_MARGIN = 6;

/** Whether a marked text may stay in the sentence: it is an address or a hash that fits a row. */
const fitsInSentence = (text: string, columns: number): boolean =>
  CODE.test(text) && text.length + ROW_MARGIN <= columns;

/** Prepares a remote value for a sentence of bursar. A closed form stays as it is; other text is marked and printed below. */
export const inSentence = (value: string): string =>
  isClosedForm(value)
    ? value
    : `${OPEN}${value.replaceAll(/[\ufdd0-\ufdd2]/g, '\ufffd').replaceAll(/\r?\n/g, LINE)}${CLOSE}`;

/** Removes the marks around remote text, for output that is no screen. `line` replaces each newline in that text. */
export const withoutMarks = (text: string, line = '\n'): string =>
  text.replaceAll(/[\ufdd0\ufdd1]/g, '').replaceAll(LINE, () => line);

/** The marks that bursar draws at the start of a row, and characters that look like them. */
const OWN_MARK = /^(?:[✓✔☑✅🗸√✗✘✕✖❌❎☒×?？﹖⁇❓❔❯>›|│┃¦ǀ∣❘｜•]|(?:ok|NO)(?![\p{L}\p{N}]))/u;

const escapedChar = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** Makes blanks visible, except single spaces between words: blanks can move remote text to the place of bursar's text. */
const withBlanksShown = (text: string): string =>
  text.replace(/[^\S ]|\u2800/gu, escapedChar).replace(/^ +| {2,}| +$/g, (blanks) => '·'.repeat(blanks.length));

/** Escapes the first visible character of a row if it looks like a mark of bursar. */
export const withoutMark = (row: string): string => {
  const blanks = /^[·. ]*/.exec(row)?.[0] ?? '';
  const rest = row.slice(blanks.length);
  if (!OWN_MARK.test(rest)) return row;
  const [char = ''] = rest;
  return blanks + escapedChar(char) + rest.slice(char.length);
};

/** Remote text as an entry of a list of choices. */
export const inChoice = (text: string): string => withoutMark(withBlanksShown(escapeText(text)));

/** The layout of rows of remote text. */
export type RowSettings = {
  readonly columns: number;
  /** The start of each row: text of bursar, at least one column wide. */
  readonly margin: string;
  /** The start of the first row; default `margin`. */
  readonly first?: string | undefined;
  readonly unicode?: boolean | undefined;
};

const FEWEST = 8;

/** Splits remote text into rows of a terminal. No row is wider than the terminal, and each starts with the margin. */
export const remoteRows = (text: string, settings: RowSettings): readonly string[] => {
  const { columns, margin, first = margin, unicode = true } = settings;
  const room = Math.max(FEWEST, columns - Math.max(widthOf(first), widthOf(margin)));
  const rows: string[] = [];
  for (const line of text.split(/\r?\n|\ufdd2/)) {
    const shown = withBlanksShown(escapeText(withoutMarks(line)));
    let rest = unicode ? shown : toAscii(shown.replaceAll('·', '.'));
    do {
      // An escaped row can be too wide.
      const whole = withoutMark(rest);
      const row = prefixThatFits(whole, room) || whole;
      rows.push(`${rows.length === 0 ? first : margin}${row}`.trimEnd());
      rest = whole.slice(row.length);
    } while (rest !== '');
  }
  return rows;
};

/** A sentence, and the remote texts that are printed below it. */
export type SeparatedText = { readonly sentence: string; readonly texts: readonly string[] };

/** Replaces each marked text in a sentence by a number. A sentence that is only one marked text becomes empty. */
export const separateRemote = (text: string, columns: number): SeparatedText => {
  if (!text.includes(OPEN)) return { sentence: text, texts: [] };
  const texts: string[] = [];
  const sentence = text.replace(MARKED, (_, inner: string) => {
    if (fitsInSentence(inner, columns)) return inner;
    if (!texts.includes(inner)) texts.push(inner);
    return `(${texts.indexOf(inner) + 1})`;
  });
  // A single text at the end of the sentence needs no number.
  const whole = texts.length === 1 ? sentence.replace(/(^|:)[\s"]*\(1\)[\s".]*$/, '$1') : sentence;
  return { sentence: whole.replaceAll(/"(\(\d+\))"/g, '$1'), texts };
};

/** The rows below a sentence: the separated remote texts, each with its number if the sentence has numbers. */
export const rowsBelow = (
  { sentence, texts }: SeparatedText,
  columns: number,
  indent: string,
  unicode = true,
): readonly string[] =>
  texts.flatMap((text, at) => {
    const number = /\(\d+\)/.test(sentence) ? `(${at + 1}) ` : '';
    const margin = `${indent}${' '.repeat(number.length)}| `;
    return remoteRows(text, { columns, margin, first: `${indent}${number}| `, unicode });
  });

/**
 * Whether an id from a service is plain. Ids go into paths and into commands that users paste: an id must be neither shell
 * syntax nor an option.
 */
export const isPlainId = (id: string): boolean => /^\w[\w.:-]{0,199}$/.test(id);
