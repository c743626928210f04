import { rowsBelow, separateRemote, withoutMarks } from './remote-text.ts';

/** Colours, which take no place on a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what begins a colour
const COLOURS = /\u001b\[[\d;]*m/g;

const lengthOf = (text: string): number => text.replace(COLOURS, '').length;

const wrapWords = (text: string, columns: number, indent: string): string => {
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

/** A pipe or a file has no rows: what a server says stays where it is. */
const NO_ROWS = 10_000;

/** A margin that shows that a row goes on. */
const marginOf = (indent: string): string => (indent === '' ? '  ' : indent);

/**
 * Breaks a text at spaces so that no line is wider than `columns`; later lines are indented. A long word stays whole. What
 * `inSentence` marked stands below, on rows of its own.
 */
export const wrap = (text: string, columns: number, indent = '', unicode = true): string => {
  const parted = columns > NO_ROWS ? { sentence: withoutMarks(text, '\\n'), texts: [] } : separateRemote(text, columns);
  const rows = rowsBelow(parted, columns, marginOf(indent), unicode);
  if (parted.sentence === '' && rows.length > 0) return rows.join('\n').trimStart();
  return [wrapWords(parted.sentence, columns, indent), ...rows].join('\n');
};

/** What a line is for is copying it: it stays whole. */
const IS_COPIED = /^\s*(?:next: |\$ |bursar )/;

/** Lines of conversation for a stream: on a terminal none is wider than it, where a word is not wider itself. */
export const fitToStream = (
  text: string,
  { isTerminal, columns }: { readonly isTerminal: boolean; readonly columns: number },
): string => {
  if (!isTerminal) return withoutMarks(text, '\\n');
  const fit = (line: string) => (IS_COPIED.test(line) || line.includes('\u001b') ? line : wrap(line, columns, '  '));
  return text.split('\n').map(fit).join('\n');
};
