import { escapeText, inSentence } from '../../../core/text.ts';
import { wrap } from '../../../core/wrap.ts';
import type { PayEvent } from '../../../flows/pay/context.ts';
import type { CommandContext } from '../../context/context.ts';
import { mark } from '../../print/show-review.ts';
import { reviewedStep, stateStep, step, stepPrinter } from '../../print/steps.ts';

/** The line of an event. `elapsed` is the time since the event before, for events without their own duration. */
const eventLine = async (cli: CommandContext, event: PayEvent, elapsed: number): Promise<string> => {
  switch (event.kind) {
    case 'registered':
      return step(cli, 'registered', inSentence(event.payment_id), event.took);
    case 'created':
      return step(cli, 'created', 'unsigned transaction', event.took);
    case 'charged':
      return step(cli, 'created', 'charge', event.took);
    case 'payable':
      return (await import('./show-pix.ts')).pixInWords(cli, event);
    case 'reviewed':
      return reviewedStep(cli, event.review, elapsed);
    case 'signed':
      return step(cli, 'signed', event.hash, event.took);
    case 'executed':
      return step(cli, 'executed', inSentence(event.status), event.took);
    case 'read_back':
      if (!event.isLost) return step(cli, 'read back', inSentence(event.status), elapsed);
      return `${mark(cli, 'confirm')} ${wrap(escapeText(`the answer was unclear; read back: ${inSentence(event.status)}`), cli.talkStyle.columns - 4, '    ', cli.talkStyle.unicode)}`;
    case 'state':
      return stateStep(cli, 'payment', event.status, elapsed);
    default: {
      const never: never = event;
      return never;
    }
  }
};

/** Prints each step of a payment on stderr. A review with doubts is printed with --quiet too. */
export const printPaymentEvents = (cli: CommandContext, isAlways = false) =>
  stepPrinter(
    cli,
    async (event: PayEvent, elapsed) => ({
      text: await eventLine(cli, event, elapsed),
      // The payer needs the code of a Pix, also with --quiet.
      isTrouble: event.kind === 'payable' || (event.kind === 'reviewed' && event.review.verdict !== 'pass'),
    }),
    isAlways,
  );
