import { escapeText } from '../../../core/text.ts';
import type { YieldEvent } from '../../../flows/yield/context.ts';
import { silenceOf, type UnavailableProvider } from '../../../flows/yield/strategies.ts';
import type { CommandContext } from '../../context/context.ts';
import { mark } from '../../print/show-review.ts';
import { reviewedStep, step, stepPrinter } from '../../print/steps.ts';

const eventLine = (cli: CommandContext, event: YieldEvent, elapsed: number): string | Promise<string> => {
  switch (event.kind) {
    case 'built':
      return step(cli, 'built', event.count === 1 ? 'one transaction' : `${event.count} transactions`, event.took);
    case 'reviewed':
      return reviewedStep(cli, event.review, elapsed);
    case 'signed':
      return step(cli, 'signed', event.hash);
    case 'landed':
      return step(cli, 'landed', event.hash, event.took);
    case 'expired':
      return `${mark(cli, 'confirm')} ${escapeText(event.hash)} expired and can never land: it is built anew`;
    case 'earlier_dead':
      return `${mark(cli, 'pass')} ${escapeText(event.hash)} of an earlier run moved nothing and never will`;
    case 'positions':
      return event.positions
        .map(({ provider, position }) => step(cli, 'position', `${position ?? 'not known'} with ${provider}`))
        .join('\n');
    default: {
      const never: never = event;
      return never;
    }
  }
};

/** Prints each step of an operation on stderr. A review with doubts is printed with --quiet too. */
export const printYield = (cli: CommandContext) =>
  stepPrinter(cli, async (event: YieldEvent, elapsed) => ({
    text: await eventLine(cli, event, elapsed),
    isTrouble: event.kind === 'reviewed' && event.review.verdict !== 'pass',
  }));

/** Prints which providers are missing in a result, so that it does not look complete. */
export const printMissingProviders = async (
  print: CommandContext['say' | 'warn'],
  silent: readonly UnavailableProvider[],
): Promise<void> => {
  for (const each of silent) await print(escapeText(`${silenceOf(each)}: what it offers is not in here.`));
};
