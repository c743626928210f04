/** How what bursar itself draws reads without Unicode. */
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

/** Text for a terminal whose locale has no Unicode: ASCII alone. What has no likeness in it is written `\u{…}`. */
export const toAscii = (text: string): string =>
  text.replace(BEYOND, (char) => DRAWN[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);

/** Whether the locale of an environment is one of Unicode: LC_ALL, LC_CTYPE and LANG, as POSIX orders them. */
export const isUnicodeLocale = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '');
