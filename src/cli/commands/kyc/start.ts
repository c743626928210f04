import type { Client } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import { commandLine, type NextStep, nextStep } from '../../../core/next.ts';
import { isSameText } from '../../../core/same-text.ts';
import { textAt } from '../../../core/text-at.ts';
import { kycStatusOf, readVerification, type Verification } from '../../../flows/kyc/status.ts';
import { readInputs } from '../../../journal/inputs.ts';
import { statusOf } from '../../../journal/status.ts';
import { namingOptions } from '../../command/build-input.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { withPauses } from '../../context/pausing.ts';
import { undefinedOnFailure } from '../../context/undefined-on-failure.ts';
import { statesOf } from '../../operations/rows.ts';
import { isOfService } from '../../operations/same-service.ts';
import { PASSWORD_OPTIONS } from '../../operations/signing-key.ts';
import { asHere } from '../../print/next-command.ts';
import { answerWait } from '../../print/waiting.ts';
import { PAYMENTS } from '../pay/journal.ts';
import { isCodeStdin } from './codes.ts';
import { PUBLIC_KYC, type Walk, walkKyc } from './walk.ts';
import { type Who, whoFrom, wordsFor } from './who.ts';

/** A payment that waits for the identity of its payer, and by what it names the payer. */
type Waiting = { readonly id: string; readonly email: string | undefined; readonly wallet: string | undefined };

const waitingPayments = async (cli: CommandContext, { service }: Client): Promise<readonly Waiting[]> => {
  const waiting: Waiting[] = [];
  for await (const state of statesOf(cli, PAYMENTS)) {
    if (statusOf(state) !== 'needs_identity' || !isOfService(state, service)) continue;
    const inputs = await readInputs(cli.io, state.id);
    const [email, wallet] = ['payer_email', 'payer_wallet'].map((field) => textAt(inputs, 'transaction', field));
    waiting.push({ id: state.id, email, wallet });
  }
  return waiting;
};

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && isSameText(one, other);

const isPayer = (who: Who, { email, wallet }: Waiting): boolean =>
  who.by === 'email'
    ? isSame(who.email, email)
    : isSame(who.proof.address, wallet) || isSame(who.proof.email || undefined, email);

/** The e-mail address of the payment that is still to be verified, where the wallet alone was. */
const emailToVerify = async (client: Client, who: Who, { email }: Waiting): Promise<string | undefined> => {
  if (who.by === 'email' || email === undefined) return undefined;
  const known = await undefinedOnFailure(readVerification(client, { email }));
  return known && kycStatusOf(known) === 'approved' ? undefined : email;
};

/**
 * The command that goes on with the payment that waits for this user, who is approved now; for several payments their
 * list. A payment that names an e-mail address beside the wallet waits for both.
 */
const paymentOf = async (cli: CommandContext, client: Client, who: Who): Promise<NextStep | undefined> => {
  const [payment, ...others] = (await waitingPayments(cli, client)).filter((each) => isPayer(who, each));
  if (payment === undefined) return undefined;
  if (others.length > 0) return nextStep('operation.list.open', 'pay');
  const email = await emailToVerify(client, who, payment);
  return email === undefined ? nextStep('pay.resume', payment.id) : nextStep('kyc.start', { email });
};

/** A person with documents and a camera takes longer than a call: without --timeout a terminal waits an hour. */
const PATIENCE_MS = 60 * 60 * 1000;

/** What can be said against the options before anything is asked or sent. */
const assertFits = ({ io }: CommandContext, given: ParsedArgs): void => {
  if (boolArg(given, 'wait') && boolArg(given, 'no-wait'))
    throw new Failure('invalid_input', 'give --wait or --no-wait');
  if (!isCodeStdin(given)) return;
  if (boolArg(given, 'password-stdin')) {
    throw new Failure('invalid_input', 'standard input is one thing: give --code-stdin or --password-stdin');
  }
  if (io.stdin.isTerminal) {
    throw new Failure('invalid_input', '--code-stdin reads a pipe, and standard input is a terminal', {
      hint: 'Leave --code-stdin out to be asked.',
      next: nextStep(boolArg(given, 'otp-sent') ? 'kyc.start.otp_sent' : 'kyc.start', {
        email: stringArg(given, 'email'),
      }),
    });
  }
};

