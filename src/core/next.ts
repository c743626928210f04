import { shellQuote } from './shell.ts';

type Argv = readonly string[];

const bursar = (...words: readonly (string | undefined)[]): Argv => [
  'bursar',
  ...words.filter((word) => word !== undefined),
];

const option = (flag: string, value: string | undefined): Argv => (value === undefined ? [] : [flag, value]);

/** By what `kyc` commands name a user: an e-mail address, a key (its name or its address), or both. */
export type KycName = { readonly email?: string | undefined; readonly key?: string | undefined };

const kycName = ({ email, key }: KycName): Argv => [...option('--key', key), ...option('--email', email)];

/**
 * Every command that bursar prints as `next:`, by the situation that it is printed in. Each is complete: it can be pasted
 * as it is. Advice that is no command is a `hint`. The tests run each one from its situation until the matter ends or
 * waits for the outside world; an id without such a scenario does not compile there.
 */
const STEPS = {
  /** A payment was interrupted, or waits. */
  'pay.resume': (id: string) => bursar('pay', 'resume', id),
  /** Nothing more is signed or sent without the user's yes. */
  'pay.resume.confirmed': (id: string) => bursar('pay', 'resume', id, '--yes'),
  /** The signed transaction may have been sent, or may still be sent. */
  'pay.resume.live': (id: string) => bursar('pay', 'resume', id),
  /** The amount to pay is above the user's bound. */
  'pay.resume.bound': (id: string, payAtMost: string) => bursar('pay', 'resume', id, '--pay-at-most', payAtMost),
  /** Another operation of the wallet has its turn, or used the nonce. */
  'pay.resume.turn': (id: string, isConfirmed: boolean) =>
    bursar('pay', 'resume', id, isConfirmed ? '--yes' : undefined),
  /** A card or a Pix of the payment may be charged or paid. */
  'pay.resume.charge': (id: string) => bursar('pay', 'resume', id),
  /** The operation was started with another API key, which the one in use may have replaced. */
  'operation.resume.new_api_key': (area: string, id: string) => bursar(area, 'resume', id, '--new-api-key'),
  /** The operation was started under another profile. */
  'operation.resume.profile': (area: string, id: string, profile: string) =>
    bursar(area, 'resume', id, '--profile', profile),
  /** Several operations are open. */
  'operation.resume.all': (area: string) => bursar(area, 'resume', '--all'),
  /** An earlier operation for the same is still open. */
  'operation.resume.earlier': (area: string, id: string) => bursar(area, 'resume', id),
  /** What the journal has of an operation that is named in the message. */
  'operation.show': (area: string, id: string) => bursar(area, 'show', id),
  'operation.list': (area: string) => bursar(area, 'list'),
  'operation.list.open': (area: string) => bursar(area, 'list', '--open'),
  /** The operation can never be resumed: its sandbox was reset. */
  'operation.forget': (area: string, id: string) => bursar(area, 'forget', id),

  /** What the service shows of a payment. */
  'pay.status': (paymentId: string) => bursar('pay', 'status', paymentId),
  /** The payment was executed, or its payer's bank or card issuer acts. */
  'pay.status.wait': (paymentId: string) => bursar('pay', 'status', paymentId, '--wait'),
  /** The payment has no payer transaction, or one that is out of date. */
  'pay.transaction': (paymentId: string) => bursar('pay', 'transaction', paymentId),
  'pay.transaction.crypto': (paymentId: string) =>
    bursar('pay', 'transaction', paymentId, '--transaction-type', 'crypto'),
  /** The payment has an unsigned transaction. */
  'pay.execute': (paymentId: string) => bursar('pay', 'execute', paymentId),
  /** Another operation of the wallet had its turn. */
  'pay.sign.turn': (paymentId: string, key: string) => bursar('pay', 'sign', paymentId, '--key', key),
  /** `--curl` and `--dry-run` need signed bytes. */
  'pay.sign.bytes': (paymentId: string, key: string) =>
    bursar('pay', 'sign', paymentId, '--key', key, '--jq', '.signed_transaction'),
  /** What was asked for is gone, or ended: the payment is made again. */
  'pay.run': () => bursar('pay', 'run'),

  'yield.resume': (id: string) => bursar('yield', 'resume', id),
  'yield.resume.confirmed': (id: string) => bursar('yield', 'resume', id, '--yes'),
  'yield.resume.live': (id: string) => bursar('yield', 'resume', id),
  'yield.resume.turn': (id: string, isConfirmed: boolean) =>
    bursar('yield', 'resume', id, isConfirmed ? '--yes' : undefined),
  /** One transaction of two has landed. */
  'yield.resume.half': (id: string) => bursar('yield', 'resume', id),
  /** An operation whose outcome is not known has to be settled before another. */
  'yield.resume.earlier': (id: string) => bursar('yield', 'resume', id),
  'yield.strategies': (asset?: string) => bursar('yield', 'strategies', asset),
  /** An operation landed: what the wallet has with the provider. */
  'yield.earnings': (at: {
    readonly wallet: string;
    readonly asset: string;
    readonly provider: string;
    readonly chain: string;
  }) =>
    bursar(
      ...['yield', 'earnings', '--wallet', at.wallet, '--asset', at.asset],
      ...['--provider', at.provider, '--chain-name', at.chain],
    ),

  'kyc.start': (name: KycName) => bursar('kyc', 'start', ...kycName(name)),
  /** A new session counts towards the month's quota. */
  'kyc.start.confirmed': (name: KycName) => bursar('kyc', 'start', ...kycName(name), '--yes'),
  /** A code was sent, and is still valid. */
  'kyc.start.otp_sent': (name: KycName) => bursar('kyc', 'start', ...kycName(name), '--otp-sent'),
  /** No one can type the code: it comes from a pipe. */
  'kyc.start.code': (name: KycName, isSent: boolean) =>
    bursar('kyc', 'start', ...kycName(name), '--code-stdin', isSent ? '--otp-sent' : undefined),
  'kyc.status': (by: Argv) => bursar('kyc', 'status', ...by),
  'kyc.status.wait': (by: Argv) => bursar('kyc', 'status', ...by, '--wait'),
  'kyc.prepare': (email: string) => bursar('kyc', 'prepare', '--email', email),
  'kyc.send_otp': (email: string) => bursar('kyc', 'send-otp', '--email', email),
  'kyc.verify_otp': (email: string) => bursar('kyc', 'verify-otp', '--email', email),
  'kyc.create': (by: Argv) => bursar('kyc', 'create', 'verify_public_kyc', ...by),

  'order.list': () => bursar('order', 'list'),
  'order.list.all': () => bursar('order', 'list', '--all'),

  'key.list': () => bursar('key', 'list'),
  'key.show': (name: string) => bursar('key', 'show', name),
  'key.new': (name: string, chain: string) => bursar('key', 'new', name, '--chain', chain),
  /** The policy file of a key is not as it was set. */
  'key.policy.unset': (key: string) => bursar('key', 'policy', 'unset', key),

  'login.profile': (profile: string, baseUrl?: string) =>
    bursar('login', '--profile', profile, ...option('--base-url', baseUrl)),
  login: () => bursar('login'),
  whoami: () => bursar('whoami', '--offline'),
  'profile.list': () => bursar('profile', 'list'),
  /** A setting of a profile has no effect. */
  'profile.unset': (name: string, field: string) => bursar('profile', 'set', name, `${field}=`),
  'profile.use': (name: string) => bursar('profile', 'use', name),
  doctor: () => bursar('doctor'),
  explain: (code?: string) => bursar('explain', code),
  help: (...words: string[]) => bursar('help', ...words),

  /** The wallet lacks test money. */
  'sandbox.fund': (who: string) => bursar('sandbox', 'fund', who),
  /** A Pix of a test payment waits for its payer's bank. */
  'sandbox.pix': (paymentId: string) => bursar('sandbox', 'pix', paymentId, '--pay'),
  'sandbox.start': () => bursar('sandbox', 'start'),
  'sandbox.status': () => bursar('sandbox', 'status'),
  /** What the sandbox itself named in its log when it could not start. */
  'sandbox.log': (argv: Argv): Argv => argv,
  'sandbox.reset': () => bursar('sandbox', 'reset'),

  /** The same command line: another operation of the wallet had its turn. */
  again: (args: Argv) => bursar(...args),
  /** The same command line, confirmed. */
  'again.yes': (args: Argv) => {
    const end = args.indexOf('--');
    return end < 0 ? bursar(...args, '--yes') : bursar(...args.slice(0, end), '--yes', ...args.slice(end));
  },
  /** The same command line, as it was completed by questions, with the transaction signed and sent. */
  'again.broadcast': (args: Argv) => bursar(...args, '--broadcast'),

  /** A file or folder that others can read or write. */
  'file.private': (mode: '600' | '700', path: string): Argv => ['chmod', mode, path],
  /** The keyring of the system does not hold the password. */
  'keyring.store': (argv: Argv): Argv => argv,
  /** A file or folder stands where a settings file is read. */
  'file.aside': (path: string): Argv => ['mv', path, `${path}.aside`],
  /** A file that the sandbox wrote is damaged, and is written again. */
  'file.remove': (path: string): Argv => ['rm', path],
} as const satisfies Record<string, (...facts: never[]) => Argv>;

