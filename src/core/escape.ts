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
