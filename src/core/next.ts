type Argv = readonly string[];

const bursar = (...words: readonly (string | undefined)[]): Argv => [
  'bursar',
  ...words.filter((each) => each !== undefined),
];

const option = (flag: string, value: string | undefined): Argv => (value === undefined ? [] : [flag, value]);

/** Identifies a user for `kyc` commands: by an e-mail address, a key (its name or address), or both. */
export type KycName = { readonly email?: string | undefined; readonly key?: string | undefined };

const kycName = ({ email, key }: KycName): Argv => [...option('--key', key), ...option('--email', email)];

/** What is known of the payer of a payment; an empty text is unknown. */
export type PayerFacts = {
  readonly email?: string | undefined;
  readonly wallet?: string | undefined;
  readonly chain?: string | undefined;
  readonly token?: string | undefined;
};

/** The option of each of these facts, which every transaction in crypto needs. */
const PAYER_OPTIONS = {
  email: '--payer-email',
  wallet: '--payer-wallet',
  chain: '--chain-name',
  token: '--payer-token-symbol',
} as const satisfies Record<keyof PayerFacts, string>;

const PAYER_FACTS = Object.keys(PAYER_OPTIONS) as readonly (keyof PayerFacts)[];

const payerOptions = (known: PayerFacts): Argv =>
  PAYER_FACTS.flatMap((name) => option(PAYER_OPTIONS[name], known[name] || undefined));

/**
 * Every command that bursar prints as `next:`, by situation. Each command is complete and can be pasted. Advice that is
 * not a command is a `hint`. test/journeys/ runs each command from its situation; an id without a scenario is a type
 * error there.
 */
