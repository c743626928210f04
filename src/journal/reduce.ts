import { type FailedCall, failedOnChain, neverLeft, type RecordedEvent } from './event.ts';
import { isOfYield } from './intents.ts';
import type { EndStatus, OperationState, ReviewedTransaction, SignedPart, Stage } from './operation-state.ts';
import { withLater } from './statement.ts';
import { cardSent } from './status.ts';
import type { RecordedOperation } from './wire.ts';

/** Computes the state of an operation from its events: the only reducer of the journal. */
export const stateOf = ({ id, events }: Pick<RecordedOperation, 'id' | 'events'>): OperationState => {
  const [first, ...others] = events as readonly [RecordedEvent & { readonly step: 'started' }, ...RecordedEvent[]];
  const start: OperationState = {
    id,
    started_at: first.at,
    last_at: first.at,
    started: first,
    stage: 'started',
    stop: undefined,
    stated: first.stated,
    isContradicted: false,
    payment_id: first.payment_id,
    crypto_tx: undefined,
    pix: undefined,
    isCardInDoubt: false,
    built: undefined,
    positionsAtStart: [],
    signed: [],
    reviewed: [],
    status: undefined,
    tid_hash: undefined,
    isShownByNode: false,
  };
  return others.reduce(apply, start);
};

const REFUSED = { code: 'refused_by_review', status: undefined, is_unknown: false };

/** Applies one event. An event with a new step clears an earlier stop. */
const apply = (before: OperationState, event: RecordedEvent): OperationState => {
  const state = { ...before, last_at: event.at, reviewed: reviewedAfter(before.reviewed, event) };
  const payment_id = ('payment_id' in event ? event.payment_id : undefined) ?? state.payment_id;
  const reached = (stage: Stage): OperationState => ({ ...state, payment_id, stage, stop: undefined });
  switch (event.step) {
    case 'failed':
      return failedWith(state, event);
    case 'refused':
      return { ...state, payment_id, stop: REFUSED };
    case 'stated':
      return { ...state, stated: withLater(state.stated, event.stated) };
    case 'contradicted':
      return { ...state, stop: REFUSED, isContradicted: true };
    case 'dead':
      // The failure was about the old bytes; new bytes can continue.
      return { ...withPart(state, event.hash, () => DEAD), stop: undefined };
    case 'creating':
      return { ...reached(event.step), isCardInDoubt: cardSent(state) === 'maybe' };
    case 'created': {
      const { crypto_tx, built } = event;
      if (built === undefined) return { ...reached(event.step), crypto_tx };
      const positionsAtStart = state.positionsAtStart.length > 0 ? state.positionsAtStart : built.positions;
      return { ...reached(event.step), built, positionsAtStart };
    }
    case 'payable': {
      const { code, txid, amount, expires_at } = event;
      return { ...reached(event.step), pix: { code, txid, amount, expires_at } };
    }
    case 'signed':
      return { ...reached(event.step), signed: [...state.signed, signedPart(event)] };
    case 'sending':
      return withPart(reached(event.step), event.hash, ({ sent, isRefused, before }) => ({
        sent: 'maybe',
        sendingAt: Date.parse(event.at),
        isRepeated: sent === 'maybe',
        isRefused: false,
        before: { sent, isRefused: before === undefined && isRefused },
      }));
    case 'executed':
    case 'landed':
      return withPart(reached(event.step), event.hash, () => ({ sent: 'yes', before: undefined }));
    case 'ended':
      return {
        ...reached(event.step),
        status: event.status as EndStatus,
        tid_hash: event.tid_hash,
        isShownByNode: event.shown_by === 'node',
      };
    case 'settled':
    case 'superseded':
      return { ...reached(event.step), status: event.step };
    case 'started':
    case 'registering':
    case 'registered':
    case 'withheld':
    case 'reviewed':
      return reached(event.step);
    default:
      return event satisfies never;
  }
};

const withPart = (
  state: OperationState,
  hash: string,
  change: (part: SignedPart) => Partial<SignedPart>,
): OperationState => ({
  ...state,
  signed: state.signed.map((part) => (part.hash === hash ? { ...part, ...change(part) } : part)),
});

const DEAD = { sent: 'no', isDead: true, before: undefined } as const;

const signedPart = ({
  part,
  signed_transaction,
  hash,
  from,
  at,
}: RecordedEvent & { readonly step: 'signed' }): SignedPart => ({
  ...{ part, signed_transaction, hash, from, signedAt: Date.parse(at) },
  ...{ sent: 'no', sendingAt: undefined, isRepeated: false, isRefused: false, before: undefined, isDead: false },
});

/** Only a failure before sending cancels a call. After any response the bytes can still land. */
const failedWith = (state: OperationState, call: FailedCall): OperationState => {
  const { code, status, is_unknown } = call;
  const isCardInDoubt = state.isCardInDoubt || (state.stop?.is_unknown === true && cardSent(state) === 'maybe');
  return {
    ...state,
    stop: { code, status, is_unknown },
    isCardInDoubt,
    signed: state.signed.map((part) => (isAbout(part, state, call) ? afterCall(part, state, call) : part)),
  };
};

/**
 * Version 0.1 records no hash: a failure right after a call is about the bytes that were sent last. Earlier bytes may have
 * landed, even if that could not be recorded.
 */
