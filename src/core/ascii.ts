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
