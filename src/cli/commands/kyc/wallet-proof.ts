import type { ChallengeReview } from '../../../chain/message/challenge.ts';
import { type Client, checkInput } from '../../../client/call.ts';
import { prepareWallet } from '../../../contract/kyc/prepare-wallet.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence, remoteRows } from '../../../core/text.ts';
import { type ProofEvent, type ProofRequest, proveWallet, type WithPrivateKey } from '../../../flows/kyc/prove.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { withKey } from '../../operations/signing-key.ts';
import { checkLines } from '../../print/show-review.ts';
import { step, stepPrinter } from '../../print/steps.ts';
import { gateOf } from '../../profiles/gate.ts';
import { askAboutDoubts } from '../../prompt/confirming.ts';

const QUESTION = 'Some checks need your confirmation. Sign this challenge?';

/** The proof of the wallet of a key, of either chain family. Throws `invalid_input` for a bad e-mail address. */
export const proofRequestFrom = async (
  cli: CommandContext,
  name: string,
  email: string | undefined,
): Promise<ProofRequest> => {
  const { chain, address } = await openKeystore(cli.io).find(name);
  if (address === undefined) {
    throw new Failure('invalid_input', `the file of the key ${name} has no address`, {
      next: nextStep('key.show', name),
    });
  }
  // A bad e-mail address must fail before anything is signed.
  const pending = { wallet: address, message: 'to come', signed_bytes: 'to come' };
  const input = checkInput(prepareWallet, { ...pending, ...(email && { email }) });
  return { chain, address, email: email && String(input['email']) };
};

/** Proves the wallet of a key: reviews the challenge, asks about doubts, and signs it. */
export const proveByKey = async (
  cli: CommandContext,
  given: ParsedArgs,
  client: Client,
  name: string,
  request: ProofRequest,
) => {
  const withPrivateKey: WithPrivateKey = (work) => withKey(cli, given, { name }, ({ privateKey }) => work(privateKey));
  const approve = ({ checks }: ChallengeReview) => askAboutDoubts(cli, checks, QUESTION);
  const { challenge_hosts: hosts } = await cli.profile();
  return proveWallet({ client, withPrivateKey, gate: await gateOf(cli), hosts, on: sayProof(cli), approve }, request);
};

/** The exact text to sign, and the results of the checks. */
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

/** Prints each step of a proof on stderr; a review that does not pass is printed even with --quiet. */
const sayProof = (cli: CommandContext) =>
  stepPrinter(cli, (event: ProofEvent, elapsed) => ({
    text: eventLine(cli, event, elapsed),
    isTrouble: event.kind === 'reviewed' && event.review.verdict !== 'pass',
  }));
