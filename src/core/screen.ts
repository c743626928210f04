import { rowsBelow, separateRemote, widthOf, withoutMarks } from './text.ts';

/** Colour sequences, which take no columns. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts a colour
const COLOURS = /\u001b\[[\d;]*m/g;

const lengthOf = (text: string): number => text.replace(COLOURS, '').length;

const columnsOf = (line: string): number => widthOf(line.replace(COLOURS, ''));

/** The number of rows that a line takes on a terminal, at least one. Colours take no columns. */
const rowsOnScreen = (line: string, columns: number): number => Math.max(1, Math.ceil(columnsOf(line) / columns));

/** The rows of a text. A word that is wider than the terminal takes several. */
export const textRows = (text: string, columns: number): number =>
  text.split('\n').reduce((sum, line) => sum + rowsOnScreen(line, columns), 0);

/** Whether a line ends in the last column of a terminal. */
export const isFullRow = (line: string, columns: number): boolean =>
  columnsOf(line) > 0 && columnsOf(line) % columns === 0;

/** A word on a row of its own. A long hash or address gets less indentation, so that it does not continue at the edge. */
const startOfRow = (word: string, columns: number, indent: string): string =>
  indent.slice(0, Math.max(1, columns - lengthOf(word))) + word;

const wrapWords = (text: string, columns: number, indent: string): string => {
  const lines: string[] = [];
  let line = /^ */.exec(text)?.[0] ?? '';
  for (const word of text.trimStart().split(' ')) {
    const longer = line.trim() === '' ? line + word : `${line} ${word}`;
    const isTooWide = lengthOf(longer) > columns && line.trim() !== '';
    if (isTooWide) lines.push(line);
    line = isTooWide ? startOfRow(word, columns, indent) : longer;
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

/** Whether an environment variable is switched on: unset, empty, `0` and `false` are off. */
export const isSwitchedOn = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the user has a screen reader: BURSAR_ACCESSIBLE, or ACCESSIBLE, which other programs read too. */
export const isAccessible = (env: Environment): boolean =>
  isSwitchedOn(env['BURSAR_ACCESSIBLE']) || isSwitchedOn(env['ACCESSIBLE']);

/** Whether bursar may redraw a line of the terminal in place. */
export const canRedraw = (env: Environment): boolean =>
  !isAccessible(env) && !isSwitchedOn(env['CI']) && env['TERM'] !== 'dumb';

/** Whether a VTE version supports links: 0.50.0, the first with links, crashes on them. */
const isNewVte = (version: string | undefined): boolean => /^\d{4,}$/.test(version ?? '') && Number(version) > 5000;

const PROGRAMS = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'zed', 'Hyper', 'rio', 'Tabby'];

const isKnown = (env: Environment): boolean =>
  isNewVte(env['VTE_VERSION']) ||
  PROGRAMS.includes(env['TERM_PROGRAM'] ?? '') ||
  /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|contour)/.test(env['TERM'] ?? '') ||
  [env['WT_SESSION'], env['KONSOLE_VERSION'], env['DOMTERM'], env['KITTY_WINDOW_ID']].some(Boolean);

/**
 * Whether addresses on a stream become links (OSC 8): only on terminals that are known to support them. FORCE_HYPERLINK
 * decides for any other terminal (0: no). NO_COLOR, --no-color and TERM=dumb switch links off.
 */
export const wantsLinks = (env: Environment, stream: { readonly isTerminal: boolean }, noColour: boolean): boolean => {
  if (!stream.isTerminal || env['TERM'] === 'dumb') return false;
  const forced = env['FORCE_HYPERLINK'];
  if (forced) return isSwitchedOn(forced);
  if (noColour || env['NO_COLOR'] || isSwitchedOn(env['CI']) || env['TMUX'] || env['STY']) return false;
  return isKnown(env);
};
