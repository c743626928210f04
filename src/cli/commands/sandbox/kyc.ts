import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { sandboxControl } from './control.ts';

const DECISIONS = {
  approve: 'Approve the user',
  decline: 'Decline the user',
  review: 'Leave the decision to a person, for now',
  expire: 'Let the session expire',
  blocklist: 'Decline: document or face is on a blocklist',
} as const;

type Decision = keyof typeof DECISIONS;

const NAMES = Object.keys(DECISIONS) as readonly Decision[];
const FLAGS = NAMES.map((name) => `--${name}`).join(', ');

const decisionFrom = (given: ParsedArgs): Decision => {
  const [decision, ...more] = NAMES.filter((name) => boolArg(given, name));
  if (decision && more.length === 0) return decision;
  throw new Failure('invalid_input', `give one decision: ${FLAGS}`);
};

const quotaFrom = (text: string): number => {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Failure('invalid_input', `--quota: "${text}" is not a number of sessions`);
};

const decide = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { EMAIL_OR_WALLET: whom } = required({ EMAIL_OR_WALLET: stringArg(given, 'email_or_wallet') });
  const decision = decisionFrom(given);
  const named = whom.includes('@') ? { email: whom } : { wallet: whom };
  const control = await sandboxControl(cli);
  await cli.printResult(await control.kyc({ ...named, decision }));
};

const showQuota = async (cli: CommandContext): Promise<void> =>
  cli.printResult(await (await sandboxControl(cli)).readKycQuota());

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const quota = stringArg(given, 'quota');
  const isOfUser = stringArg(given, 'email_or_wallet') !== undefined || NAMES.some((name) => boolArg(given, name));
  if (quota === undefined) return isOfUser ? decide(cli, given) : showQuota(cli);
  if (isOfUser) {
    throw new Failure('invalid_input', '--quota stands alone: it is for all users');
  }
  const sessions = quotaFrom(quota);
  const control = await sandboxControl(cli);
  return cli.printResult(await control.kycQuota(sessions));
};

/** `sandbox kyc`. */
export const kyc: Command = {
  words: ['sandbox', 'kyc'],
  summary: 'Decide the verification of a user, as its provider would',
  about: ['The user must have been prepared; an open session is decided with it. Alone it shows the quota.'],
  arguments: [{ name: 'EMAIL_OR_WALLET', description: 'The user', isOptional: true }],
  options: [
    ...Object.entries(DECISIONS).map(([name, message]): Option => ({ flag: `--${name}`, description: message })),
    { flag: '--quota', value: 'N', description: 'Instead: let N sessions be opened in a month' },
  ],
  fails: ['sandbox_unavailable', 'not_found', 'rejected'],
  examples: ['sandbox kyc payer@example.com --approve', 'sandbox kyc --quota 3', 'sandbox kyc'],
  run,
};
