import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Wallet } from 'ethers';
import type { Case } from './crash.ts';
import type { Fault } from './faults.ts';

/** A command that makes a call. `effect` reads from the service how often the service carried out the call. */
export type Prepared = { readonly command: readonly string[]; readonly effect?: () => Promise<number> };

/** The expected exit code, number of effects, and number of calls. */
type End = { readonly exit: number; readonly effect: number; readonly calls: number };

/** A command with one call that changes something, and the hints of its failure. */
export type Subject = {
  readonly path: string;
  readonly prepare: (one: Case) => Promise<Prepared>;
  /** Parts of the hint if the call was lost before or after the service carried it out. */
  readonly hints: { readonly before: string; readonly after: string };
  /** How the command ends instead, if it reads the result back. */
  readonly endAfterRead?: (fault: Fault) => Partial<End>;
};

const UNREADABLE = 'The result could not be read';

const sameHint = (hint: string): Subject['hints'] => ({ before: hint, after: hint });

const ORDER = {
  executor_id: 'api_transaction',
  gateway_method: 'direct',
  on_ramp: false,
  from_currency_symbol: 'BRL',
  amount_from: '25',
  to_currency_symbol: 'USDT',
  payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
};

type Row = { readonly id: string; readonly active: boolean; readonly amount_from: string };

const orders = async ({ ask }: Case) => (await ask('GET', '/order/list'))['orders'] as readonly Row[];

const newOrder = async ({ ask }: Case) => String((await ask('POST', '/order/create', ORDER))['order_id']);

const newEmail = (): string => `${randomBytes(8).toString('hex')}@example.com`;

const preparedEmail = async ({ ask }: Case): Promise<string> => {
  const email = newEmail();
  await ask('POST', '/kyc/prepare', { email });
  return email;
};

type Mail = { readonly code: string };

const inboxOf = async ({ ask }: Case, email: string) =>
  (await ask('GET', `/_sandbox/inbox?to=${encodeURIComponent(email)}`))['emails'] as readonly Mail[];

const sentCode = async (one: Case, email: string): Promise<string> => {
  await one.ask('POST', '/security/email/send-otp', { email });
  return (await inboxOf(one, email))[0]?.code ?? '';
};

const isVerified = async ({ ask }: Case, email: string) =>
  (await ask('POST', '/kyc/prepare', { email }))['email_verified'];

/** The KYC status of a user, or `undefined` if no user was prepared. */
const verification = ({ ask }: Case, query: string) =>
  ask('GET', `/kyc/status?${query}`).catch((error: Error) => {
    if (error.message.includes('kyc_not_found')) return undefined;
    throw error;
  });

const isHung = (fault: Fault): boolean => fault.startsWith('hang');