const STEPS = {
  /** A payment was interrupted, or waits for another party. */
  'pay.resume': (id: string) => bursar('pay', 'resume', id),
  /** The resume would sign or send, which needs the user's confirmation. `isAsked`: a terminal asks for it. */
  'pay.resume.confirmed': (id: string, isAsked = false) => bursar('pay', 'resume', id, isAsked ? undefined : '--yes'),
  /** The signed transaction may have been sent, or may still be sent. */
  'pay.resume.live': (id: string) => bursar('pay', 'resume', id),
  /** The amount to pay is above the user's bound. The service computed it, so the user writes the new bound. */
  'pay.resume.bound': (id: string, isAsked = true) =>
    bursar('pay', 'resume', id, '--pay-at-most', variable('PAY_AT_MOST'), isAsked ? undefined : '--yes'),
  /** Another operation of the wallet goes on, or used the nonce. */
  'pay.resume.turn': (id: string, isSure: boolean) => bursar('pay', 'resume', id, isSure ? '--yes' : undefined),
  /** A card or a Pix of the payment may be charged or paid. */
  'pay.resume.charge': (id: string) => bursar('pay', 'resume', id),
  /** The operation was started with another API key, which the current key may have replaced. */
  'operation.resume.new_api_key': (area: string, id: string) => bursar(area, 'resume', id, '--new-api-key'),
  /** The operation was started under another profile. */
  'operation.resume.profile': (area: string, id: string, name: string) => bursar(area, 'resume', id, '--profile', name),
  /** Several operations are open. */
  'operation.resume.all': (area: string) => bursar(area, 'resume', '--all'),
  /** An earlier operation for the same payment is still open. */
  'operation.resume.earlier': (area: string, id: string) => bursar(area, 'resume', id),
  /** The message names an operation: shows its record in the journal. */
  'operation.show': (area: string, id: string) => bursar(area, 'show', id),
  'operation.list': (area: string) => bursar(area, 'list'),
  'journal.init': () => bursar('journal', 'init'),
  'journal.join': () => bursar('journal', 'join', '--key-stdin'),
  /** A move of the folder was killed. */
  'journal.migrate': (to: string) => bursar('journal', 'migrate', '--to', to),
  'operation.list.open': (area: string) => bursar(area, 'list', '--open'),
  /** The operation can never be resumed: its sandbox was reset. */
  'operation.forget': (area: string, id: string) => bursar(area, 'forget', id),

  'pay.status': (paymentId: string) => bursar('pay', 'status', paymentId),
  /** The payment was executed, or its payer's bank or card issuer acts. */
  'pay.status.wait': (paymentId: string) => bursar('pay', 'status', paymentId, '--wait'),
  /** The payment has no payer transaction, or one that is out of date. */
  'pay.transaction': (paymentId: string, payer: PayerFacts = {}) =>
    bursar('pay', 'transaction', paymentId, ...payerOptions(payer)),
  'pay.transaction.crypto': (paymentId: string, payer: PayerFacts = {}) =>
    bursar('pay', 'transaction', paymentId, '--transaction-type', 'crypto', ...payerOptions(payer)),
  /** The payment has an unsigned transaction. */
  'pay.execute': (paymentId: string) => bursar('pay', 'execute', paymentId),
  /** Another operation of the wallet was in progress. */
  'pay.sign.turn': (paymentId: string, key: string) => bursar('pay', 'sign', paymentId, '--key', key),
  /** `--curl` and `--dry-run` need signed bytes. */
  'pay.sign.bytes': (paymentId: string, key: string) =>
    bursar('pay', 'sign', paymentId, '--key', key, '--jq', '.signed_transaction'),
  /** The payment is gone or has ended: start a new one. */
  'pay.run': (stated: Argv = []) => bursar('pay', 'run', ...stated),

  'yield.resume': (id: string) => bursar('yield', 'resume', id),
  'yield.resume.confirmed': (id: string) => bursar('yield', 'resume', id, '--yes'),
  'yield.resume.live': (id: string) => bursar('yield', 'resume', id),
  'yield.resume.turn': (id: string, isConfirmed: boolean) =>
    bursar('yield', 'resume', id, isConfirmed ? '--yes' : undefined),
  /** One transaction of two has landed. */
  'yield.resume.half': (id: string) => bursar('yield', 'resume', id),
  /** An earlier operation with an unknown outcome must be settled first. */
  'yield.resume.earlier': (id: string) => bursar('yield', 'resume', id),
  /** The wallet has nothing to withdraw or to move. */
  'yield.deposit': (wallet?: string) => bursar('yield', 'deposit', ...option('--wallet', wallet)),
  'yield.strategies': (asset?: string) => bursar('yield', 'strategies', asset),
  /** An operation landed: shows the wallet's position with the provider. */
  'yield.earnings': (at: Readonly<Record<'wallet' | 'asset' | 'provider' | 'chain', string>>) =>
    bursar(
      ...['yield', 'earnings', '--wallet', at.wallet, '--asset', at.asset],
      ...['--provider', at.provider, '--chain-name', at.chain],
    ),

  'kyc.start': (name: KycName) => bursar('kyc', 'start', ...kycName(name)),
  /** A new session counts towards the month's quota. */
  'kyc.start.confirmed': (name: KycName) => bursar('kyc', 'start', ...kycName(name), '--yes'),
  /** A code was sent, and is still valid. */
  'kyc.start.otp_sent': (name: KycName) => bursar('kyc', 'start', ...kycName(name), '--otp-sent'),
  /** No user is at a terminal to type the code, so it comes from a pipe. */
  'kyc.start.code': (name: KycName, isSent: boolean) =>
    bursar('kyc', 'start', ...kycName(name), '--code-stdin', isSent ? '--otp-sent' : undefined),
  'kyc.status': (by: Argv) => bursar('kyc', 'status', ...by),
  'kyc.status.wait': (by: Argv) => bursar('kyc', 'status', ...by, '--wait'),
  /** The key of the wallet is on another machine. */
  'kyc.challenge': (wallet: string) => bursar('kyc', 'challenge', '--wallet', wallet),
  'kyc.prepare': (email: string) => bursar('kyc', 'prepare', '--email', email),
  'kyc.send_otp': (email: string) => bursar('kyc', 'send-otp', '--email', email),
  'kyc.verify_otp': (email: string) => bursar('kyc', 'verify-otp', '--email', email),
  'kyc.create': (by: Argv) => bursar('kyc', 'create', ...by),

  'order.create': () => bursar('order', 'create'),
  'order.list': () => bursar('order', 'list'),
  'order.list.all': () => bursar('order', 'list', '--all'),
  'webhook.list': () => bursar('webhook', 'list'),
  /** Deliveries are kept that a target did not accept. */
  'webhook.replay': (which: Argv, targets: Argv) =>
    bursar('webhook', 'replay', ...which, ...targets.flatMap((url) => option('--forward-to', url))),
  'alias.list': () => bursar('alias', 'list'),
  'key.list': () => bursar('key', 'list'),
  'key.show': (name: string) => bursar('key', 'show', name),
  'key.new': (name: string, chain: string) => bursar('key', 'new', name, '--chain', chain),
  /** The policy file of a key was changed from outside. */
  'key.policy.unset': (key: string) => bursar('key', 'policy', 'unset', key),

  'login.profile': (profile: string, baseUrl?: string) =>
    bursar('login', '--profile', profile, ...option('--base-url', baseUrl)),
  /** The service has no profile yet. */
  'login.new': (profile: string) => bursar('login', '--profile', profile),
  login: () => bursar('login'),
  whoami: () => bursar('whoami', '--offline'),
  'profile.list': () => bursar('profile', 'list'),
  /** A setting of a profile has no effect. */
  'profile.unset': (name: string, field: string) => bursar('profile', 'set', name, `${field}=`),
  'profile.use': (name: string) => bursar('profile', 'use', name),
  doctor: () => bursar('doctor'),
  explain: (code?: string) => bursar('explain', code),
  openapi: () => bursar('openapi'),
  help: (...words: string[]) => bursar('help', ...words),

  /** The wallet lacks test money. */
  'sandbox.fund': (who: string, gift?: { readonly chain: string; readonly token: string; readonly amount: string }) =>
    bursar(
      ...['sandbox', 'fund', who],
      ...(gift ? ['--chain', gift.chain, '--token', gift.token, '--amount', gift.amount] : []),
    ),
  /** A test payment waits for the issuer of its card, or for its payer's bank. */
  'sandbox.card': (paymentId: string) => bursar('sandbox', 'card', paymentId, '--approve'),
  'sandbox.pix': (paymentId: string) => bursar('sandbox', 'pix', paymentId, '--pay'),
  /** No payment is in processing that could be released. */
  'sandbox.trigger': () => bursar('sandbox', 'trigger', 'processing'),
  'sandbox.events': () => bursar('sandbox', 'events'),
  'sandbox.start': () => bursar('sandbox', 'start'),
  'sandbox.status': () => bursar('sandbox', 'status'),
  'sandbox.stop': () => bursar('sandbox', 'stop'),
  /** The command that the sandbox's log names after a failed start. */
  'sandbox.log': (argv: Argv): Argv => argv,
  'sandbox.snapshots': () => bursar('sandbox', 'snapshot', '--list'),
  'sandbox.reset': () => bursar('sandbox', 'reset'),
  'sandbox.chain.enable': (chain: string) => bursar('sandbox', 'chain', 'enable', chain),

  /** The same command line, after another operation of the wallet, or after a charge that ended in error. */
  again: (args: Argv) => bursar(...args),
  /** The same command line, confirmed. */
  'again.yes': (args: Argv) => {
    const end = args.indexOf('--');
    return end < 0 ? bursar(...args, '--yes') : bursar(...args.slice(0, end), '--yes', ...args.slice(end));
  },
  /** The same command line with the user's answers, to sign and send the transaction. */
  'again.broadcast': (args: Argv) => bursar(...args, '--broadcast'),

  /** Other users can read or write a file or folder. */
  'file.private': (mode: '600' | '700', path: string): Argv => ['chmod', mode, path],
  /** The system's keyring does not contain the password. */
  'keyring.store': (argv: Argv): Argv => argv,
  /** Another file or folder has the name of a settings file. */
  'file.aside': (path: string): Argv => ['mv', path, `${path}.aside`],
  /** A file of the sandbox is damaged. The sandbox writes it again. */
  'file.remove': (path: string): Argv => ['rm', path],
} as const satisfies Record<string, (...facts: never[]) => Argv>;

