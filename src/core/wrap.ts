import { rowsBelow, separateRemote, withoutMarks } from './text.ts';

/** Colour sequences, which take no columns. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts a colour
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

/** A larger width means a pipe or a file: it has no rows, so remote text stays in the sentence. */
const NO_ROWS = 10_000;

/** Continuation rows always have a margin. */
const marginOf = (indent: string): string => (indent === '' ? '  ' : indent);

/**
 * Breaks a text at spaces into lines of at most `columns`; continuation lines are indented. A long word stays whole.
 * Remote text that `inSentence` marked follows on rows of its own.
 */
export const wrap = (text: string, columns: number, indent = '', unicode = true): string => {
  const parted = columns > NO_ROWS ? { sentence: withoutMarks(text, '\\n'), texts: [] } : separateRemote(text, columns);
  const rows = rowsBelow(parted, columns, marginOf(indent), unicode);
  if (parted.sentence === '' && rows.length > 0) return rows.join('\n').trimStart();
  return [wrapWords(parted.sentence, columns, indent), ...rows].join('\n');
};

/** Lines that users copy. They are never broken. */
const IS_COPIED = /^\s*(?:next: |\$ |bursar )/;

/** Wraps lines for a stream: a terminal gets lines of its width, a pipe or file gets them whole. */
export const fitToStream = (
  text: string,
  { isTerminal, columns }: { readonly isTerminal: boolean; readonly columns: number },
): string => {
  if (!isTerminal) return withoutMarks(text, '\\n');
  const fit = (line: string) => (IS_COPIED.test(line) || line.includes('\u001b') ? line : wrap(line, columns, '  '));
  return text.split('\n').map(fit).join('\n');
};
