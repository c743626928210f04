import type { ChallengeReview } from '../../../chain/challenge/review.ts';
import { inSentence, remoteRows } from '../../../core/remote-text.ts';
import type { ProofEvent } from '../../../flows/kyc/prove.ts';
import type { CommandContext } from '../../context/context.ts';
import { checkLines } from '../../print/show-review.ts';
import { sayingSteps, step } from '../../print/steps.ts';

/** The very text that is signed, and what was looked at. */
const challengeLines = (cli: CommandContext, { message, checks }: ChallengeReview): string => {
  const { columns, unicode } = cli.talkStyle;
  const text = remoteRows(message, { columns, margin: '  | ', unicode });
  return `${text.join('\n')}\n${checkLines(cli, checks)}`.trimEnd();
};

const eventLine = (cli: CommandContext, event: ProofEvent, elapsed: number): string => {
  switch (event.kind) {
    case 'challenged':
      return step(cli, 'challenged', inSentence(event.wallet), elapsed);
    case 'reviewed': {
      const { checks, verdict } = event.review;
      return `${step(cli, 'reviewed', `${checks.length} checks`, elapsed, verdict)}\n${challengeLines(cli, event.review)}`;
    }
    case 'signed':
      return step(cli, 'signed', event.signature, elapsed);
    case 'prepared':
      return step(cli, 'prepared', inSentence(event.status), elapsed);
    default: {
      const never: never = event;
      return never;
    }
  }
};

/** Says each step of a proof on stderr; a review that is not fine is said always. */
export const sayProof = (cli: CommandContext) =>
  sayingSteps(cli, (event: ProofEvent, elapsed) => ({
    text: eventLine(cli, event, elapsed),
    isTrouble: event.kind === 'reviewed' && event.review.verdict !== 'pass',
  }));
