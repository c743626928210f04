import { escapeText } from '../../../core/escape.ts';
import type { PayEvent } from '../../../flows/pay/context.ts';
import type { Cli } from '../../cli.ts';
import { fitted, mark, reviewLines } from '../../show-review.ts';

const milliseconds = (took: number): string =>
  took < 1000 ? `${Math.round(took)} ms` : `${(took / 1000).toFixed(1)} s`;

const step = (cli: Cli, what: string, detail: string, took?: number): string => {
  const time = took === undefined ? '' : `  ${milliseconds(took)}`;
  return `${mark(cli, 'fine')} ${fitted(cli, what.padEnd(10), escapeText(detail), time)}`;
};

/** `elapsed` is the time since the event before, for steps that do not tell their own. */
const eventLine = (cli: Cli, event: PayEvent, elapsed: number): string => {
  switch (event.kind) {
    case 'registered':
      return step(cli, 'registered', event.payment_id, event.took);
    case 'created':
      return step(cli, 'created', 'unsigned transaction', event.took);
    case 'reviewed':
      return `${step(cli, 'reviewed', `${event.review.checks.length} checks`, elapsed)}\n${reviewLines(cli, event.review)}`.trimEnd();
    case 'signed':
      return step(cli, 'signed', event.hash, event.took);
    case 'executed':
      return step(cli, 'executed', event.status, event.took);
    case 'read_back':
      return `${mark(cli, 'needs_word')} the answer was unclear; read back: ${escapeText(event.status)}`;
    case 'state':
      return step(cli, 'payment', event.status, elapsed);
    default: {
      const never: never = event;
      return never;
    }
  }
};

/** Whether the steps are told as they happen: to a person, and to whoever asks for it. */
export const tellsSteps = (cli: Cli): boolean =>
  (cli.io.stderr.isTerminal || cli.globals.verbose) && !cli.globals.quiet;

/**
 * Says each step on stderr. A review that is not fine is said always, but when failures are told as JSON: whoever
 * reads the refusal wants to know why.
 */
export const sayEvents = (cli: Cli, isAlways = false) => {
  const { clock, stderr } = cli.io;
  let last = clock.monotonic();
  return async (event: PayEvent): Promise<void> => {
    const elapsed = clock.monotonic() - last;
    last += elapsed;
    const isTrouble = event.kind === 'reviewed' && event.review.verdict !== 'fine' && !cli.globals.json;
    const isTold = tellsSteps(cli) || isTrouble || (isAlways && !cli.globals.quiet);
    if (isTold) await stderr.write(`${eventLine(cli, event, elapsed)}\n`);
  };
};
