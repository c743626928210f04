import { checkInput } from '../../../client/call.ts';
import { status as endpoint } from '../../../contract/kyc/status.ts';
import { nextStep } from '../../../core/next.ts';
import { type Verification, waitForApproval } from '../../../flows/kyc/status.ts';
import type { Body } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import type { OptionDetails } from '../../command/fields.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { assertGiven } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { isDryRun } from '../../print/dry-run.ts';
import { printWaitResult, statePrinter, WAITING_LABEL } from '../../print/steps.ts';
import { sayVerification } from './show-start.ts';

const summary = async (data: unknown) => (await import('../../summaries/kyc-summary.ts')).verificationSummary(data);

/** How the prompt asks for the fields of a verification, for every endpoint. */
export const KYC_FIELDS: Readonly<Record<string, OptionDetails>> = {
  email: { question: 'E-mail address' },
  // The user compares the code with the e-mail while typing it.
  code: { question: 'Code from the e-mail', isHidden: false, isSecret: true },
  wallet: {
    question: 'Wallet',
    suggest: async () => (await import('../../prompt/suggestions.ts')).suggestWallets(),
    validate: async () => (await import('../../prompt/judges.ts')).validateWallet,
  },
  message: { question: 'Exact text of the challenge' },
  signed_bytes: { question: 'Signature of the challenge: hex, or base58 for Solana' },
};

/** Makes the prompt ask "by e-mail or by wallet?" first: a user may have only a wallet. */
const assertUser = ({ io }: CommandContext, { email, wallet }: Body): void => {
  if (io.prompt.isPossible && !email && !wallet) assertGiven([{ anyOf: ['--email', '--wallet'], value: undefined }]);
};

/** The same as a step of a derived command. */
export const requireUser = async (cli: CommandContext, _: ParsedArgs, input: Body): Promise<Body> => {
  assertUser(cli, input);
  return input;
};

const plain = derive(endpoint, {
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
    sayVerification(cli),
  );
  const work = cli.io.spin(WAITING_LABEL, waitForApproval(client, user, { afterEnd, later, onState }));
  await printWaitResult(cli, work, summary, 'not_final', 'identity_gate');
};

/** `kyc status`. */
export const status: Command = {
  ...plain,
  about: [
    ...(plain.about ?? []),
    'With --wait it exits with 0 when the user is approved, with 6 when the verification is declined or expired,',
    'and with 8 at the end of --timeout. With --json, each change of state is a line of JSON on stderr.',
  ],
  options: [
    ...(plain.options ?? []),
    { flag: '--wait', description: 'Wait for approved, declined or expired, or the end of --timeout' },
  ],
  fails: ['not_final', 'identity_gate'],
  run: (cli, given) => (boolArg(given, 'wait') && !isDryRun(cli) ? wait(cli, given) : plain.run(cli, given)),
};
