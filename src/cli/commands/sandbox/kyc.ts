import { Failure } from '../../../core/failure.ts';
import type { Cli } from '../../cli.ts';
import type { Leaf } from '../../command.ts';
import { type Given, isOn, type Option, textOf } from '../../options.ts';
import { required } from '../../required.ts';
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

const decisionFrom = (given: Given): Decision => {
  const [decision, ...more] = NAMES.filter((name) => isOn(given, name));
  if (decision && more.length === 0) return decision;
  throw new Failure('invalid_input', `give one decision: ${FLAGS}`);
};

const quotaFrom = (text: string): number => {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Failure('invalid_input', `--quota: "${text}" is not a number of sessions`);
};

const decide = async (cli: Cli, given: Given): Promise<void> => {
  const { EMAIL_OR_WALLET: whom } = required({ EMAIL_OR_WALLET: textOf(given, 'email_or_wallet') });
  const decision = decisionFrom(given);
  const named = whom.includes('@') ? { email: whom } : { wallet: whom };
  const control = await sandboxControl(cli);
  await cli.answer(await control.kyc({ ...named, decision }));
};

const showQuota = async (cli: Cli): Promise<void> => cli.answer(await (await sandboxControl(cli)).readKycQuota());

const run = async (cli: Cli, given: Given): Promise<void> => {
  const quota = textOf(given, 'quota');
  const isOfUser = textOf(given, 'email_or_wallet') !== undefined || NAMES.some((name) => isOn(given, name));
  if (quota === undefined) return isOfUser ? decide(cli, given) : showQuota(cli);
  if (isOfUser) {
    throw new Failure('invalid_input', '--quota stands alone: it is for all users');
  }
  const sessions = quotaFrom(quota);
  const control = await sandboxControl(cli);
  return cli.answer(await control.kycQuota(sessions));
};

/** `sandbox kyc`. */
export const kyc: Leaf = {
  words: ['sandbox', 'kyc'],
  summary: 'Decide the verification of a user, as its provider would',
  about: ['The user must have been prepared; an open session is decided with it. Alone it shows the quota.'],
  arguments: [{ name: 'EMAIL_OR_WALLET', says: 'The user', isOptional: true }],
  options: [
    ...Object.entries(DECISIONS).map(([name, says]): Option => ({ flag: `--${name}`, says })),
    { flag: '--quota', value: 'N', says: 'Instead: let N sessions be opened in a month' },
  ],
  fails: ['sandbox_unavailable', 'not_found', 'rejected'],
  examples: ['sandbox kyc payer@example.com --approve', 'sandbox kyc --quota 3', 'sandbox kyc'],
  run,
};