const isAbout = (part: SignedPart, { stage, signed }: OperationState, { hash }: FailedCall): boolean => {
  if (part.before === undefined) return false;
  if (hash !== undefined) return hash === part.hash;
  return stage === 'sending' && signed.findLast(({ sendingAt }) => sendingAt !== undefined) === part;
};

const afterCall = (part: SignedPart, { stage, started }: OperationState, call: FailedCall): SignedPart => {
  const before = part.before ?? { sent: 'no', isRefused: false };
  if (neverLeft(call)) return { ...part, ...before, before: undefined };
  if (stage === 'sending' && isOfYield(started.intent) && failedOnChain(call)) return { ...part, ...DEAD };
  const isRefused = call.hash !== undefined && !call.is_unknown && (before.sent === 'no' || before.isRefused);
  return { ...part, sent: before.sent === 'yes' ? 'yes' : 'maybe', isRefused, before: undefined };
};

type Reviewed = readonly ReviewedTransaction[];

/** Applies one event to the transactions that count against daily limits. */
const reviewedAfter = (reviewed: Reviewed, event: RecordedEvent): Reviewed => {
  switch (event.step) {
    case 'reviewed': {
      const { digest, at, moves, from, kind } = event;
      const state = 'reviewed' as const;
      return [...reviewed, { digest, at: Date.parse(at), moves, from: String(from), kind: kind ?? 'live', state }];
    }
    case 'creating':
    case 'refused':
      return withoutUnsigned(reviewed);
    case 'signed':
      return signedNext(reviewed, event);
    case 'sending':
      return reviewed.map((each) => (each.hash === event.hash ? sentAt(each, event.at) : each));
    case 'executed':
    case 'landed':
      return reviewed.map((each) => (each.hash === event.hash ? { ...leftBy(each, event.at), state: 'taken' } : each));
    case 'failed':
      return reviewedAfterFailure(reviewed, event);
    case 'dead':
      return reviewed.filter(({ hash, state }) => hash !== event.hash && state !== 'signed');
    case 'ended':
    case 'settled':
    case 'superseded':
      return reviewed.map((each) => leftBy(each, event.at));
    case 'contradicted':
    case 'created':
    case 'payable':
    case 'registered':
    case 'registering':
    case 'started':
    case 'stated':
    case 'withheld':
      return reviewed;
  }
};

/** A transaction reviewed before a new build, or before the user stopped, is no longer signed. */
const withoutUnsigned = (reviewed: Reviewed): Reviewed => reviewed.filter(({ state }) => state !== 'reviewed');

/** The first unsigned one gets the signature: operations sign in review order. */
const signedNext = (reviewed: Reviewed, event: RecordedEvent & { readonly step: 'signed' }): Reviewed => {
  const { hash, signed_transaction } = event;
  const next = reviewed.findIndex(({ state }) => state === 'reviewed');
  return reviewed.map((each, at) => (at === next ? { ...each, state: 'signed', hash, signed_transaction } : each));
};

/** A second send started before the first had a result: the result of the first stays unknown. */
const sendingState = ({ state }: ReviewedTransaction): ReviewedTransaction['state'] => {
  if (state === 'sending') return 'gone';
  return state === 'signed' || state === 'freed' ? 'sending' : state;
};

/**
 * Money that leaves by a later send counts from then on, not from its review. So does what a service had accepted: it may
 * have kept the bytes.
 */
const sentAt = (before: ReviewedTransaction, at: string): ReviewedTransaction => {
  const each = leftBy(before, at);
  return { ...each, state: sendingState(each), at: Date.parse(at), leaving: { countedAt: each.at } };
};

/** Its process may have been stopped during the call, so the money left by the time of the result. */
const leftBy = ({ leaving, ...each }: ReviewedTransaction, at: string): ReviewedTransaction =>
  leaving ? { ...each, at: Math.max(each.at, Date.parse(at)) } : each;

/** The call sent nothing: the transaction counts as it did before the call, or not at all. */
const unsentBy = ({ leaving, ...each }: ReviewedTransaction): ReviewedTransaction =>
  each.state === 'sending' ? { ...each, state: 'freed' } : { ...each, at: leaving?.countedAt ?? each.at };

/**
 * Unsent transactions and those after them are freed. After any other failure money may have moved. A failure without a
 * hash is about every call.
 */
const reviewedAfterFailure = (before: Reviewed, call: RecordedEvent & { readonly step: 'failed' }): Reviewed => {
  const isStopped = call.code === 'interrupted' || call.code === 'declined';
  const isCalled = ({ hash, leaving }: ReviewedTransaction): boolean =>
    leaving !== undefined && (call.hash === undefined || call.hash === hash);
  if (!before.some(isCalled)) return isStopped ? withoutUnsigned(before) : before;
  const hasLeft = !neverLeft(call);
  const isFirst = before.some((each) => isCalled(each) && each.state === 'sending');
  return before.map((each) => {
    if (!isCalled(each)) return !hasLeft && isFirst && each.state === 'signed' ? { ...each, state: 'freed' } : each;
    if (!hasLeft) return unsentBy(each);
    const left = leftBy(each, call.at);
    return left.state === 'sending' ? { ...left, state: 'gone' } : left;
  });
};