/** Situations whose command resumes other operations, or with other options. */
const OTHER_RESUMES = [
  ...(['yield.resume.earlier', 'operation.resume.earlier', 'operation.resume.all'] as const),
  ...(['operation.resume.profile', 'operation.resume.new_api_key'] as const),
] satisfies readonly (keyof typeof STEPS)[];

/** The id of a situation that has a next command. */
export type NextId = keyof typeof STEPS;

export const isResume = (id: NextId): boolean => id.split('.')[1] === 'resume';

/** Whether the command resumes the operation of the failed command, so that it repeats the options of that operation. */
export const isOwnResume = (id: NextId): boolean => isResume(id) && !OTHER_RESUMES.some((each) => each === id);

export const NEXT_IDS = Object.keys(STEPS) as readonly NextId[];

export type NextStep = { readonly id: NextId; readonly argv: Argv };

/** Makes the next command of a situation from its facts. */
export const nextStep = <Id extends NextId>(id: Id, ...facts: Parameters<(typeof STEPS)[Id]>): NextStep => ({
  id,
  argv: (STEPS[id] as (...each: Parameters<(typeof STEPS)[Id]>) => Argv)(...facts),
});

/** Appends options to a next command. */
export const withOptions = (step: NextStep, options: Argv): NextStep => ({ ...step, argv: [...step.argv, ...options] });

/** Marks a word that is a shell variable. Unicode reserves this character for internal use. */
const VARIABLE = '\ufdd3';

/** A word that prints as a shell variable in place of its value, such as a secret. */
export const variable = (name: string): string => `${VARIABLE}${name}`;

/** Adds the missing options to a command that creates a transaction: a shell variable for each unknown value. */
export const withPayerVariables = (step: NextStep): NextStep => {
  if (step.id !== 'pay.transaction' && step.id !== 'pay.transaction.crypto') return step;
  const type = step.argv.includes('--transaction-type') ? [] : ['--transaction-type', 'crypto'];
  const unknown = Object.values(PAYER_OPTIONS).filter((flag) => !step.argv.includes(flag));
  const variables = unknown.flatMap((flag) => [flag, variable(flag.slice(2).replaceAll('-', '_').toUpperCase())]);
  return withOptions(step, [...type, ...variables]);
};

/** A word for a POSIX shell, quoted where it must be. */
export const shellWord = (word: string): string => {
  if (new RegExp(`^${VARIABLE}[A-Z_]+$`).test(word)) return `"$${word.slice(VARIABLE.length)}"`;
  return /^[\w./:@%=,+-]+$/.test(word) ? word : shellQuote(word);
};

/** Writes a command as a line for a POSIX shell. */
export const commandLine = ({ argv }: Pick<NextStep, 'argv'>): string => argv.map(shellWord).join(' ');

/** Quotes a text for a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
