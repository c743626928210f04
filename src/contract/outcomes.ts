import type { Effect } from './define.ts';
import type { ChangingId, EndpointId } from './index.ts';

/**
 * What a call leaves when its answer is lost, is no answer of the service, or is a fault of the service:
 * - `repeat`: it may be made again. With `isAutomatic` the client does so by itself, a few times.
 * - `read_back`: it may have happened. `by` shows whether it did; only then is it made again, by whoever wants it.
 * - `never`: it is not made again because of a lost answer. `by`, where there is one, shows more.
 */
export type Outcome = {
  readonly after: 'repeat' | 'read_back' | 'never';
  readonly isAutomatic?: true;
  readonly by?: EndpointId;
  /** Money may have moved: the outcome is unknown, not just unavailable. */
  readonly movesMoney?: true;
  /** Why, and what to look at: the hint of the failure. */
  readonly description: string;
};

const READ: Outcome = { after: 'repeat', isAutomatic: true, description: 'It only reads: call it again.' };

const BUILD: Outcome = {
  after: 'repeat',
  isAutomatic: true,
  description: 'It builds an unsigned transaction, and nothing moves before that is signed and sent: call it again.',
};

const CREATED_CRYPTO: Outcome = {
  after: 'read_back',
  by: 'pay.status',
  description:
    'The transaction may have been created: unsigned_tx of the payment shows it. Nothing moves before it is signed and executed.',
};

const CREATED_PIX: Outcome = {
  after: 'read_back',
  by: 'pay.status',
  description: 'The Pix may have been created. Read the payment back: a second Pix for it could be paid as well.',
};

const CHARGED_CARD: Outcome = {
  after: 'never',
  by: 'pay.status',
  movesMoney: true,
  description:
    'The card may have been charged. Read the payment back, and do not send the card again before its charges are known.',
};

/** The creation of a transaction, by its type: the service answers all of them from one path. */
const TRANSACTION_OUTCOMES: Readonly<Record<string, Outcome>> = {
  crypto: CREATED_CRYPTO,
  pixcrypto: CREATED_PIX,
  fiatcrypto: CREATED_PIX,
  cardcrypto: CHARGED_CARD,
  cardfiat: CHARGED_CARD,
};

/** Every call that does more than read. One that is not here is a type error, and is never repeated. */
export const OUTCOMES: Readonly<Record<ChangingId, Outcome>> = {
  'pay.register': {
    after: 'never',
    description:
      'The payment may be registered under an id that nobody was told, and no list shows it. It moves nothing, and another may be registered in its place.',
  },
  'pay.transaction': CHARGED_CARD,
  'pay.execute': {
    after: 'never',
    by: 'pay.status',
    movesMoney: true,
    description: 'Money may have moved. Read the payment back before anything else.',
  },
  'order.create': {
    after: 'read_back',
    by: 'order.list',
    description: 'The order may have been made. Look for it in the list before you create it again: an account has 20.',
  },
  'order.update': {
    after: 'read_back',
    by: 'order.list',
    description: 'The order may have been changed. Look at it in the list before you change it again.',
  },
  'order.toggle': {
    after: 'read_back',
    by: 'order.list',
    description: 'The order may have been switched. Look at it in the list: a second call would switch it back.',
  },
  'kyc.prepare': {
    after: 'repeat',
    description: 'The user may have been prepared. Prepare it again: who is prepared already stays as they are.',
  },
  'kyc.challenge': {
    after: 'repeat',
    description: 'A challenge that nobody saw expires by itself: ask for another.',
  },
  'kyc.prepare-wallet': {
    after: 'read_back',
    by: 'kyc.status',
    description:
      'The challenge may have been used up. Read the KYC status, and ask for a new challenge if the wallet is not there.',
  },
  'kyc.send-otp': {
    after: 'never',
    description: 'A code may have been sent. Look whether the e-mail arrives: another code makes it worthless.',
  },
  'kyc.verify-otp': {
    after: 'never',
    by: 'kyc.status',
    description: 'The code may have been used, and attempts are counted. Read the KYC status before you type it again.',
  },
  'kyc.create': {
    after: 'never',
    by: 'kyc.status',
    description: 'A session may have been opened, and each counts towards the month. The KYC status shows its address.',
  },
  'yield.deposit': BUILD,
  'yield.withdraw': BUILD,
  'yield.rebalance': BUILD,
  'yield.broadcast': {
    after: 'never',
    by: 'yield.earnings',
    movesMoney: true,
    description:
      'Money may have moved. Look for the transaction by its hash, and at the position, before anything else.',
  },
};

const UNLISTED: Outcome = {
  after: 'never',
  description: 'It may have happened all the same. Look before you call it again.',
};

/** The outcome of a lost answer to a call. A transaction of an unknown type may be a card's. */
export const outcomeOf = (
  { id, effect }: { readonly id: string; readonly effect: Effect },
  input: Readonly<Record<string, unknown>>,
): Outcome => {
  if (effect === 'reads') return READ;
  const type = input['transaction_type'];
  const known = id === 'pay.transaction' && typeof type === 'string' && Object.hasOwn(TRANSACTION_OUTCOMES, type);
  return (known ? TRANSACTION_OUTCOMES[type] : OUTCOMES[id as ChangingId]) ?? UNLISTED;
};
