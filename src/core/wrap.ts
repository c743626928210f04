/** Colours, which take no place on a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what begins a colour
const COLOURS = /\u001b\[[\d;]*m/g;

const lengthOf = (text: string): number => text.replace(COLOURS, '').length;

/** Breaks a text at spaces so that no line is wider than `columns`; later lines are indented. A long word stays whole. */
export const wrap = (text: string, columns: number, indent = ''): string => {
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? '';
  for (const word of text.trimStart().split(' ')) {
    const longer = line.trim() === '' ? line + word : `${line} ${word}`;
    const isTooWide = lengthOf(longer) > columns && line.trim() !== '';
    if (isTooWide) lines.push(line);
    line = isTooWide ? indent + word : longer;
  }
  return [...lines, line].join('\n');
};

/** What a line is for is copying it: it stays whole. */
const IS_COPIED = /^\s*(?:next: |\$ |bursar )/;

/** Lines of conversation for a stream: on a terminal none is wider than it, where a word is not wider itself. */
export const fitted = (
  text: string,
  { isTerminal, columns }: { readonly isTerminal: boolean; readonly columns: number },
): string => {
  if (!isTerminal) return text;
  const fit = (line: string) => (IS_COPIED.test(line) || line.includes('\u001b') ? line : wrap(line, columns, '  '));
  return text.split('\n').map(fit).join('\n');
};
