import { isNear } from '../../core/closest.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { escapeText } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import {
  assertDeclared,
  type DeclaredFields,
  type RenderedText,
  renderFor,
  renderTsv,
  selectFields,
} from '../../output/render.ts';
import type { Summary } from '../../output/summary.ts';
import type { TableStyle } from '../../output/table.ts';
import type { Globals } from '../argv/command-line.ts';
import type { ParsedArgs } from '../command/options.ts';
import { completeNext, type TypedLine } from './next-command.ts';

/** A list for a terminal. */
export type TerminalList = { readonly rows: unknown; readonly brief: readonly string[] };

/** A list for a pipe. */
export type PipeRows = { readonly rows: unknown; readonly columns: readonly string[] };

/** How a result is shown, if not with all its fields. */
export type View = {
  /** The fields of an entry of a list, so that a wrong --fields fails for an empty list too. */
  readonly entry?: (() => DeclaredFields | undefined) | undefined;
  /** On a terminal: the columns of a list, the most important first. On a narrow terminal the last are left out. */
  readonly brief?: readonly string[] | undefined;
  /** On a terminal: another layout of a list. */
  readonly listed?: (() => TerminalList) | undefined;
  /** In a pipe: the fixed columns of a list, because scripts count them. */
  readonly piped?: (() => PipeRows) | undefined;
  /** On a terminal: the text for an empty list, with the way to create an entry. */
  readonly none?: string | undefined;
  /** On a terminal: one object as a sentence and a few facts; `undefined` if the result has an unexpected shape. */
  readonly summary?: (() => Summary | undefined | Promise<Summary | undefined>) | undefined;
};

/** Prints a result on stdout. `rows` is the part of it for a table; default: all of it. */
export type PrintResult = (value: unknown, rows?: unknown, view?: View) => Promise<void>;

type OutputSelection = { readonly fields: readonly string[] | undefined; readonly jq: string | undefined };

/** The output of --json, or of --jq. */
const documentText = async (value: unknown, { jq }: OutputSelection): Promise<string> =>
  jq === undefined ? `${printJson(value, 2)}\n` : (await import('../../output/jq.ts')).queryLines(value, jq);

const whole = (text: string): RenderedText => ({ text, hidden: [] });

const forTerminal = async (
  typed: TypedLine,
  rows: unknown,
  style: TableStyle,
  { brief = [], listed, summary }: View,
) => {
  const shown = await summary?.();
  if (shown) {
    const next = typeof shown.next === 'object' ? completeNext(typed, shown.next) : shown.next;
    return whole((await import('../../output/summary.ts')).renderSummary({ ...shown, next }, style));
  }
  const list = listed?.() ?? { rows, brief };
  return renderFor(style, list.rows, list.brief);
};

const textWith =
  (typed: TypedLine, { json }: Globals, style: TableStyle | undefined) =>
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

/** The note below a table whose columns do not all fit. */
const hiddenColumnsNote = (hidden: readonly string[]): string =>
  `Hidden columns: ${hidden.join(', ')}. Use a wider terminal, or --json.`;

/**
 * The two printers of results. `printResult` is for a command that changed nothing. `printCommitted` is for a change that
 * has happened. A wrong --fields or --jq, a failed view or a full disk must neither hide the change nor make it a failure.
 */
export const resultPrinters = (
  io: Io,
  typed: TypedLine,
  globals: Globals,
  style: TableStyle | undefined,
  printNote: (line: string) => Promise<void>,
) => {
  const renderText = textWith(typed, globals, style);
  const printHiddenColumns = async ({ hidden }: RenderedText): Promise<void> =>
    hidden.length > 0 ? printNote(hiddenColumnsNote(hidden)) : undefined;
  const printResult: PrintResult = async (value, rows = value, view = {}) => {
    const rendered = await renderText(value, rows, globals, view);
    await io.stdout.write(rendered.text);
    // Without any output the user cannot see whether the command worked.
    const isBlank = style && !globals.json && Array.isArray(rows) && rows.length === 0;
    // An empty text: the command has said it.
    if (isBlank && view.none !== '') await printNote(view.none ?? 'There is nothing to show.');
    await printHiddenColumns(rendered);
  };
  const printCommitted: PrintResult = async (value, rows = value, view = {}) => {
    let rendered: RenderedText;
    try {
      rendered = await renderText(value, rows, globals, view);
    } catch (error) {
      const why = `warning: ${escapeText(messageOf(error))}`;
      await io.stderr.write(`${why}. The command succeeded; this is its full result:\n`);
      rendered = await renderText(value, rows, { fields: undefined, jq: undefined }, {});
    }
    // If both streams fail, the exit code still shows the success.
    await io.stdout.write(rendered.text).catch((error: unknown) => {
      const why = `warning: ${escapeText(messageOf(error))}. The command succeeded; this is its result:\n`;
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
  args: ParsedArgs,
): void => {
  const command = words.join(' ');
  if (envelopeOf.length === 0) throw noEnvelope(command);
  const option = noEnvelopeWith.find((name) => args[name] !== undefined);
  if (option !== undefined) throw noEnvelope(command, `with --${option}`);
};
