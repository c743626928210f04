import type { ChallengeReview } from '../../../chain/message/challenge.ts';
import { type Client, checkInput } from '../../../client/call.ts';
import { prepare } from '../../../contract/kyc/prepare.ts';
import { prepareWallet } from '../../../contract/kyc/prepare-wallet.ts';
import { Failure, isFailure, undefinedOn, valueOn, withDetails } from '../../../core/failure.ts';
import { type KycName, nextStep } from '../../../core/next.ts';
import { inSentence, remoteRows } from '../../../core/text.ts';
import { type ProofEvent, type ProofRequest, proveWallet, type WithPrivateKey } from '../../../flows/kyc/prove.ts';
import type { Io } from '../../../io/io.ts';
import { isAddress } from '../../../keystore/key.ts';
import { openKeystore } from '../../../keystore/keystore.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { withKey } from '../../operations/signing-key.ts';
import { checkLines } from '../../print/show-review.ts';
import { printTargetService, reviewHead, step, stepPrinter } from '../../print/steps.ts';
import { gateOf } from '../../profiles/gate.ts';
import { askThen } from '../../prompt/ask.ts';
import { askAboutDoubts } from '../../prompt/confirming.ts';
import { isCodeStdin, MISSING } from './codes.ts';
import { isInSandbox, SANDBOX_EMAIL } from './in-sandbox.ts';

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
  return proveWallet(
    { client, withPrivateKey, gate: await gateOf(cli), hosts, on: proofPrinter(cli), approve },
    request,
  );
};

/** The exact text to sign, and the results of the checks: with --verbose, or if one of them does not pass. */
const challengeLines = (cli: CommandContext, { message, checks, verdict }: ChallengeReview): string => {
  const { columns, unicode } = cli.talkStyle;
  const text = remoteRows(message, { columns, margin: '  | ', unicode });
  const shown = verdict === 'pass' && !cli.globals.verbose ? [] : checks;
  return `${text.join('\n')}\n${checkLines(cli, shown)}`.trimEnd();
};

const eventLine = (cli: CommandContext, event: ProofEvent, elapsed: number): string => {
  switch (event.kind) {
    case 'challenged':
      return step(cli, 'challenged', inSentence(event.wallet), elapsed);
    case 'reviewed':
      return `${reviewHead(cli, event.review, elapsed)}\n${challengeLines(cli, event.review)}`;
    case 'signed':
      return step(cli, 'signed', event.signature, elapsed);
    case 'prepared':
      return step(cli, 'prepared', inSentence(event.status), elapsed);
    default:
      return event satisfies never;
  }
};

/** Prints each step of a proof on stderr; a review that does not pass is printed even with --quiet. */
const proofPrinter = (cli: CommandContext) =>
  stepPrinter(cli, eventLine, (event) => event.kind === 'reviewed' && event.review.verdict !== 'pass');

/** The user to verify: by e-mail address, or by the wallet of a key. */
export type KycSubject =
  | { readonly by: 'email'; readonly email: string }
  | { readonly by: 'wallet'; readonly key: string; readonly proof: ProofRequest };

/** A user by e-mail address, in the service's form of it. Throws `invalid_input`. */
export const subjectByEmail = (email: string): KycSubject => ({
  by: 'email',
  email: String(checkInput(prepare, { email })['email']),
});

const ELSEWHERE =
  'Only its key can prove a wallet, and this machine does not have it. Sign the challenge where the key is, then: bursar kyc prepare-wallet.';

/**
 * A failure whose next command verifies a wallet by its key. If the key is on another machine, the command is by e-mail
 * address, or shows the challenge to sign there.
 */
export const forKnownKey = async (io: Io, failure: Failure): Promise<Failure> => {
  const { next, hint = '' } = failure.details;
  const textAfter = (flag: string) => (next?.argv.includes(flag) ? next.argv[next.argv.indexOf(flag) + 1] : undefined);
  const [key, email] = [textAfter('--key'), textAfter('--email')];
  if (next?.id !== 'kyc.start' || key === undefined || !isAddress(key)) return failure;
  const own = await openKeystore(io).find(key).catch(valueOn('key_not_found', undefined));
  if (own) return failure;
  if (email !== undefined) return withDetails(failure, { next: nextStep('kyc.start', { email }) });
  return withDetails(failure, { hint: `${hint} ${ELSEWHERE}`.trim(), next: nextStep('kyc.challenge', key) });
};