/** The situations whose command resumes the operation that was worked on. */
const OWN_RESUMES = [
  ...(['pay.resume', 'pay.resume.confirmed', 'pay.resume.live', 'pay.resume.bound', 'pay.resume.turn'] as const),
  ...(['pay.resume.charge', 'yield.resume', 'yield.resume.confirmed', 'yield.resume.live'] as const),
  ...(['yield.resume.turn', 'yield.resume.half'] as const),
] satisfies readonly (keyof typeof STEPS)[];

/** Those whose command resumes others, or in another way. */
const OTHER_RESUMES = [
  ...(['yield.resume.earlier', 'operation.resume.earlier', 'operation.resume.all'] as const),
  ...(['operation.resume.profile', 'operation.resume.new_api_key'] as const),
] satisfies readonly (keyof typeof STEPS)[];

/** The situation in which a command is printed as the next one. */
export type NextId = keyof typeof STEPS;

/** Whether a command resumes the operation that was worked on: what was decided for it holds for no other. */
export const isOwnResume = (id: NextId): boolean => OWN_RESUMES.some((each) => each === id);

/** Whether a command resumes an operation. */
export const isResume = (id: NextId): boolean => isOwnResume(id) || OTHER_RESUMES.some((each) => each === id);

/** Every situation. */
export const NEXT_IDS = Object.keys(STEPS) as readonly NextId[];

