import { escapeText } from '../../../core/escape.ts';
import type { PayEvent } from '../../../flows/pay/context.ts';
import type { Cli } from '../../cli.ts';
import { reviewedStep } from '../../reviewed-step.ts';
import { mark } from '../../show-review.ts';
import { sayingSteps, step } from '../../steps.ts';

/** `elapsed` is the time since the event before, for steps that do not tell their own. */
const eventLine = (cli: Cli, event: PayEvent, elapsed: number): string | Promise<string> => {
  switch (event.kind) {
    case 'registered':
      return step(cli, 'registered', event.payment_id, event.took);
    case 'created':
      return step(cli, 'created', 'unsigned transaction', event.took);
    case 'reviewed':
      return reviewedStep(cli, event.review, elapsed);
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

/** Says each step of a payment on stderr; a review that is not fine is said always. */
export const sayEvents = (cli: Cli, isAlways = false) =>
  sayingSteps(
    cli,
    async (event: PayEvent, elapsed) => ({
      text: await eventLine(cli, event, elapsed),
      isTrouble: event.kind === 'reviewed' && event.review.verdict !== 'fine',
    }),
    isAlways,
  );
