/** Characters that take two columns of a terminal: East Asian Width W and F (UAX 11), and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;

/** Combining marks, which take no column. */
const MARK = /\p{M}/u;

const ASCII = /^[\x20-\x7e]*$/;

const widthOfChar = (char: string): number => {
  if (MARK.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
};

/** The number of terminal columns that a text takes. */
export const widthOf = (text: string): number =>
  ASCII.test(text) ? text.length : Array.from(text).reduce((sum, char) => sum + widthOfChar(char), 0);

/** The longest prefix of a text that fits the columns. */
export const prefixThatFits = (text: string, columns: number): string => {
  let [kept, room] = ['', columns];
  for (const char of text) {
    room -= widthOfChar(char);
    if (room < 0) return kept;
    kept += char;
  }
  return kept;
};

/** Splits a text into parts that each fit the columns. */
export const splitToWidth = (text: string, columns: number): readonly string[] => {
  const parts: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const part = prefixThatFits(rest, Math.max(2, columns));
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts;
};

/** The ASCII form of each sign that bursar draws. */
const DRAWN: Readonly<Record<string, string>> = {
  '…': '...',
  '✓': 'ok',
  '✗': 'NO',
  '→': '->',
  '←': '<-',
  '·': '*',
  '•': '*',
  '—': '-',
  '–': '-',
  '─': '-',
  '│': '|',
  '█': '#',
  '≈': '~',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
};

const BEYOND = /\P{ASCII}/gu;

/** Text for a terminal without Unicode: ASCII only. A character without an ASCII form becomes `\u{…}`. */
export const toAscii = (text: string): string =>
  text.replace(BEYOND, (char) => DRAWN[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);

/** Whether the locale of an environment has Unicode: LC_ALL, then LC_CTYPE, then LANG, as POSIX orders them. */
export const isUnicodeLocale = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');

/**
 * Characters of remote text that control a terminal. Escape sequences, carriage returns and backspaces overwrite
 * shown text; C1 controls start sequences too. Bidirectional and invisible characters (Unicode:
 * Default_Ignorable_Code_Point) make one text look like another. A lone surrogate is no character.
 * Newlines are left to the caller.
 */
const ACTING = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Some CI runners execute ##[command] and ##vso[command] anywhere in a line. */
const RUNNER_COMMAND = /#(?=#\w*\[)/g;

/** Replaces every character, except newlines, that would control a terminal or a CI runner. */
export const replaceActing = (text: string, show: (char: string) => string): string =>
  text.replace(ACTING, show).replace(RUNNER_COMMAND, show);

const show = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** The first control character of a text, except newlines, as visible `\u{…}`; `undefined` if it has none. */
export const actingIn = (text: string): string | undefined => {
  const [first] = text.match(ACTING) ?? [];
  return first === undefined ? undefined : show(first);
};

/** Harmless printable ASCII. Nearly every text matches, and this test is ten times faster than the replacement. */
const PLAIN = /^[\x21\x22\x24-\x39\x3b-\x7e][\x20-\x22\x24-\x7e]*$/;

/** Remote text for one line of a terminal, table or log: control characters and newlines become visible. */
export const escapeText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : replaceActing(text, show)
        .replaceAll('\n', '\\n')
        // A CI runner executes a line that starts with :: as a command.
        .replace(/^(\s*):(?=:)/, '$1\\u{3a}');

/** Remote text with several lines: escapes each line as `escapeText` does and keeps the newlines. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeText).join('\n');

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

/** Makes blanks visible, except single spaces between words: blanks can move remote text to the place of bursar's text. */
const withBlanksShown = (text: string): string =>
  text.replace(/[^\S ]|\u2800/gu, show).replace(/^ +| {2,}| +$/g, (blanks) => '·'.repeat(blanks.length));

/** Escapes the first visible character of a row if it looks like a mark of bursar. */
export const withoutMark = (row: string): string => {
  const blanks = /^[·. ]*/.exec(row)?.[0] ?? '';
  const rest = row.slice(blanks.length);
  if (!OWN_MARK.test(rest)) return row;
  const [char = ''] = rest;
  return blanks + show(char) + rest.slice(char.length);
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

/** Whether two texts are equal apart from upper and lower case. */
export const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Whether two addresses are equal. The case of an EVM address is only a checksum; base58 is case-sensitive. */
export const isSameAddress = (a: string, b: string): boolean => a === b || (a.startsWith('0x') && isSameText(a, b));

/** A text with its first letter in upper case. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
