import { checkInput, type Input } from '../../../client/call.ts';
import type { Kind } from '../../../contract/chains.ts';
import { status as endpoint } from '../../../contract/kyc/status.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence } from '../../../core/text.ts';
import { type KycEvent, type Verification, waitForApproval } from '../../../flows/kyc/status.ts';
import { isDryRun } from '../../argv/command-line.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import type { OptionDetails } from '../../command/fields.ts';
import { assertGiven, boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { printWaitResult, statePrinter, stateStep, step, stepPrinter, WAITING_LABEL } from '../../print/steps.ts';

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
    default:
      return event satisfies never;
  }
};

/** Prints each new state of a verification on stderr. */
export const printVerification = (cli: CommandContext) =>
  stepPrinter(cli, (_, { status }: Verification, elapsed) => stateStep(cli, 'kyc', status, elapsed));

/** Prints each step of `kyc start` on stderr. */
export const kycPrinter = (cli: CommandContext, kind: Kind) => {
  const printEvent = stepPrinter(cli, eventLine);
  return async (event: KycEvent): Promise<void> => {
    await printEvent(event);
    if (event.kind !== 'code_sent' || kind !== 'sandbox' || !cli.io.prompt.isPossible) return;
    await cli.printNote('The sandbox keeps the e-mail on this machine:');
    await cli.printNote(`  bursar sandbox inbox ${event.email}`);
  };
};

const summary = async (data: unknown) => (await import('../../summaries/kyc-summary.ts')).verificationSummary(data);

/** How the prompt asks for the fields of a verification, for every endpoint. */
export const KYC_FIELDS: Readonly<Record<string, OptionDetails>> = {
  email: { question: 'E-mail address' },
  // The user compares the code with the e-mail while typing it.
  code: { question: 'Code from the e-mail', isHidden: false, isSecret: true },
  wallet: {
    question: 'Wallet',
    suggest: async () => (await import('../../prompt/suggestions.ts')).suggestWallets(),
    validate: async () => (await import('../../prompt/validators.ts')).validateWallet,
  },
  message: { question: 'Exact text of the challenge' },
  signed_bytes: { question: 'Signature of the challenge: hex, or base58 for Solana' },
};

/** Makes the prompt ask "by e-mail or by wallet?" first: a user may have only a wallet. */
const assertUser = ({ io }: CommandContext, { email, wallet }: Input): void => {
  if (io.prompt.isPossible && !email && !wallet) assertGiven([{ anyOf: ['--email', '--wallet'], value: undefined }]);
};

/** The same as a step of a derived command. */
export const requireUser = async (cli: CommandContext, _: ParsedArgs, input: Input): Promise<Input> => {
  assertUser(cli, input);
  return input;
};

const plain = derive(endpoint, {
  about: [
    'With --wait it exits with 0 when the user is approved, with 6 when the verification is declined or expired,',
    'and with 8 at the end of --timeout. With --json, each change of state is a line of JSON on stderr.',
  ],
  options: [{ flag: '--wait', description: 'Wait for approved, declined or expired, or the end of --timeout' }],
  fields: KYC_FIELDS,
  summary,
  noEnvelopeWith: ['wait'],
  complete: requireUser,
  examples: [
    'kyc status --email payer@example.com --json',
    'kyc status --email payer@example.com --wait --timeout 600',
  ],
});

/** The user to read, and the options that name this user in a next command. */
const userFrom = (given: ParsedArgs) => {
  const [email, wallet] = [stringArg(given, 'email'), stringArg(given, 'wallet')];
  const userArgs = [...(email ? ['--email', email] : []), ...(wallet ? ['--wallet', wallet] : [])];
  return { user: checkInput(endpoint, { email, wallet }), userArgs };
};

const wait = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  assertUser(cli, given);
  const { user, userArgs } = userFrom(given);
  const client = await cli.client();
  const [afterEnd, later] = [nextStep('kyc.create', userArgs), nextStep('kyc.status.wait', userArgs)];
  const onState = statePrinter<Verification>(
    cli,
    ({ status, approved }) => ({ status, approved }),
    printVerification(cli),
  );
  const work = cli.io.spin(WAITING_LABEL, waitForApproval(client, user, { afterEnd, later, onState }));
  await printWaitResult(cli, work, summary, 'not_final', 'identity_gate');
};

/** `kyc status`. */
export const status: Command = {
  ...plain,
  fails: ['not_final', 'identity_gate'],
  run: (cli, given) => (boolArg(given, 'wait') && !isDryRun(cli) ? wait(cli, given) : plain.run(cli, given)),
};
