import { checkInput } from '../../../client/call.ts';
import { status as endpoint } from '../../../contract/kyc/status.ts';
import { nextStep } from '../../../core/next.ts';
import { type Verification, waitForApproval } from '../../../flows/kyc/status.ts';
import type { Command } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { isDryRun } from '../../print/dry-run.ts';
import { answerWait, sayingStates, WAITING_LABEL } from '../../print/waiting.ts';
import { assertNamed, KYC_FIELDS, named } from './either.ts';
import { sayVerification } from './show-start.ts';

const card = async (data: unknown) => (await import('../../summaries/kyc-summary.ts')).verificationCard(data);

const plain = derive(endpoint, {
  fields: KYC_FIELDS,
  card,
  noEnvelopeWith: ['wait'],
  complete: named,
  examples: [
    'kyc status --email payer@example.com --json',
    'kyc status --email payer@example.com --wait --timeout 600',
  ],
});

/** Who is asked about, and the words of the command line for it. */
const userFrom = (given: ParsedArgs) => {
  const [email, wallet] = [stringArg(given, 'email'), stringArg(given, 'wallet')];
  const again = [...(email ? ['--email', email] : []), ...(wallet ? ['--wallet', wallet] : [])];
  return { user: checkInput(endpoint, { email, wallet }), again };
};

const wait = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  assertNamed(cli, given);
  const { user, again } = userFrom(given);
  const client = await cli.client();
  const [afterEnd, later] = [nextStep('kyc.create', again), nextStep('kyc.status.wait', again)];
  const onState = sayingStates<Verification>(
    cli,
    ({ status, approved }) => ({ status, approved }),
    sayVerification(cli),
  );
  const work = cli.io.spin(WAITING_LABEL, waitForApproval(client, user, { afterEnd, later, onState }));
  await answerWait(cli, work, card, 'not_final', 'identity_gate');
};

/** `kyc status`. */
export const status: Command = {
  ...plain,
  about: [
    ...(plain.about ?? []),
    'With --wait it ends with 0 when the user is approved, with 6 when the verification is declined or has expired, with 8 when --timeout is over. With --json each change of state is a line of JSON on stderr.',
  ],
  options: [
    ...(plain.options ?? []),
    { flag: '--wait', description: 'Wait until the user is approved, declined or expired, or --timeout is over' },
  ],
  fails: ['not_final', 'identity_gate'],
  run: (cli, given) => (boolArg(given, 'wait') && !isDryRun(cli) ? wait(cli, given) : plain.run(cli, given)),
};
