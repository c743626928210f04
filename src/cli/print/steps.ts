import type { Verdict } from '../../chain/review/check.ts';
import { escapeText } from '../../core/escape.ts';
import { type FailureCode, isFailure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { inSentence } from '../../core/remote-text.ts';
import { toneOf } from '../../output/summary.ts';
import type { CommandContext } from '../context/context.ts';
import type { View } from './print-result.ts';
import { fitLine, mark } from './show-review.ts';

const milliseconds = (elapsedMs: number): string =>
  elapsedMs < 1000 ? `${Math.round(elapsedMs)} ms` : `${(elapsedMs / 1000).toFixed(1)} s`;

/**
 * The line of a finished step: its name, a detail, its time in milliseconds, and the sign of its verdict.
 */
export const step = (
  cli: CommandContext,
  name: string,
  detail: string,
  elapsedMs?: number,
  verdict: Verdict = 'pass',
): string => {
  const time = elapsedMs === undefined ? '' : `  ${milliseconds(elapsedMs)}`;
  const sign = `${mark(cli, verdict)} `;
  return sign + fitLine(cli, name.padEnd(10), escapeText(detail), time, cli.talkStyle.unicode ? 2 : 3);
};

/** The line of a new state. A state that ends badly has the sign of a refusal. */
export const stateStep = (cli: CommandContext, name: string, state: string, elapsedMs?: number): string =>
  step(cli, name, inSentence(state), elapsedMs, toneOf(state) === 'bad' ? 'refuse' : 'pass');

/** Whether steps are printed: on a terminal or with --verbose, and not with --quiet. */
export const printsSteps = (cli: CommandContext): boolean =>
  (cli.io.stderr.isTerminal || cli.globals.verbose) && !cli.globals.quiet;

/** The line of a step. A line with `isTrouble` is always printed, except with --json. */
export type StepLine = { readonly text: string; readonly isTrouble: boolean };

/**
 * Returns a function that prints each step on stderr. `lineOf` gets the time since the previous step. Trouble is printed
 * even if steps are not, because it explains a refusal.
 */
export const stepPrinter = <E>(
  cli: CommandContext,
  lineOf: (event: E, elapsed: number) => StepLine | Promise<StepLine>,
  isAlways = false,
) => {
  const { clock, prompt, stderr } = cli.io;
  // The time that the user spends in a prompt does not count.
  const now = () => clock.monotonic() - prompt.waitedMs();
  let last = now();
  return async (event: E): Promise<void> => {
    const elapsed = now() - last;
    last += elapsed;
    const { text, isTrouble } = await lineOf(event, elapsed);
    const isPrinted = printsSteps(cli) || (isTrouble && !cli.globals.json) || (isAlways && !cli.globals.quiet);
    if (isPrinted) await stderr.write(`${text}\n`);
  };
};

/** The label of the spinner during a wait. */
export const WAITING_LABEL = 'Waiting (Ctrl-C stops only the wait)';

/**
 * Returns a function that prints each new state on stderr: with --json as a line of JSON (NDJSON), otherwise by `asText`.
 * stdout keeps one document, because the number of states varies between runs.
 */
export const statePrinter =
  <T>(cli: CommandContext, asDocument: (value: T) => object, asText: (value: T) => Promise<void>) =>
  async (value: T): Promise<void> => {
    const { io, globals } = cli;
    if (!globals.json) return asText(value);
    const at = new Date(io.clock.now()).toISOString();
    if (!globals.quiet) await io.stderr.write(`${printJson({ ...asDocument(value), at })}\n`);
  };

/** Prints the result of a wait. If the wait fails, prints the last state; with --json the failure's document has it. */
export const printWaitResult = async (
  cli: CommandContext,
  work: Promise<unknown>,
  summaryOf: (value: unknown) => ReturnType<NonNullable<View['summary']>>,
  ...ends: readonly FailureCode[]
): Promise<void> => {
  const print = (value: unknown) => cli.printResult(value, value, { summary: () => summaryOf(value) });
  try {
    await print(await work);
  } catch (error) {
    const isEnd = isFailure(error) && ends.includes(error.code) && error.details.data !== undefined;
    if (isEnd && !cli.globals.failsAsJson) await print(error.details.data);
    throw error;
  }
};
