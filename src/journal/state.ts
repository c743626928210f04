import { cardSent } from './card-sent.ts';
import { failedOnChain, neverLeft } from './never-left.ts';
import type { OperationState, SignedPart, Stage } from './operation-state.ts';
import type { Line, Recorded } from './read.ts';
import { withLater } from './statement.ts';

const withPart = (
  state: OperationState,
  hash: string,
  change: (part: SignedPart) => Partial<SignedPart>,
): OperationState => ({
  ...state,
  signed: state.signed.map((part) => (part.hash === hash ? { ...part, ...change(part) } : part)),
});

type Failed = Extract<Line, { readonly step: 'failed' }>;

const isOfSending = (stage: Stage): boolean => stage === 'executing' || stage === 'broadcasting';

/** Lines of version 0.1 name no hash: right after a call began they are about its bytes. */
const isAbout = (part: SignedPart, stage: Stage, { hash }: Failed): boolean =>
  part.before !== undefined && (hash === undefined ? isOfSending(stage) : hash === part.hash);

const afterCall = (part: SignedPart, stage: Stage, line: Failed): SignedPart => {
  const before = part.before ?? { sent: 'no', isRefused: false };
  if (neverLeft(line)) return { ...part, ...before, before: undefined };
  if (stage === 'broadcasting' && failedOnChain(line)) return { ...part, sent: 'no', isDead: true, before: undefined };
  const isRefused = line.hash !== undefined && !line.is_unknown && (before.sent === 'no' || before.isRefused);
  return { ...part, sent: before.sent === 'yes' ? 'yes' : 'maybe', isRefused, before: undefined };
};

/** Whatever the service answered, the bytes stay live: only a fault before they left takes the call back. */
const failedWith = (state: OperationState, line: Failed): OperationState => {
  const { code, status, is_unknown } = line;
  const isCardInDoubt = state.isCardInDoubt || (state.stop?.is_unknown === true && cardSent(state) === 'maybe');
  return {
    ...state,
    stop: { code, status, is_unknown },
    isCardInDoubt,
    signed: state.signed.map((part) => (isAbout(part, state.stage, line) ? afterCall(part, state.stage, line) : part)),
  };
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
  isRefused: false,
  before: undefined,
  isDead: false,
});

/** What one entry changes. An entry that says where the movement is takes back that it had stopped. */
const apply = (before: OperationState, line: Line): OperationState => {
  const state = { ...before, last_at: line.at };
  if (line.step === 'failed') return failedWith(state, line);
  if (line.step === 'refused') {
    const stop = { code: 'refused_by_review', status: undefined, is_unknown: false };
    return { ...state, payment_id: line.payment_id ?? state.payment_id, stop };
  }
  if (line.step === 'stated') return { ...state, stated: withLater(state.stated, line.stated) };
  if (line.step === 'contradicted') {
    const stop = { code: 'refused_by_review', status: undefined, is_unknown: false };
    return { ...state, stop, isContradicted: true };
  }
  if (line.step === 'dead') {
    // What stopped it was about those bytes: with others it can go on.
    return { ...withPart(state, line.hash, () => ({ sent: 'no', isDead: true, before: undefined })), stop: undefined };
  }
  const payment_id = 'payment_id' in line ? line.payment_id : state.payment_id;
  const next: OperationState = { ...state, payment_id, stage: line.step, stop: undefined };
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
      return withPart(next, line.hash, ({ sent, isRefused, before }) => ({
        sent: 'maybe',
        isRefused: false,
        before: { sent, isRefused: before === undefined && isRefused },
      }));
    case 'executed':
    case 'landed':
      return withPart(next, line.hash, () => ({ sent: 'yes', before: undefined }));
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
    case 'withheld':
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
export const stateOf = ({ id, lines }: Pick<Recorded, 'id' | 'lines'>): OperationState => {
  const [first, ...others] = lines as readonly [Line & { readonly step: 'begun' }, ...Line[]];
  const start: OperationState = {
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