/** Every command with one call that changes something, except those that move money. */
export const SUBJECTS: Readonly<Record<string, Subject>> = {
  'pay register': {
    path: '/payment/register/intents-create-order',
    prepare: async ({ home }) => ({ command: ['pay', 'register', '--body', join(home, 'payment.json')] }),
    hints: sameHint('registered under an unknown id'),
  },
  'pay transaction': {
    path: '/payment/register/intents-create-transaction',
    prepare: async ({ ask, register, payer }) => {
      const id = await register();
      const payerOptions = ['--payer-email', 'payer@example.com', '--payer-wallet', payer];
      const token = ['--chain-name', 'polygon', '--payer-token-symbol', 'USDT'];
      return {
        command: ['pay', 'transaction', id, '--transaction-type', 'crypto', ...payerOptions, ...token],
        effect: async () => ((await ask('GET', `/payment/${id}/status`))['unsigned_tx'] ? 1 : 0),
      };
    },
    hints: { before: 'it is registered, and shows no transaction', after: 'with a transaction of type crypto' },
  },
  'order create': {
    path: '/order/create',
    prepare: async (one) => ({
      command: [
        'order',
        'create',
        ...['--from-currency-symbol', 'BRL', '--amount-from', '25', '--allow', 'crypto'],
        ...['--to-currency-symbol', 'USDT'],
      ],
      effect: async () => (await orders(one)).length,
    }),
    hints: { before: 'The list has no such order', after: 'The list has these matching orders, newest first' },
  },
  'order update': {
    path: '/order/',
    prepare: async (one) => ({
      command: ['order', 'update', await newOrder(one), '--amount-from', '59.90'],
      effect: async () => (await orders(one)).filter(({ amount_from }) => Number(amount_from) === 59.9).length,
    }),
    hints: { before: 'The list shows that the order is not changed', after: '' },
    endAfterRead: (fault) => (fault.endsWith('before') || isHung(fault) ? {} : { exit: 0 }),
  },
  'order toggle': {
    path: '/toggle',
    prepare: async (one) => ({
      command: ['order', 'toggle', await newOrder(one)],
      effect: async () => (await orders(one)).filter(({ active }) => !active).length,
    }),
    hints: { before: 'After one call the order is still active', after: '' },
    endAfterRead: (fault) => {
      if (isHung(fault) || fault === '429 before') return {};
      return { exit: 0, effect: 1, calls: fault.endsWith('before') ? 2 : 1 };
    },
  },
  'kyc prepare': {
    path: '/kyc/prepare',
    prepare: async (one) => {
      const email = newEmail();
      return {
        command: ['kyc', 'prepare', '--email', email],
        effect: async () => ((await verification(one, `email=${email}`)) ? 1 : 0),
      };
    },
    hints: sameHint('Prepare it again'),
  },
  'kyc send-otp': {
    path: '/security/email/send-otp',
    prepare: async (one) => {
      const email = await preparedEmail(one);
      return {
        command: ['kyc', 'send-otp', '--email', email],
        effect: async () => (await inboxOf(one, email)).length,
      };
    },
    hints: sameHint('Look whether the e-mail arrives'),
  },
  'kyc verify-otp': {
    path: '/security/email/verify-otp',
    prepare: async (one) => {
      const email = await preparedEmail(one);
      const code = await sentCode(one, email);
      return {
        command: ['kyc', 'verify-otp', '--email', email, '--code', code],
        effect: async () => ((await isVerified(one, email)) === true ? 1 : 0),
      };
    },
    hints: sameHint('Read the KYC status before you type it again'),
  },
  'kyc challenge': {
    path: '/security/wallet/challenge',
    prepare: async ({ payer }) => ({ command: ['kyc', 'challenge', '--wallet', payer] }),
    hints: sameHint('ask for another'),
  },
  'kyc prepare-wallet': {
    path: '/kyc/prepare-wallet',
    prepare: async (one) => {
      const wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`);
      const { address } = wallet;
      const message = String((await one.ask('POST', '/security/wallet/challenge', { wallet: address }))['message']);
      const proof = ['--message', message, '--signed-bytes', wallet.signMessageSync(message)];
      return {
        command: ['kyc', 'prepare-wallet', '--wallet', address, ...proof],
        effect: async () => ((await verification(one, `wallet=${address}`)) ? 1 : 0),
      };
    },
    hints: sameHint('Read the KYC status, and ask for a new challenge'),
  },
  'kyc create': {
    path: '/kyc/create/',
    prepare: async (one) => {
      const email = await preparedEmail(one);
      await one.ask('POST', '/security/email/verify-otp', { email, code: await sentCode(one, email) });
      return {
        command: ['kyc', 'create', '--email', email],
        effect: async () => ((await verification(one, `email=${email}`))?.['session_id'] ? 1 : 0),
      };
    },
    hints: sameHint('The KYC status shows its address'),
  },
};

/** How the command of a subject ends, and a part of its hint, if its first call meets a fault. */
export const endOf = ({ hints, endAfterRead }: Subject, fault: Fault): End & { readonly hint: string } => {
  const [isBefore, isLimit] = [fault.endsWith('before'), fault.startsWith('429')];
  const end = { exit: isLimit ? 7 : 5, effect: isBefore ? 0 : 1, calls: 1, ...endAfterRead?.(fault) };
  const isReadBack = hints.before !== hints.after;
  // Without a read back, a 429 means that the service did not carry out the call.
  if (isLimit && !isReadBack) return { ...end, hint: '' };
  return { ...end, hint: isReadBack && isHung(fault) ? UNREADABLE : hints[isBefore ? 'before' : 'after'] };
};
