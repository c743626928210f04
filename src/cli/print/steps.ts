import type { Verdict } from '../../chain/review/check.ts';
import { escapeText } from '../../core/escape.ts';
import { inSentence } from '../../core/remote-text.ts';
import type { CommandContext } from '../context/context.ts';
import { toneOf } from '../summaries/tone.ts';
import { fitted, mark } from './show-review.ts';

const milliseconds = (took: number): string =>
  took < 1000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`;

/**
 * A step that is done, as one line: what, the thing it was about, how long it took in milliseconds, and how it came out
 * where that is not well.
 */
export const step = (
  cli: CommandContext,
  what: string,
  detail: string,
  took?: number,
  verdict: Verdict = 'pass',
): string => {
  const time = took === undefined ? '' : `  ${milliseconds(took)}`;
  const sign = `${mark(cli, verdict)} `;
  return sign + fitted(cli, what.padEnd(10), escapeText(detail), time, cli.talkStyle.unicode ? 2 : 3);
};

/** A state that something is in now: one that is a bad end has no mark of something done. */
export const stateStep = (cli: CommandContext, what: string, state: string, took?: number): string =>
  step(cli, what, inSentence(state), took, toneOf(state) === 'bad' ? 'refuse' : 'pass');

/** Whether the steps are told as they happen: to a person, and to whoever asks for it. */
export const printsSteps = (cli: CommandContext): boolean =>
  (cli.io.stderr.isTerminal || cli.globals.verbose) && !cli.globals.quiet;

/** A step to tell. `isTrouble` is one that is told always, but when failures are told as JSON. */
export type StepLine = { readonly text: string; readonly isTrouble: boolean };

/**
 * Says each step on stderr. `tell` gets the time since the one before, for steps that do not tell their own. Whoever
 * reads a refusal wants to know why, so trouble is said also where steps are not.
 */
export const sayingSteps = <E>(
  cli: CommandContext,
  tell: (event: E, elapsed: number) => StepLine | Promise<StepLine>,
  isAlways = false,
) => {
  const { clock, prompt, stderr } = cli.io;
  // What a person takes over a question or a password is no time of a step.
  const now = () => clock.monotonic() - prompt.waited();
  let last = now();
  return async (event: E): Promise<void> => {
    const elapsed = now() - last;
    last += elapsed;
    const { text, isTrouble } = await tell(event, elapsed);
    const isTold = printsSteps(cli) || (isTrouble && !cli.globals.json) || (isAlways && !cli.globals.quiet);
    if (isTold) await stderr.write(`${text}\n`);
  };
};