/** Without the key of the wallet, suggests to verify the e-mail address, which needs no key. */
const suggestEmail = (error: unknown, key: string, email: string): unknown => {
  if (!isFailure(error, 'key_not_found') || !isAddress(key)) return error;
  return new Failure(error.code, error.sentence, {
    hint: 'Only its key can prove a wallet. The e-mail address can be verified without the key.',
    next: nextStep('kyc.start', { email }),
    cause: error,
  });
};

/** A user by the wallet of a key. Throws `key_not_found`, and `invalid_input` for a bad e-mail address. */
export const subjectByKey = async (cli: CommandContext, key: string, email?: string): Promise<KycSubject> => {
  try {
    return { by: 'wallet', key, proof: await proofRequestFrom(cli, key, email) };
  } catch (error) {
    throw email ? suggestEmail(error, key, email) : error;
  }
};

/** The options that name this user to `kyc status` and to `kyc start`. */
export const argsFor = (subject: KycSubject): { readonly status: readonly string[]; readonly start: KycName } => {
  if (subject.by === 'email') return { status: ['--email', subject.email], start: { email: subject.email } };
  const { address, email } = subject.proof;
  return { status: ['--wallet', address], start: { key: subject.key, email } };
};

const problemInEmail = async (answer: string): Promise<string | undefined> => {
  const subject = undefinedOn(() => subjectByEmail(answer.trim()), 'invalid_input');
  return subject ? undefined : 'must be an e-mail address, such as payer@example.com';
};

const ask = async (cli: CommandContext): Promise<KycSubject> => {
  const keys = await openKeystore(cli.io).list();
  const byKey = keys.flatMap((key) =>
    key.status === 'usable' && key.address
      ? [{ name: `The wallet of ${key.name} (${key.address})`, value: key.name }]
      : [],
  );
  const choices = [{ name: 'An e-mail address', value: undefined }, ...byKey];
  await printTargetService(cli);
  const isSandbox = await isInSandbox(cli);
  const question = isSandbox ? 'E-mail address to verify:' : 'E-mail address, such as payer@example.com:';
  const rules = { problemIn: problemInEmail, initial: isSandbox ? SANDBOX_EMAIL : undefined };
  const askEmail = async () => subjectByEmail((await cli.io.prompt.text(question, rules)).trim());
  if (byKey.length === 0) return askEmail();
  const choose = () => cli.io.prompt.select<string | undefined>('Verify which user?', choices);
  return askThen<string | undefined, KycSubject>(cli, choose, (key) => (key ? subjectByKey(cli, key) : askEmail()));
};

/** The user to verify, from the command line or a prompt. Throws `invalid_input` if there is neither. */
export const subjectFrom = async (cli: CommandContext, given: ParsedArgs): Promise<KycSubject> => {
  const [key, email] = [stringArg(given, 'key'), stringArg(given, 'email')];
  const usesCode = isCodeStdin(given) || boolArg(given, 'otp-sent');
  if (key && usesCode) {
    throw new Failure('invalid_input', '--code-stdin and --otp-sent do not work with --key: a wallet needs no code');
  }
  if (key) return subjectByKey(cli, key, email);
  if (email) return subjectByEmail(email);
  if (cli.io.prompt.isPossible) return ask(cli);
  throw new Failure('invalid_input', 'missing: --email or --key', {
    isOnlyMissing: true,
    errors: [
      { field: 'email', message: 'required: the e-mail address to verify, or --key', option: '--email', ...MISSING },
      { field: 'key', message: 'required: the key of the wallet to verify, or --email', option: '--key', ...MISSING },
    ],
    hint: 'For an unverified e-mail address, a script gives the e-mailed code with --code-stdin.',
  });
};