const walkFrom = async (cli: CommandContext, given: ParsedArgs): Promise<Walk> => {
  assertFits(cli, given);
  const who = await whoFrom(cli, given);
  const isUnhurried = cli.io.prompt.isPossible && stringArg(given, 'timeout') === undefined;
  return {
    who,
    kycType: stringArg(given, 'kyc-type') ?? PUBLIC_KYC,
    time: withPauses(await cli.client(), isUnhurried ? PATIENCE_MS : 0),
    given,
    isOtpStdin: isCodeStdin(given),
    isOtpSent: boolArg(given, 'otp-sent'),
    opens: !boolArg(given, 'no-open'),
    waits: !boolArg(given, 'no-wait'),
  };
};

/** What the user runs next: the payment that waits for an approved user, or else the wait for the approval. */
const nextAfter = async (cli: CommandContext, walk: Walk, verification: Verification): Promise<NextStep | undefined> =>
  kycStatusOf(verification) === 'approved'
    ? undefinedOnFailure(paymentOf(cli, walk.time.client, walk.who))
    : nextStep('kyc.status.wait', wordsFor(walk.who).status);

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const walk = await walkFrom(cli, given);
  let next: string | undefined;
  const work = walkKyc(cli, walk).then(async (verification) => {
    const step = await nextAfter(cli, walk, verification);
    next = step && commandLine(asHere(cli.typed, step));
    return { ...verification, ...(next && { next }) };
  });
  // A failure names its own next command below the card.
  const card = async (data: unknown) => (await import('../../summaries/kyc-summary.ts')).verificationCard(data, next);
  await answerWait({ ...cli, printResult: cli.printCommitted }, work, card, 'not_final', 'identity_gate');
  const isToTell = cli.io.stderr.isTerminal && kycStatusOf(await work) === 'approved';
  if (isToTell) await cli.say('The user is approved: payments that ask for it can go on.');
};

/** `kyc start`. */
export const start: Command = {
  words: ['kyc', 'start'],
  summary: 'Take somebody through KYC, from where they stand',
  about: [
    'By e-mail: prepares the user, has a code sent, asks for it, and opens the hosted verification. By the wallet of a key: a challenge is reviewed and signed instead. Of a user who is approved already it says so; an open session is shown again.',
    'On a terminal its page is opened in a browser, if it is https or on this machine, and the verification waited for.',
    'It ends with 0 when the user is approved, with 6 when declined or expired, with 8 when --timeout is over. Its answer names the next command: the wait, or for an approved user the payment of the journal that waits for them.',
    'A script gives the code by --code-stdin; after kyc send-otp with --otp-sent, so that no other is sent.',
  ],
  options: [
    { flag: '--email', value: 'ADDRESS', description: 'E-mail address to verify, or to link to the wallet of --key' },
    {
      flag: '--key',
      environment: 'key',
      value: 'NAME',
      completes: 'keys',
      description: 'Verify the wallet of this key, for EVM chains or Solana',
    },
    {
      flag: '--code-stdin',
      heading: 'Where values come from',
      description: 'Read the code of the e-mail from standard input',
    },
    { flag: '--otp-stdin', heading: 'Where values come from', description: 'The same as --code-stdin' },
    { flag: '--otp-sent', description: 'A code is on its way already: send no other' },
    { flag: '--kyc-type', value: 'TYPE', usual: `${PUBLIC_KYC}`, description: `Kind of verification` },
    { flag: '--no-open', description: 'Show the address of the page, open nothing' },
    { flag: '--no-wait', description: 'End when the session is open: its address, and the next command' },
    { flag: '--wait', description: 'Wait until the user is approved, declined or expired, as is usual' },
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
  run: (cli, given) => namingOptions(run(cli, given), (field) => [field === 'email' ? '--email' : field]),
};
