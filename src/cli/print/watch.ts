import { Failure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { canRedraw, fitToStream, isFullRow, textRows, wrap } from '../../core/screen.ts';
import { escapeText } from '../../core/text.ts';
import type { Output } from '../../io/io.ts';
import { renderTsv, selectFields } from '../../output/render.ts';
import type { TableStyle } from '../../output/table.ts';
import type { CommandContext } from '../command/command.ts';
import { type ParsedArgs, stringArg } from '../command/options.ts';

/** Faster reads only add load. */
const MIN_INTERVAL_S = 0.2;

const intervalMs = (given: ParsedArgs, interval: string): number => {
  const text = stringArg(given, 'every') ?? interval;
  const seconds = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && seconds >= MIN_INTERVAL_S && seconds <= 86_400) return seconds * 1000;
  throw new Failure('usage', `--every: "${text}" is not a number of seconds from ${MIN_INTERVAL_S} to 86400`);
};

/** Whether --timeout ends the watch. */
export const isLimited = (given: ParsedArgs): boolean => stringArg(given, 'timeout') !== undefined;

/** Reads and shows once. `left` are the milliseconds until --timeout. */
type Step = (left: () => number) => Promise<'next' | 'end'>;

/** Repeats a step until it ends, or until the user, the reader of stdout, or --timeout ends it. */
export const repeatStep = async (
  cli: CommandContext,
  given: ParsedArgs,
  interval: string,
  step: Step,
): Promise<void> => {
  const { clock, stdout, interrupted } = cli.io;
  const pause = intervalMs(given, interval);
  const left = () => (isLimited(given) ? cli.deadline - clock.monotonic() : Number.MAX_SAFE_INTEGER);
  while ((await step(left)) === 'next' && left() > pause && !stdout.isClosed()) await clock.sleep(pause, interrupted);
};

/** Whether a watch updates the terminal in place. */
export const drawsInPlace = ({ io, globals }: CommandContext): boolean =>
  io.stdout.isTerminal && !globals.json && canRedraw(io.env);

/** A document as a line of JSON, with --jq and the `fields` that are wanted. */
export const documentLine = async (
  { globals: { jq } }: CommandContext,
  document: unknown,
  fields: readonly string[] | undefined,
): Promise<string> => {
  const picked = fields ? selectFields(document, fields) : document;
  return jq === undefined ? `${printJson(picked)}\n` : (await import('../../output/jq.ts')).queryLines(picked, jq);
};

/** One thing that a watch follows. It has changed if `state` differs from its last one. */
type Entry = {
  readonly key: string;
  readonly state: unknown;
  readonly document: object;
  /** Its line on a terminal that cannot redraw. */
  readonly line: string;
};

/** Reads a value repeatedly. A terminal shows the `screen`; a pipe gets a line for each changed entry. */
export type WatchView<T> = {
  readonly read: () => Promise<T>;
  readonly screen: (value: T, style: TableStyle) => string | Promise<string>;
  readonly entries: (value: T) => readonly Entry[];
  /** Where the value comes from, if that is not the service. */
  readonly source?: string;
  /** Whether nothing changes any more, so that the watch ends. */
  readonly isDone?: (value: T) => boolean;
};

const ERASE_LINE = '\u001b[K';
const ERASE_BELOW = '\u001b[J';

/**
 * A terminal whose last rows are drawn again. The cursor stays visible, after the last character. Rows are erased one by
 * one: a terminal that erases a whole screen may move its text into the history.
 */
const openScreen = (stdout: Output) => {
  let drawn: readonly string[] = [];
  /** An erase after a line of full width would erase its last character. */
  const overwriting = (line: string): string =>
    `${ERASE_LINE}${line}${isFullRow(line, stdout.columns) ? '' : ERASE_LINE}`;
  const rowsOf = (lines: readonly string[]) => (lines.length === 0 ? 0 : textRows(lines.join('\n'), stdout.columns));
  /** The lines that fit the height of the terminal. */
  const fitting = (lines: readonly string[]): readonly string[] => {
    if (rowsOf(lines) <= stdout.rows) return lines;
    const last = lines.at(-1) ?? '';
    let kept = lines.slice(0, -1);
    while (kept.length > 0 && rowsOf([...kept, last]) > stdout.rows - 1) kept = kept.slice(0, -1);
    return [...kept, `${lines.length - 1 - kept.length} more lines do not fit.`, last];
  };
  return {
    draw: async (text: string): Promise<void> => {
      const lines = fitting(text.split('\n'));
      const up = rowsOf(drawn) - 1;
      const back = drawn.length === 0 ? '' : `\r${up > 0 ? `\u001b[${up}A` : ''}`;
      const last = `${ERASE_BELOW}${lines.at(-1) ?? ''}`;
      await stdout.write(back + [...lines.slice(0, -1).map(overwriting), last].join('\n'));
      drawn = lines;
    },
    end: async (): Promise<void> => (drawn.length > 0 ? stdout.write('\n') : undefined),
  };
};

const lineOf = async (cli: CommandContext, { document, line }: Entry): Promise<string> => {
  const { io, globals } = cli;
  if (!io.stdout.isTerminal || globals.json) return documentLine(cli, document, globals.fields);
  if (globals.fields) return renderTsv([selectFields(document, globals.fields)]);
  const time = new Date(io.clock.now()).toISOString().slice(11, 19);
  return `${fitToStream(`${time} ${escapeText(line)}`, io.stdout)}\n`;
};

/** Repeats a read and shows what changes, until the user, the reader of stdout, or --timeout ends it. */
export const watchValue = async <T>(
  cli: CommandContext,
  given: ParsedArgs,
  interval: string,
  { read, screen, entries, source, isDone }: WatchView<T>,
): Promise<void> => {
  const { io, talkStyle } = cli;
  const states = new Map<string, string>();
  const terminal = openScreen(io.stdout);
  const draw = async (value: T) => {
    const shown = await screen(value, { ...talkStyle, columns: io.stdout.columns, links: false });
    const time = new Date(io.clock.now()).toISOString().slice(11, 19);
    const from = source === undefined ? '' : ` from ${source}`;
    const last = wrap(`Updated ${time} UTC${from}. Ctrl-C to quit.`, io.stdout.columns);
    await terminal.draw(`${shown.trimEnd()}\n${last}`);
  };
  const printChanges = async (value: T) => {
    for (const entry of entries(value)) {
      const state = printJson(entry.state);
      if (states.get(entry.key) === state) continue;
      states.set(entry.key, state);
      await io.stdout.write(await lineOf(cli, entry));
    }
  };
  const show = drawsInPlace(cli) ? draw : printChanges;
  try {
    await repeatStep(cli, given, interval, async () => {
      const value = await read();
      await show(value);
      return isDone?.(value) ? 'end' : 'next';
    });
  } finally {
    await terminal.end();
  }
};
