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
 * A step that is done, as one line: what, the thing it was about, how long it took in milliseconds, and how it came out
 * where that is not well.
 */
export const step = (
  cli: CommandContext,
  what: string,
  detail: string,
  elapsedMs?: number,
  verdict: Verdict = 'pass',
): string => {
  const time = elapsedMs === undefined ? '' : `  ${milliseconds(elapsedMs)}`;
  const sign = `${mark(cli, verdict)} `;
  return sign + fitLine(cli, what.padEnd(10), escapeText(detail), time, cli.talkStyle.unicode ? 2 : 3);
};

/** A state that something is in now: one that is a bad end has no mark of something done. */
export const stateStep = (cli: CommandContext, what: string, state: string, elapsedMs?: number): string =>
  step(cli, what, inSentence(state), elapsedMs, toneOf(state) === 'bad' ? 'refuse' : 'pass');

/** Whether the steps are told as they happen: to a person, and to whoever asks for it. */
export const printsSteps = (cli: CommandContext): boolean =>
  (cli.io.stderr.isTerminal || cli.globals.verbose) && !cli.globals.quiet;

/** A step to tell. `isTrouble` is one that is told always, but when failures are told as JSON. */
export type StepLine = { readonly text: string; readonly isTrouble: boolean };

/**
 * Says each step on stderr. `tell` gets the time since the one before, for steps that do not tell their own. Whoever
 * reads a refusal wants to know why, so trouble is said also where steps are not.
 */
export const stepPrinter = <E>(
  cli: CommandContext,
  lineOf: (event: E, elapsed: number) => StepLine | Promise<StepLine>,
  isAlways = false,
) => {
  const { clock, prompt, stderr } = cli.io;
  // What a person takes over a question or a password is no time of a step.
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

/** What a person is told while nothing else is. */
export const WAITING_LABEL = 'Waiting (Ctrl-C ends the wait alone)';

/**
 * Says a change of state on stderr: with --json as a line of JSON (NDJSON), otherwise as `asText` says it. stdout keeps
 * one document: how many states were seen depends on chance, and a script reads one answer.
 */
export const statePrinter =
  <T>(cli: CommandContext, asDocument: (value: T) => object, asText: (value: T) => Promise<void>) =>
  async (value: T): Promise<void> => {
    const { io, globals } = cli;
    if (!globals.json) return asText(value);
    const at = new Date(io.clock.now()).toISOString();
    if (!globals.quiet) await io.stderr.write(`${printJson({ ...asDocument(value), at })}\n`);
  };

/** Answers with the end of a wait. The last state is an answer too; as JSON it is part of the failure's document. */
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
