import { toAscii } from './ascii.ts';
import { escapeText } from './escape.ts';
import { prefixThatFits, widthOf } from './width.ts';

/*
 * A server may fill a line with blanks up to the edge of the terminal, or begin a word where a row begins: what follows then
 * looks like a line of bursar's own. So what a server says stands on rows of its own, unless its form leaves no room for that.
 */

/** Around text of a server within a sentence of ours. Unicode keeps these two for the use inside a program. */
const [OPEN, CLOSE, LINE] = ['\ufdd0', '\ufdd1', '\ufdd2'];
const MARKED = /\ufdd0([^\ufdd1]*)\ufdd1/g;

/** Ids that are longer do not fit a narrow terminal, and would begin a row of it. */
const LONGEST_ID = 36;
/** Addresses and hashes, which have a letter or digit of their code at each place. */
const CODE = /^(?:0x(?:[0-9a-f]{40}|[0-9a-f]{64})|[1-9A-HJ-NP-Za-km-z]{32,44})$/i;
const TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/;
const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?$/;

/** What bursar's own lines begin with where there is no Unicode. */
const ASCII_MARK = /^(?:ok|NO)$/;

/** Whether a value can say nothing: an address, a hash, an id, a symbol, a number or a time. */
const isClosedForm = (value: string): boolean =>
  value === '' ||
  TIME.test(value) ||
  DECIMAL.test(value) ||
  (value.length <= LONGEST_ID && isPlainId(value) && !ASCII_MARK.test(value));

/** What a code takes beside it on a row. */
const ROW_MARGIN = 6;

/** Whether a marked text is an address or a hash that fits a row: it may stay in the sentence. */
const fitsInSentence = (text: string, columns: number): boolean =>
  CODE.test(text) && text.length + ROW_MARGIN <= columns;

/** A value of a server for a sentence of ours: of a closed form as it is, all other text marked to stand below the sentence. */
export const inSentence = (value: string): string =>
  isClosedForm(value)
    ? value
    : `${OPEN}${value.replaceAll(/[\ufdd0-\ufdd2]/g, '\ufffd').replaceAll(/\r?\n/g, LINE)}${CLOSE}`;

/** A sentence without the marks around what a server says, for what is no screen. `line` stands for a newline in it. */
export const withoutMarks = (text: string, line = '\n'): string =>
  text.replaceAll(/[\ufdd0\ufdd1]/g, '').replaceAll(LINE, () => line);

/** What bursar draws, and what looks like it, at the beginning of a row. */
const OWN_MARK = /^(?:[✓✔☑✅🗸√✗✘✕✖❌❎☒×?？﹖⁇❓❔❯>›|│┃¦ǀ∣❘｜•]|(?:ok|NO)(?![\p{L}\p{N}]))/u;

const escapedChar = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** Every blank but a single space between words is seen: blanks move text to where it looks like another's. */
const withBlanksShown = (text: string): string =>
  text.replace(/[^\S ]|\u2800/gu, escapedChar).replace(/^ +| {2,}| +$/g, (blanks) => '·'.repeat(blanks.length));

/** A row whose first visible character is none of our marks: one that is there is written as its number. */
export const withoutMark = (row: string): string => {
  const blanks = /^[·. ]*/.exec(row)?.[0] ?? '';
  const rest = row.slice(blanks.length);
  if (!OWN_MARK.test(rest)) return row;
  const [char = ''] = rest;
  return blanks + escapedChar(char) + rest.slice(char.length);
};

/** Text of a server as the name of a choice, which stands behind a sign of the list. */
export const inChoice = (text: string): string => withoutMark(withBlanksShown(escapeText(text)));

/** Where rows of text of a server stand. */
export type RowSettings = {
  readonly columns: number;
  /** What each row begins with: ours, and at least a blank wide. */
  readonly margin: string;
  /** What the first row begins with instead. */
  readonly first?: string | undefined;
  readonly unicode?: boolean | undefined;
};

const FEWEST = 8;

/** Text of a server as rows of a terminal, all of it: none is wider than the terminal, and each begins with the margin. */
export const remoteRows = (text: string, settings: RowSettings): readonly string[] => {
  const { columns, margin, first = margin, unicode = true } = settings;
  const room = Math.max(FEWEST, columns - Math.max(widthOf(first), widthOf(margin)));
  const rows: string[] = [];
  for (const line of text.split(/\r?\n|\ufdd2/)) {
    const shown = withBlanksShown(escapeText(withoutMarks(line)));
    let rest = unicode ? shown : toAscii(shown.replaceAll('·', '.'));
    do {
      // Escaped, it may no longer fit.
      const whole = withoutMark(rest);
      const row = prefixThatFits(whole, room) || whole;
      rows.push(`${rows.length === 0 ? first : margin}${row}`.trimEnd());
      rest = whole.slice(row.length);
    } while (rest !== '');
  }
  return rows;
};

/** A sentence, and the texts of servers that stand below it. */
export type SeparatedText = { readonly sentence: string; readonly texts: readonly string[] };

/** Takes the marked texts out of a sentence: a number stands for each. One that is nothing else is left empty. */
export const separateRemote = (text: string, columns: number): SeparatedText => {
  if (!text.includes(OPEN)) return { sentence: text, texts: [] };
  const texts: string[] = [];
  const sentence = text.replace(MARKED, (_, inner: string) => {
    if (fitsInSentence(inner, columns)) return inner;
    if (!texts.includes(inner)) texts.push(inner);
    return `(${texts.indexOf(inner) + 1})`;
  });
  // One that ends the sentence needs no number.
  const whole = texts.length === 1 ? sentence.replace(/(^|:)[\s"]*\(1\)[\s".]*$/, '$1') : sentence;
  return { sentence: whole.replaceAll(/"(\(\d+\))"/g, '$1'), texts };
};

/** The rows of the texts that were taken out of a sentence, below it, each with its number where there is a sentence. */
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
 * Whether an id that a service gave is one: it goes into paths and into commands that a person copies, where it must not do
 * anything, nor be an option.
 */
export const isPlainId = (id: string): boolean => /^\w[\w.:-]{0,199}$/.test(id);
