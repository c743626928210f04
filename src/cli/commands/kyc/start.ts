import { type Client, withMoreTime } from '../../../client/call.ts';
import { Failure } from '../../../core/failure.ts';
import { textAt } from '../../../core/json.ts';
import { commandLine, type NextStep, nextStep } from '../../../core/next.ts';
import { isSameText } from '../../../core/text.ts';
import { kycStatusOf, readVerification, type Verification } from '../../../flows/kyc/status.ts';
import { readInputs } from '../../../journal/inputs.ts';
import { statusOf } from '../../../journal/status.ts';
import { namingOptions } from '../../command/build-input.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { KEY, PASSWORD_OPTIONS } from '../../command/key-options.ts';
import { boolArg, type ParsedArgs, sourceOption, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { statesOf, usualId } from '../../operations/area.ts';
import { isOfService } from '../../operations/same-service.ts';
import { completeNext } from '../../print/next-command.ts';
import { printWaitResult } from '../../print/steps.ts';
import { withEquivalent } from '../../prompt/ask-and-run.ts';
import { PAYMENTS } from '../pay/journal.ts';
import { assertPiped, isCodeStdin } from './codes.ts';
import { printedEnds } from './status.ts';
import { argsFor, type KycSubject, subjectFrom } from './subject.ts';
import { PUBLIC_KYC, type Walk, walkKyc } from './walk.ts';

/** A payment that waits for the identity of its payer. */
type WaitingPayment = { readonly id: string; readonly email: string | undefined; readonly wallet: string | undefined };

const waitingPayments = async (cli: CommandContext, { service }: Client): Promise<readonly WaitingPayment[]> => {
  const waiting: WaitingPayment[] = [];
  for await (const state of statesOf(cli, PAYMENTS)) {
    if (statusOf(state) !== 'needs_identity' || !isOfService(state, service)) continue;
    const inputs = await readInputs(cli.io, state.id);
    const [email, wallet] = ['payer_email', 'payer_wallet'].map((field) => textAt(inputs, 'transaction', field));
    waiting.push({ id: await usualId(cli, state), email, wallet });
  }
  return waiting;
};

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && isSameText(one, other);

const isPayer = (subject: KycSubject, { email, wallet }: WaitingPayment): boolean =>
  subject.by === 'email'
    ? isSame(subject.email, email)
    : isSame(subject.proof.address, wallet) || isSame(subject.proof.email || undefined, email);

/** The e-mail address of the payment, if only the wallet is verified so far. */
const emailToVerify = async (client: Client, subject: KycSubject, { email }: WaitingPayment) => {
  if (subject.by === 'email' || email === undefined) return undefined;
  const verification = await undefinedOnFailure(readVerification(client, { email }));
  return verification && kycStatusOf(verification) === 'approved' ? undefined : email;
};

/**
 * The command that continues the payment that waited for this approval, or lists several such payments. A payment with
 * an e-mail address and a wallet needs both to be verified.
 */
const nextForPayment = async (cli: CommandContext, client: Client, subject: KycSubject) => {
  const [payment, ...others] = (await waitingPayments(cli, client)).filter((each) => isPayer(subject, each));
  if (payment === undefined) return undefined;
  if (others.length > 0) return nextStep('operation.list.open', 'pay');
  const email = await emailToVerify(client, subject, payment);
  return email === undefined ? nextStep('pay.resume', payment.id) : nextStep('kyc.start', { email });
};

/** At a terminal without --timeout, the user gets this much time to present documents. */
const DOCUMENT_TIME_MS = 60 * 60 * 1000;

/** Refuses contradicting options before the first question or call. */
const assertOptionsFit = ({ io }: CommandContext, given: ParsedArgs): void => {
  if (boolArg(given, 'wait') && boolArg(given, 'no-wait'))
    throw new Failure('invalid_input', 'give only one of --wait and --no-wait');
  if (!isCodeStdin(given)) return;
  if (boolArg(given, 'password-stdin')) {
    const message = 'standard input can give one value: use only one of --code-stdin and --password-stdin';
    throw new Failure('invalid_input', message);
  }
  const email = stringArg(given, 'email');
  assertPiped(io, nextStep(boolArg(given, 'otp-sent') ? 'kyc.start.otp_sent' : 'kyc.start', { email }));
};

const walkFrom = async (cli: CommandContext, given: ParsedArgs): Promise<Walk> => {
  assertOptionsFit(cli, given);
  const subject = await subjectFrom(cli, given);
  const hasNoDeadline = cli.io.prompt.isPossible && stringArg(given, 'timeout') === undefined;
  return {
    subject,
    kycType: stringArg(given, 'kyc-type') ?? PUBLIC_KYC,
    client: withMoreTime(await cli.client(), () => (hasNoDeadline ? DOCUMENT_TIME_MS : 0)),
    given,
    isOtpStdin: isCodeStdin(given),
    isOtpSent: boolArg(given, 'otp-sent'),
    opens: !boolArg(given, 'no-open'),
    waits: !boolArg(given, 'no-wait'),
    hasResult: true,
  };
};

/** The next command: the waiting payment of an approved user, otherwise the wait for the approval. */
const nextAfter = async (cli: CommandContext, walk: Walk, verification: Verification): Promise<NextStep | undefined> =>
  kycStatusOf(verification) === 'approved'
    ? undefinedOnFailure(nextForPayment(cli, walk.client, walk.subject))
    : nextStep('kyc.status.wait', argsFor(walk.subject).status);

/**
 * What a command line without questions gives: nothing if none was asked. A script gives the code on standard input.
 * `isSent`: a code was sent that is still to be given.
 */
const answersIn = (cli: CommandContext, { subject }: Walk, isSent: boolean): ReadonlyMap<string, string | boolean> => {
  if (cli.io.prompt.waitedMs() === 0) return new Map();
  if (subject.by === 'wallet') return new Map([['--key', subject.key]]);
  return new Map<string, string | boolean>([
    ['--email', subject.email],
    ['--code-stdin', true],
    ['--otp-sent', isSent],
  ]);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const walk = await walkFrom(cli, given);
  let next: string | undefined;
  let isSent = walk.isOtpSent;
  const onCode = (isWaiting: boolean) => {
    isSent = isWaiting;
  };
  const work = walkKyc(cli, walk, onCode).then(async (verification) => {
    const step = await nextAfter(cli, walk, verification);
    next = step && commandLine(completeNext(cli.typed, step));
    return { ...verification, ...(next && { next }) };
  });
  // A failure prints its own next command below the summary.
  const summary = async (data: unknown) =>
    (await import('../../summaries/kyc-summary.ts')).verificationSummary(data, next);
  const print = () => printWaitResult({ ...cli, printResult: cli.printCommitted }, work, summary, ...printedEnds(cli));
  const answersSoFar = (isComplete: boolean) => answersIn(cli, walk, isComplete ? walk.isOtpSent : isSent);
  await withEquivalent(cli, start, answersSoFar, print);
};

/** `kyc start`. */
export const start: Command = {
  words: ['kyc', 'start'],
  summary: 'Take a user through all remaining KYC steps',
  about: [
    'With --email: registers the user, sends a code by e-mail, asks for it, and opens the hosted verification.',
    'With --key: reviews and signs a challenge with the wallet instead of the code.',
    'Skips steps that are already done, and shows an open session again.',
    'At a terminal it opens the page in a browser, if the address is https or on this machine. Then it waits for the result.',
    'In the sandbox Enter takes the code of its inbox, and the walk offers to approve the user.',
    'Exits with 0 when the user is approved, with 6 when declined or expired, with 8 at the end of --timeout.',
    'The result has the next command: the wait, or the payment that waited for this approval.',
    'In a script, give the code with --code-stdin. After kyc send-otp add --otp-sent, so that no second code is sent.',
  ],
  options: [
    { flag: '--email', value: 'ADDRESS', description: 'E-mail address to verify, or to link to the wallet of --key' },
    { ...KEY, description: 'Key of the wallet to verify, EVM or Solana' },
    sourceOption('--code-stdin', 'Read the e-mailed code from standard input'),
    sourceOption('--otp-stdin', 'The same as --code-stdin'),
    { flag: '--otp-sent', description: 'A code was already sent: do not send another one' },
    { flag: '--kyc-type', value: 'TYPE', usual: PUBLIC_KYC, description: 'Kind of verification' },
    { flag: '--no-open', description: 'Show the address of the page without opening a browser' },
    { flag: '--no-wait', description: 'Exit once the session is open, and show its address and the next command' },
    { flag: '--wait', description: 'Wait until the user is approved, declined or expired, which is the default' },
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
  run: (cli, given) => namingOptions(run(cli, given), (field) => ({ anyOf: [field === 'email' ? '--email' : field] })),
};
