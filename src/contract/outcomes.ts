import type { Effect } from './define.ts';
import type { ChangingId, EndpointId } from './index.ts';

/**
 * The possible outcome of a call whose answer was lost, was no answer of the service, or was a fault of the service:
 * - `repeat`: the call may be repeated. With `isAutomatic` the client repeats it a few times by itself.
 * - `read_back`: the call may have succeeded. The endpoint `by` shows this, and must be called before any repeat.
 * - `never`: a lost answer is no reason to repeat the call. The endpoint `by`, if any, shows more.
 */
export type Outcome = {
  readonly after: 'repeat' | 'read_back' | 'never';
  readonly isAutomatic?: true;
  readonly by?: EndpointId;
  /** Money may have moved: the outcome is unknown, not just unavailable. */
  readonly movesMoney?: true;
  /** The hint of the failure: the reason, and the check to make. */
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

/** The outcomes of create-transaction by transaction type. One endpoint creates all types. */
const TRANSACTION_OUTCOMES: Readonly<Record<string, Outcome>> = {
  crypto: CREATED_CRYPTO,
  pixcrypto: CREATED_PIX,
  fiatcrypto: CREATED_PIX,
  cardcrypto: CHARGED_CARD,
  cardfiat: CHARGED_CARD,
};

/** The outcomes of all calls with an effect other than `reads`. A missing call is a type error. */
export const OUTCOMES: Readonly<Record<ChangingId, Outcome>> = {
  'pay.register': {
    after: 'never',
    description:
      'The payment may be registered under an unknown id, and no list shows it. It moves nothing. Another may be registered in its place.',
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

/** The outcome after the answer to a call was lost. A transaction of an unknown type counts as a card transaction. */
export const outcomeOf = (
  { id, effect }: { readonly id: string; readonly effect: Effect },
  input: Readonly<Record<string, unknown>>,
): Outcome => {
  if (effect === 'reads') return READ;
  const type = input['transaction_type'];
  const known = id === 'pay.transaction' && typeof type === 'string' && Object.hasOwn(TRANSACTION_OUTCOMES, type);
  return (known ? TRANSACTION_OUTCOMES[type] : OUTCOMES[id as ChangingId]) ?? UNLISTED;
};
