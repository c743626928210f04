import type { Kind } from '../../../contract/chains.ts';
import { inSentence } from '../../../core/remote-text.ts';
import type { KycEvent } from '../../../flows/kyc/context.ts';
import type { Verification } from '../../../flows/kyc/status.ts';
import type { CommandContext } from '../../context/context.ts';
import { stateStep, step, stepPrinter } from '../../print/steps.ts';

const eventLine = (cli: CommandContext, event: KycEvent, elapsed: number): string => {
  switch (event.kind) {
    case 'found':
      return stateStep(cli, 'kyc', event.verification.status, elapsed);
    case 'prepared':
      return step(cli, 'prepared', inSentence(event.status), elapsed);
    case 'code_sent':
      return step(cli, 'code sent', event.email, elapsed);
    case 'email_proven':
      return step(cli, 'proven', event.email);
    case 'session':
      return step(cli, 'session', inSentence(event.verification.session_id ?? event.verification.status), elapsed);
    default: {
      const never: never = event;
      return never;
    }
  }
};

/** Prints each new state of a verification on stderr. */
export const sayVerification = (cli: CommandContext) =>
  stepPrinter(cli, ({ status }: Verification, elapsed) => ({
    text: stateStep(cli, 'kyc', status, elapsed),
    isTrouble: false,
  }));

/** Prints each step of `kyc start` on stderr. */
export const sayKyc = (cli: CommandContext, kind: Kind) => {
  const say = stepPrinter(cli, (event: KycEvent, elapsed) => ({
    text: eventLine(cli, event, elapsed),
    isTrouble: false,
  }));
  return async (event: KycEvent): Promise<void> => {
    await say(event);
    if (event.kind !== 'code_sent' || kind !== 'sandbox' || !cli.io.prompt.isPossible) return;
    await cli.say('The sandbox keeps the e-mail on this machine:');
    await cli.say(`  bursar sandbox inbox ${event.email}`);
  };
};