/** A command that makes progress, as it is printed after `next:`. */
export type NextStep = { readonly id: NextId; readonly argv: Argv };

/** The next command of a situation, from the facts that it needs. */
export const nextStep = <Id extends NextId>(id: Id, ...facts: Parameters<(typeof STEPS)[Id]>): NextStep => ({
  id,
  argv: (STEPS[id] as (...each: Parameters<(typeof STEPS)[Id]>) => Argv)(...facts),
});

/** The same command with more options. */
export const withOptions = (step: NextStep, options: Argv): NextStep => ({ ...step, argv: [...step.argv, ...options] });

/** What begins a word that a variable of the user's shell stands for. Unicode reserves it for the use inside a program. */
const VARIABLE = '\ufdd3';

/** A word that is not printed itself, such as a secret: the name of a variable stands for it. */
export const variable = (name: string): string => `${VARIABLE}${name}`;

const isVariable = (word: string): boolean => new RegExp(`^${VARIABLE}[A-Z_]+$`).test(word);

const shellWord = (word: string): string => {
  if (isVariable(word)) return `"$${word.slice(VARIABLE.length)}"`;
  return /^[\w./:@%=,+-]+$/.test(word) ? word : shellQuote(word);
};

/** The command as a line for a POSIX shell. */
export const commandLine = ({ argv }: Pick<NextStep, 'argv'>): string => argv.map(shellWord).join(' ');
