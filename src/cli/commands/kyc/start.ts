import { Failure } from '../../../core/failure.ts';
import { commandLine, type NextStep, nextStep } from '../../../core/next.ts';
import { standingOf, type Verification } from '../../../flows/kyc/status.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { namingOptions } from '../../gather.ts';
import { asHere } from '../../next-command.ts';
import { type Given, isOn, textOf } from '../../options.ts';
import { orUnknown } from '../../or-unknown.ts';
import { withPauses } from '../../pausing.ts';
import { PASSWORD_OPTIONS } from '../../signing-key.ts';
import { answerWait } from '../../waiting.ts';
import { isCodeStdin } from './codes.ts';
import { paymentOf } from './payment-of.ts';
import { PUBLIC_KYC, type Walk, walkKyc } from './walk.ts';
import { whoFrom, wordsFor } from './who.ts';

/** A person with documents and a camera takes longer than a call: without --timeout a terminal waits an hour. */
const PATIENCE_MS = 60 * 60 * 1000;

/** What can be said against the options before anything is asked or sent. */
const assertFits = ({ io }: Cli, given: Given): void => {
  if (isOn(given, 'wait') && isOn(given, 'no-wait')) throw new Failure('invalid_input', 'give --wait or --no-wait');
  if (!isCodeStdin(given)) return;
  if (isOn(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input is one thing: give --code-stdin or --password-stdin');
  }
  if (io.stdin.isTerminal) {
    throw new Failure('invalid_input', '--code-stdin reads a pipe, and standard input is a terminal', {
      hint: 'Leave --code-stdin out to be asked.',
      next: nextStep(isOn(given, 'otp-sent') ? 'kyc.start.otp_sent' : 'kyc.start', { email: textOf(given, 'email') }),
    });
  }
};

const walkFrom = async (cli: Cli, given: Given): Promise<Walk> => {
  assertFits(cli, given);
  const who = await whoFrom(cli, given);
  const isUnhurried = cli.io.prompt.isPossible && textOf(given, 'timeout') === undefined;
  return {
    who,
    kycType: textOf(given, 'kyc-type') ?? PUBLIC_KYC,
    time: withPauses(await cli.client(), isUnhurried ? PATIENCE_MS : 0),
    given,
    isOtpStdin: isCodeStdin(given),
    isOtpSent: isOn(given, 'otp-sent'),
    opens: !isOn(given, 'no-open'),
    waits: !isOn(given, 'no-wait'),
  };
};

/** What the user runs next: the payment that waits for an approved user, or else the wait for the approval. */
const nextAfter = async (cli: Cli, walk: Walk, verification: Verification): Promise<NextStep | undefined> =>
  standingOf(verification) === 'approved'
    ? orUnknown(paymentOf(cli, walk.time.client, walk.who))
    : nextStep('kyc.status.wait', wordsFor(walk.who).status);

const run = async (cli: Cli, given: Given): Promise<void> => {
  const walk = await walkFrom(cli, given);
  let next: string | undefined;
  const work = walkKyc(cli, walk).then(async (verification) => {
    const step = await nextAfter(cli, walk, verification);
    next = step && commandLine(asHere(cli.io, step));
    return { ...verification, ...(next && { next }) };
  });
  // A failure names its own next command below the card.
  const card = async (data: unknown) => (await import('../../cards/kyc-card.ts')).verificationCard(data, next);
  await answerWait({ ...cli, answer: cli.report }, work, card, 'not_final', 'identity_gate');
  const isToTell = cli.io.stderr.isTerminal && standingOf(await work) === 'approved';
  if (isToTell) await cli.say('The user is approved: payments that ask for it can go on.');
};

/** `kyc start`. */
export const start: Leaf = {
  words: ['kyc', 'start'],
  summary: 'Take somebody through KYC, from where they stand',
  about: [
    'By e-mail: prepares the user, has a code sent, asks for it, and opens the hosted verification. By the wallet of a',
    'key: a challenge is reviewed and signed instead. Of a user who is approved already it says so; an open session is shown again.',
    'On a terminal its page is opened in a browser, if it is https or on this machine, and the verification waited for.',
    'It ends with 0 when the user is approved, with 6 when declined or expired, with 8 when --timeout is over. Its answer',
    'names the next command: the wait, or for an approved user the payment of the journal that waits for them.',
    'A script gives the code by --code-stdin; after kyc send-otp with --otp-sent, so that no other is sent.',
  ],
  options: [
    { flag: '--email', value: 'ADDRESS', says: 'E-mail address to verify, or to link to the wallet of --key' },
    {
      flag: '--key',
      value: 'NAME',
      completes: 'keys',
      says: 'Verify the wallet of this key, for EVM chains or Solana',
    },
    { flag: '--code-stdin', says: 'Read the code of the e-mail from standard input' },
    { flag: '--otp-stdin', says: 'The same as --code-stdin' },
    { flag: '--otp-sent', says: 'A code is on its way already: send no other' },
    { flag: '--kyc-type', value: 'TYPE', says: `Kind of verification (default: ${PUBLIC_KYC})` },
    { flag: '--no-open', says: 'Show the address of the page, open nothing' },
    { flag: '--no-wait', says: 'End when the session is open: its address, and the next command' },
    { flag: '--wait', says: 'Wait until the user is approved, declined or expired, as is usual' },
    ...PASSWORD_OPTIONS,
  ],
  calls: [
    'kyc.prepare',
    'kyc.send-otp',
    'kyc.verify-otp',
    'kyc.challenge',
    'kyc.prepare-wallet',
    'kyc.create',
    'kyc.status',
  ],
  fails: ['not_final', 'identity_gate', 'refused_by_review'],
  examples: [
    'kyc start --email payer@example.com',
    'kyc start --key treasury --email payer@example.com',
    'kyc start --email payer@example.com --no-wait --json',
  ],
  run: (cli, given) => namingOptions(run(cli, given), (field) => (field === 'email' ? '--email' : field)),
};
