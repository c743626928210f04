import { STALE_NONCE } from '../contract/pay/shared.ts';
import { BLOCKHASH_EXPIRED } from '../contract/yield/shared.ts';
import type { ChargeIntent, Entry, Intent, PaymentIntent, PixFacts, StepIntent } from './entry.ts';
import type { Line, Recorded } from './read.ts';
import type { Position, RelayIntent, YieldIntent } from './yield-entry.ts';

/**
 * Whether signed bytes may have reached the chain.
 * - `no`: they were never handed to anybody, or those who got them have certainly not taken them.
 * - `maybe`: a call with them was begun, and how it ended is not known.
 * - `yes`: they were taken, and have landed or will.
 */
export type Sent = 'no' | 'maybe' | 'yes';

/** Signed bytes of a movement and the hash by which the chain knows them. `part` counts from 1. */
export type SignedPart = {
  readonly part: number;
  readonly signed_transaction: string;
  readonly hash: string;
  readonly from: string;
  readonly sent: Sent;
  /** What it was before the last call with them: that one's certain failure says nothing of an earlier one. */
  readonly sent_before: Sent;
  /** Shown to be unable to land any more, without having landed. */
  readonly isDead: boolean;
};

/** Why the last call of a movement, or its review, ended it. */
export type Stop = { readonly code: string; readonly status: string | undefined; readonly is_unknown: boolean };

/** The last step of a movement that counts; `failed` and `refused` stand beside it. */
export type Stage = Exclude<Entry['step'], 'failed' | 'refused' | 'dead'>;

/** What the entries of a movement come to. */
export type MovementState = {
  readonly id: string;
  readonly begun_at: string;
  /** When its last entry was made. */
  readonly last_at: string;
  readonly begun: Extract<Entry, { step: 'begun' }>;
  readonly stage: Stage;
  readonly stop: Stop | undefined;
  readonly payment_id: string | undefined;
  readonly crypto_tx: unknown;
  /** The Pix that its payer was shown. */
  readonly pix: PixFacts | undefined;
  /** A sending of its card before the last one is in doubt: that one's certain failure says nothing of it. */
  readonly isCardInDoubt: boolean;
  /** Unsigned transactions of a yield operation, and what its wallet had before. */
  readonly built: { readonly transactions: readonly string[]; readonly positions: readonly Position[] } | undefined;
  /** The newest of each part last. */
  readonly signed: readonly SignedPart[];
  /** The final state that the service showed; of a yield operation `settled` or `set_aside`. */
  readonly status: string | undefined;
  /** The hash that the service showed at the end. */
  readonly tid_hash: string | undefined;
};

/** Whether an intent is that of a payment, and not of a yield operation. */
export const isPaymentIntent = (intent: Intent): intent is PaymentIntent => !('operation' in intent);

/** Whether an intent is that of a payment by Pix or by card. */
export const isChargeIntent = (intent: Intent): intent is ChargeIntent =>
  'operation' in intent && (intent.operation === 'pix' || intent.operation === 'card');

export const isYieldIntent = (intent: Intent): intent is YieldIntent =>
  'operation' in intent && ['deposit', 'withdraw', 'rebalance'].includes(intent.operation);

/** Whether an intent is a step of a payment that is taken step by step. */
export const isStepIntent = (intent: Intent): intent is StepIntent =>
  'operation' in intent && (intent.operation === 'register' || intent.operation === 'transaction');

/** Whether an intent is that of bytes that are only passed on. */
export const isRelayIntent = (intent: Intent): intent is RelayIntent =>
  'operation' in intent && intent.operation === 'broadcast';

const withPart = (
  state: MovementState,
  hash: string,
  change: (part: SignedPart) => Partial<SignedPart>,
): MovementState => ({
  ...state,
  signed: state.signed.map((part) => (part.hash === hash ? { ...part, ...change(part) } : part)),
});

/** The bytes whose call has begun and not ended. */
const underWay = ({ signed }: MovementState): SignedPart | undefined => signed.findLast(({ sent }) => sent === 'maybe');

/** Refusals of bytes that may land all the same, or have landed before, until they are shown to be dead. */
const MAY_LAND_YET: readonly string[] = [BLOCKHASH_EXPIRED, STALE_NONCE];

/**
 * Whether a card was sent: `maybe` when nothing says what became of the call, `yes` when it was taken and its end is not
 * known. Once in doubt it stays so until it was taken, or its payment ended.
 */
export const cardSent = ({ begun: { intent }, stage, stop, isCardInDoubt }: MovementState): Sent => {
  if (!isChargeIntent(intent) || intent.operation !== 'card') return 'no';
  if (stage === 'created') return 'yes';
  return stage === 'creating' && (isCardInDoubt || stop?.is_unknown !== false) ? 'maybe' : 'no';
};

