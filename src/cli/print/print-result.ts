import { isNear } from '../../core/closest.ts';
import { escapeText } from '../../core/escape.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import type { Io } from '../../io/io.ts';
import { assertDeclared, type DeclaredFields, selectFields } from '../../output/fields.ts';
import { type RenderedText, renderFor, renderTsv } from '../../output/render.ts';
import type { Summary } from '../../output/summary.ts';
import type { TableStyle } from '../../output/table.ts';
import type { Globals } from '../argv/globals.ts';
import { completeNext, type Typed } from './next-command.ts';

/** A list as a person reads it. */
export type TerminalList = { readonly rows: unknown; readonly brief: readonly string[] };

/** A list as a script reads it. */
export type PipeRows = { readonly rows: unknown; readonly columns: readonly string[] };

/** What is shown of an answer, where that is not all of its fields. */
export type View = {
  /** The fields of an entry of a list: a wrong --fields is told also where the list is empty. */
  readonly entry?: (() => DeclaredFields | undefined) | undefined;
  /** At a terminal: the columns of a list, the most important first. Where there is little room the last are left out. */
  readonly brief?: readonly string[] | undefined;
  /** At a terminal: a list laid out in another way. */
  readonly listed?: (() => TerminalList) | undefined;
  /** In a pipe: the columns of a list, always these, for a script counts them. */
  readonly piped?: (() => PipeRows) | undefined;
  /** At a terminal: what is said of a list that is empty, and how to come by an entry. */
  readonly none?: string | undefined;
  /** At a terminal: one thing as a sentence and a few facts; `undefined` where the answer is not what was expected. */
  readonly summary?: (() => Summary | undefined | Promise<Summary | undefined>) | undefined;
};

/** Prints an answer on stdout. `rows` is what a table shows of it, where that is only a part. */
export type PrintResult = (value: unknown, rows?: unknown, view?: View) => Promise<void>;

type OutputSelection = { readonly fields: readonly string[] | undefined; readonly jq: string | undefined };

/** A document as --json prints it, or what --jq makes of it. */
const documentText = async (value: unknown, { jq }: OutputSelection): Promise<string> =>
  jq === undefined ? `${printJson(value, 2)}\n` : (await import('../../output/jq.ts')).queryLines(value, jq);

const whole = (text: string): RenderedText => ({ text, hidden: [] });

const forTerminal = async (
  typed: Typed,
  rows: unknown,
  style: TableStyle,
  { brief = [], listed, summary }: View,
): Promise<RenderedText> => {
  const shown = await summary?.();
  if (shown) {
    const next = typeof shown.next === 'object' ? completeNext(typed, shown.next) : shown.next;
    return whole((await import('../../output/summary.ts')).renderSummary({ ...shown, next }, style));
  }
  const list = listed?.() ?? { rows, brief };
  return renderFor(style, list.rows, list.brief);
};

const textWith =
  (typed: Typed, { json }: Globals, style: TableStyle | undefined) =>
  async (value: unknown, rows: unknown, selection: OutputSelection, view: View): Promise<RenderedText> => {
    const { fields } = selection;
    const declared = fields && Array.isArray(rows) && rows.length === 0 ? view.entry?.() : undefined;
    if (fields && declared) assertDeclared(fields, declared, isNear);
    const picked = fields && selectFields(json && !Array.isArray(rows) ? value : rows, fields);
    if (json) return whole(await documentText(picked ?? value, selection));
    const piped = picked === undefined ? view.piped?.() : undefined;
    if (!style) return whole(piped ? renderTsv(piped.rows, piped.columns) : renderTsv(picked ?? rows));
    return picked === undefined ? forTerminal(typed, rows, style, view) : renderFor(style, picked);
  };

/** Below a table: what it had no room for, and how to see that. */
const hiddenColumnsNote = (hidden: readonly string[]): string =>
  `Hidden columns: ${hidden.join(', ')}. Use a wider terminal, or --json.`;

/**
 * The two ways to answer. `answer` is for what changed nothing. `report` tells of something that has happened: a
 * wrong --fields or --jq, a view that cannot be made or a full disk behind stdout must not turn it into a failure, or
 * hide it.
 */
export const resultPrinters = (
  io: Io,
  typed: Typed,
  globals: Globals,
  style: TableStyle | undefined,
  say: (line: string) => Promise<void>,
) => {
  const renderText = textWith(typed, globals, style);
  const printHiddenColumns = async ({ hidden }: RenderedText): Promise<void> =>
    hidden.length > 0 ? say(hiddenColumnsNote(hidden)) : undefined;
  const printResult: PrintResult = async (value, rows = value, view = {}) => {
    const rendered = await renderText(value, rows, globals, view);
    await io.stdout.write(rendered.text);
    // A person who sees nothing at all does not know whether it worked.
    const isBlank = style && !globals.json && Array.isArray(rows) && rows.length === 0;
    if (isBlank) await say(view.none ?? 'There is nothing to show.');
    await printHiddenColumns(rendered);
  };
  const printCommitted: PrintResult = async (value, rows = value, view = {}) => {
    let rendered: RenderedText;
    try {
      rendered = await renderText(value, rows, globals, view);
    } catch (error) {
      await io.stderr.write(`warning: ${escapeText(messageOf(error))}; it has happened, and here is all of it\n`);
      rendered = await renderText(value, rows, { fields: undefined, jq: undefined }, {});
    }
    // The exit code says what has happened also where no stream takes it.
    await io.stdout.write(rendered.text).catch((error: unknown) => {
      const why = `warning: ${escapeText(messageOf(error))}; it has happened, and here is the answer\n`;
      return io.stderr.write(why + rendered.text).catch(() => undefined);
    });
    await printHiddenColumns(rendered);
  };
  return { printResult, printCommitted };
};

/** Refuses --envelope: no single call of the service returns this result, and bursar never makes up an envelope. */
export const noEnvelope = (command: string, where = ''): Failure =>
  new Failure('usage', `${[command, where].filter(Boolean).join(' ')} has no envelope of one call to print`, {
    hint: 'Nothing was done. --json prints the result as JSON.',
  });

/** The calls of a command whose envelope --envelope prints, and the options that leave no such call. */
type EnvelopeCalls = {
  readonly words: readonly string[];
  readonly envelopeOf?: readonly unknown[] | undefined;
  readonly noEnvelopeWith?: readonly string[] | undefined;
};

/** Throws `usage` if a command has no call, with these arguments, whose envelope could be printed. */
export const assertEnvelope = (
  { words, envelopeOf = [], noEnvelopeWith = [] }: EnvelopeCalls,
  args: Readonly<Record<string, unknown>>,
): void => {
  const command = words.join(' ');
  if (envelopeOf.length === 0) throw noEnvelope(command);
  const option = noEnvelopeWith.find((name) => args[name] !== undefined);
  if (option !== undefined) throw noEnvelope(command, `with --${option}`);
};
