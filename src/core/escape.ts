/**
 * What a server says is data. On a terminal some characters act: escape sequences, carriage returns and
 * backspaces overwrite what was shown; C1 controls start sequences too; bidirectional and invisible
 * characters (Unicode: Default_Ignorable_Code_Point) make one text look like another; a lone surrogate is
 * no character at all. Newlines are left to the caller.
 */
const ACTING = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Some CI runners look for ##[command] and ##vso[command] anywhere in a line. */
const RUNNER_COMMAND = /#(?=#\w*\[)/g;

/** Replaces every character, newlines excepted, that would act on a terminal or a CI runner. */
export const replaceActing = (text: string, show: (char: string) => string): string =>
  text.replace(ACTING, show).replace(RUNNER_COMMAND, show);

const show = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;

/** The first character, newlines excepted, that would act on a terminal, written visibly; `undefined` without one. */
export const actingIn = (text: string): string | undefined => {
  const [first] = text.match(ACTING) ?? [];
  return first === undefined ? undefined : show(first);
};

/** Printable ASCII in which nothing acts: nearly every text, and told from the others ten times faster than changed. */
const PLAIN = /^[\x21\x22\x24-\x39\x3b-\x7e][\x20-\x22\x24-\x7e]*$/;

/** Remote text for one line of a terminal, table or log: acting characters and newlines become visible `\u{…}`. */
export const escapeText = (text: string): string =>
  PLAIN.test(text)
    ? text
    : replaceActing(text, show)
        .replaceAll('\n', '\\n')
        // A CI runner takes a line that starts with :: as a command to itself.
        .replace(/^(\s*):(?=:)/, '$1\\u{3a}');

/** Remote text that may have several lines: as `escapeText`, line by line, newlines kept. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeText).join('\n');