const isOfSending = (stage: Stage): boolean => stage === 'executing' || stage === 'broadcasting';

const failedWith = (state: MovementState, stop: Stop): MovementState => {
  const isCardInDoubt = state.isCardInDoubt || (state.stop?.is_unknown === true && cardSent(state) === 'maybe');
  const stopped = { ...state, stop, isCardInDoubt };
  const open = isOfSending(state.stage) ? underWay(state) : undefined;
  const isCertain = !stop.is_unknown && !MAY_LAND_YET.includes(stop.status ?? '');
  return open && isCertain ? withPart(stopped, open.hash, ({ sent_before }) => ({ sent: sent_before })) : stopped;
};

const signedPart = (
  part: number,
  { signed_transaction, hash, from }: Pick<SignedPart, 'signed_transaction' | 'hash' | 'from'>,
) => ({
  part,
  signed_transaction,
  hash,
  from,
  sent: 'no' as const,
  sent_before: 'no' as const,
  isDead: false,
});

/** What one entry changes. An entry that says where the movement is takes back that it had stopped. */
const apply = (before: MovementState, line: Line): MovementState => {
  const state = { ...before, last_at: line.at };
  if (line.step === 'failed') {
    return failedWith(state, { code: line.code, status: line.status, is_unknown: line.is_unknown });
  }
  if (line.step === 'refused') {
    const stop = { code: 'refused_by_review', status: undefined, is_unknown: false };
    return { ...state, payment_id: line.payment_id ?? state.payment_id, stop };
  }
  if (line.step === 'dead') return withPart(state, line.hash, () => ({ sent: 'no', isDead: true }));
  const payment_id = 'payment_id' in line ? line.payment_id : state.payment_id;
  const next: MovementState = { ...state, payment_id, stage: line.step, stop: undefined };
  switch (line.step) {
    case 'created':
      return { ...next, crypto_tx: line.crypto_tx };
    case 'payable':
      return {
        ...next,
        pix: { code: line.code, txid: line.txid, amount: line.amount, expires_at: line.expires_at },
      };
    case 'built':
      return { ...next, built: { transactions: line.transactions, positions: line.positions } };
    case 'signed':
      return { ...next, signed: [...next.signed, signedPart(1, line)] };
    case 'signed_part':
      return { ...next, signed: [...next.signed, signedPart(line.part, line)] };
    case 'executing':
    case 'broadcasting':
      return withPart(next, line.hash, ({ sent }) => ({ sent: 'maybe', sent_before: sent }));
    case 'executed':
    case 'landed':
      return withPart(next, line.hash, () => ({ sent: 'yes' }));
    case 'ended':
      return { ...next, status: line.status, tid_hash: line.tid_hash };
    case 'settled':
    case 'set_aside':
      return { ...next, status: line.step };
    case 'creating':
      return { ...next, isCardInDoubt: cardSent(state) === 'maybe' };
    case 'begun':
    case 'registering':
    case 'registered':
    case 'reviewed':
    case 'building':
      return next;
    default: {
      const never: never = line;
      return never;
    }
  }
};

/** Reads what the entries of a movement come to. */
export const stateOf = ({ id, lines }: Recorded): MovementState => {
  const [first, ...others] = lines as readonly [Line & { readonly step: 'begun' }, ...Line[]];
  const start: MovementState = {
    id,
    begun_at: first.at,
    last_at: first.at,
    begun: first,
    stage: 'begun',
    stop: undefined,
    payment_id: first.payment_id,
    crypto_tx: undefined,
    pix: undefined,
    isCardInDoubt: false,
    built: undefined,
    signed: [],
    status: undefined,
    tid_hash: undefined,
  };
  return others.reduce(apply, start);
};

/** Whether money may have moved by it, or may yet. */
export const mayHaveMoved = (state: MovementState): boolean =>
  state.signed.some(({ sent }) => sent !== 'no') || cardSent(state) !== 'no';

/** Failures after which a movement does not go on: what was wrong would be wrong again, or the user said no. */
const ENDINGS: ReadonlySet<string> = new Set([
  'invalid_input',
  'refused_by_review',
  'rejected',
  'payment_failed',
  'not_found',
]);

/** Whether nothing is left to do or to find out about a movement. */
export const isOver = (state: MovementState): boolean => {
  const { begun, stage, stop } = state;
  if (isStepIntent(begun.intent)) return true;
  if (stage === 'ended' || stage === 'settled' || stage === 'set_aside') return true;
  if (mayHaveMoved(state)) return false;
  return stop !== undefined && !stop.is_unknown && ENDINGS.has(stop.code);
};

/** Whether nothing of it will be sent again: it is over, or its payer has the code, which is only shown again. */
export const needsNoInputs = (state: MovementState): boolean => isOver(state) || state.pix !== undefined;
