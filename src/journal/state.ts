import { STALE_NONCE } from '../contract/pay/shared.ts';
import { BLOCKHASH_EXPIRED } from '../contract/yield/shared.ts';
import { cardSent } from './card-sent.ts';
import type { MovementState, SignedPart, Stage, Stop } from './movement-state.ts';
import type { Line, Recorded } from './read.ts';
import { withLater } from './statement.ts';

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
  if (line.step === 'stated') return { ...state, stated: withLater(state.stated, line.stated) };
  if (line.step === 'contradicted') {
    const stop = { code: 'refused_by_review', status: undefined, is_unknown: false };
    return { ...state, stop, isContradicted: true };
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
export const stateOf = ({ id, lines }: Pick<Recorded, 'id' | 'lines'>): MovementState => {
  const [first, ...others] = lines as readonly [Line & { readonly step: 'begun' }, ...Line[]];
  const start: MovementState = {
    id,
    begun_at: first.at,
    last_at: first.at,
    begun: first,
    stage: 'begun',
    stop: undefined,
    stated: first.stated,
    isContradicted: false,
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
