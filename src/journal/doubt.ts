import { compareDecimals } from '../core/decimal.ts';
import { Failure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { isSameAddress, isSameText } from '../core/text.ts';
import { WIRE_ID } from '../core/wire-names.ts';
import type { Io } from '../io/io.ts';
import type { Position, ReviewEvent } from './event.ts';
import { type IsSameToken, isOfYield, isRelayIntent, isYieldIntent, maySame, type Purpose, partOf } from './intents.ts';
import { type Deployment, deploymentOf, hashKey, isSameDeployment, paymentKey, walletKey } from './keys.ts';
import { openStates, statesSince, statesUnder } from './look-up.ts';
import { hashSent, mayBeSent, type OperationState, type SignedPart } from './operation-state.ts';
import { intentStated, type Statement } from './statement.ts';
import { isTerminal, mayHaveMoved } from './status.ts';
import { readOperation } from './wire.ts';
import { type OpenKind, type OpenStep, progressOf, type YieldProgress } from './yield-progress.ts';

/** Signed bytes that may land or have landed, with their operation. */
export type LiveBytes = { readonly state: OperationState; readonly part: SignedPart };

const handedOver = (state: OperationState): readonly LiveBytes[] =>
  state.signed.filter(mayBeSent).map((part) => ({ state, part }));

/**
 * All signed bytes of a payment that may have been sent and can still land, from any operation. Another transaction
 * could pay the payment twice. Throws `journal_damaged`.
 */
export const liveOfPayment = async (io: Io, paymentId: string): Promise<readonly LiveBytes[]> => {
  const found: LiveBytes[] = [];
  for await (const state of statesUnder(io, [paymentKey(paymentId)])) {
    if (state.payment_id === paymentId) found.push(...handedOver(state));
  }
  return found;
};

/** A reset sandbox has new chains: bytes signed for the old chains cannot land. */
const isGone = (state: OperationState, deployment: Deployment): boolean =>
  state.started.kind === 'sandbox' && !isSameDeployment(deploymentOf(state), deployment);

/**
 * The sent bytes of an address in open operations of any service, newest first. Closed operations are omitted: their
 * nonces are used on the chain. Throws `journal_damaged`.
 */
export const liveOf = async (io: Io, address: string, deployment: Deployment): Promise<readonly LiveBytes[]> => {
  const open = (await openStates(io, undefined, walletKey(address))).filter((state) => !isGone(state, deployment));
  return open.flatMap(handedOver).filter(({ part }) => isSameAddress(part.from, address));
};

/** The newest of these bytes for each operation whose outcome is unknown. Throws `journal_damaged`. */
export const inDoubtOf = async (io: Io, address: string, deployment: Deployment): Promise<readonly LiveBytes[]> => {
  const open = (await liveOf(io, address, deployment)).filter(({ part }) => part.sent === 'maybe');
  return open.filter(({ state }, at) => open.findLastIndex((other) => other.state.id === state.id) === at);
};

/** The clocks of two processes may differ a little. */
const MARGIN_MS = 5_000;

/** The bytes that an address sent since a time, including closed operations. Throws `journal_damaged`. */
export const handedSince = async (io: Io, address: string, since: number): Promise<readonly LiveBytes[]> => {
  const states = await statesSince(io, since, walletKey(address));
  const young = states.filter(({ last_at }) => Date.parse(last_at) >= since - MARGIN_MS);
  return young.flatMap(handedOver).filter(({ part }) => isSameAddress(part.from, address));
};

/** The operation of another payment that sent the same bytes, in any state. */
export const handedForOther = async (
  io: Io,
  state: OperationState,
  hash: string,
  isSought: (other: OperationState) => boolean = () => true,
): Promise<OperationState | undefined> => {
  for await (const other of statesUnder(io, [hashKey(hash)])) {
    if (other.id === state.id || other.payment_id === state.payment_id || isGone(other, deploymentOf(state))) continue;
    const isSent = other.signed.some((part) => mayBeSent(part) && isSameText(part.hash, hash));
    if (isSent && isSought(other)) return other;
  }
  return undefined;
};

/**
 * The operation of another payment that ended with the same bytes: a success, or a failure whose transaction a node
 * shows as landed. The chain executes bytes once, so they pay nothing else. Throws `journal_damaged`.
 */
export const paidByThese = (io: Io, state: OperationState, hash: string): Promise<OperationState | undefined> =>
  handedForOther(io, state, hash, ({ status, isShownByNode, tid_hash }) => {
    const hasMoved = status === 'success' || (status === 'error' && isShownByNode);
    return hasMoved && isSameText(tid_hash ?? hash, hash);
  });

/** A transaction that may have been sent, with the facts to check it. */
export type Doubt = {
  /** The time of the last send attempt, in milliseconds since 1970. */
  readonly at: number;
  /** Its number and the total count. */
  readonly part: number;
  readonly count: number;
  readonly hash: string;
  /** The signed bytes, which contain the blockhash. */
  readonly signedTransaction: string;
  /** The wallet's positions before the operation. */
  readonly before: readonly Position[];
};

/** The open transaction of an operation. */
export type OpenBytes = Doubt & { readonly kind: OpenKind };

/** The same of an earlier operation in the journal, with what it is for. */
export type OpenPart = OpenBytes & {
  readonly operationId: string;
  readonly purpose: Purpose;
  /** The hashes of all its transactions. */
  readonly hashes: readonly string[];
};

const doubtOf = ({ before, signed }: YieldProgress, { kind, at, part, hash }: OpenStep): OpenBytes => ({
  ...{ kind, at, part, hash, before },
  count: signed.length,
  signedTransaction: signed[part - 1]?.signed_transaction ?? '',
});

/** The first transaction of an operation that may have been sent. */
export const doubtIn = (reading: YieldProgress): OpenBytes | undefined =>
  reading.open && doubtOf(reading, reading.open);

/** The open parts of one operation: each transaction that may have been sent, or the stopped step. */
const openIn = (state: OperationState, purpose: Purpose): readonly OpenPart[] => {
  const reading = progressOf(state);
  const own = { operationId: state.id, purpose, hashes: reading.signed.map(({ hash }) => hash) };
  const steps = reading.handed.length > 0 ? reading.handed : [reading.open];
  return steps.flatMap((step) => (step ? [{ ...doubtOf(reading, step), ...own }] : []));
};

/** What a yield operation is for; `undefined` for any other operation. */
export const purposeOf = ({ started: { intent }, stated }: OperationState): Purpose | undefined => {
  if (isRelayIntent(intent)) return intentStated(stated, intent.wallet) ?? intent;
  return isYieldIntent(intent) ? intent : undefined;
};

/** Another operation that shows that the same bytes have landed: the chain executes them once. */
export const landedBy = async (io: Io, id: string, hash: string): Promise<OperationState | undefined> => {
  for await (const other of statesUnder(io, [hashKey(hash)])) {
    if (other.id !== id && other.signed.some((part) => part.hash === hash && part.sent === 'yes')) return other;
  }
  return undefined;
};

/**
 * Open parts of a service's yield operations, newest first: possibly landed transactions, missing halves, and
 * unprinted results. Throws `journal_damaged`.
 */
export const openYields = async (
  io: Io,
  deployment: Deployment,
  isSameToken: IsSameToken,
): Promise<readonly OpenPart[]> => {
  const found: OpenPart[] = [];
  for (const state of await openStates(io)) {
    const purpose = purposeOf(state);
    if (purpose === undefined || !isSameDeployment(deploymentOf(state), deployment)) continue;
    const open = openIn(state, purpose);
    const half = open[0]?.kind === 'half' ? open[0] : undefined;
    const other = half && (await otherHalfOf(io, deployment, half, isSameToken));
    if (other === undefined || other.isInDoubt) found.push(...open);
  }
  return found;
};

/** Whether a deposit has the amount that an operation lacks. With another amount it is a deposit of its own. */
const isOfAmount = (half: Purpose, later: Purpose): boolean =>
  !isYieldIntent(half) || !isYieldIntent(later) || compareDecimals(half.amount, later.amount) === 0;

/** A later deposit that completes an operation: landed or in doubt. */
type OtherHalf = { readonly operationId: string; readonly isInDoubt: boolean };

/** Finds a later deposit that completes an operation; `undefined` if there is none. Throws `journal_damaged`. */
export const otherHalfOf = async (
  io: Io,
  deployment: Deployment,
  { operationId, purpose }: Pick<OpenPart, 'operationId' | 'purpose'>,
  isSameToken: IsSameToken,
): Promise<OtherHalf | undefined> => {
  const half = isYieldIntent(purpose) ? partOf(purpose, 2, 2) : purpose;
  let inDoubt: OtherHalf | undefined;
  for await (const state of statesUnder(io, [walletKey(purpose.wallet, purpose.chain)])) {
    if (state.id <= operationId) break;
    const later = purposeOf(state);
    if (later === undefined || !maySame(half, later, isSameToken) || !isOfAmount(half, later)) continue;
    if (!isSameDeployment(deploymentOf(state), deployment)) continue;
    const hasLanded = later.operation === 'deposit' && state.signed.some(({ sent }) => sent === 'yes');
    if (hasLanded) return { operationId: state.id, isInDoubt: false };
    if (!isTerminal(state) && mayHaveMoved(state)) inDoubt = { operationId: state.id, isInDoubt: true };
  }
  return inDoubt;
};

/** The recorded review of bytes in an operation. */
export const reviewIn = async (io: Io, id: string, digest: string): Promise<ReviewEvent | undefined> =>
  (await readOperation(io, id))?.events.find(
    (event): event is ReviewEvent => event.step === 'reviewed' && event.digest === digest,
  );

/** The recorded review of signed bytes, and what the user stated about them. */
export type ReviewedBytes = { readonly review: ReviewEvent; readonly stated: Statement };

/**
 * The recorded review of exactly these bytes, from the same deployment; `undefined` if there is none. Records that
 * cannot be read are ignored.
 */
export const reviewOfBytes = async (
  io: Io,
  deployment: Deployment,
  { hash, digest }: Pick<SignedPart, 'hash'> & Pick<ReviewEvent, 'digest'>,
): Promise<ReviewedBytes | undefined> => {
  for await (const state of statesUnder(io, [hashKey(hash)], () => undefined)) {
    const isSigned = state.signed.some((part) => part.hash === hash);
    if (!isSigned || !isSameDeployment(deploymentOf(state), deployment)) continue;
    const review = await reviewIn(io, state.id, digest);
    if (review) return { review, stated: state.stated };
  }
  return undefined;
};

/** What a failure says of an operation that may have sent something. */
export const doubtData = (state: OperationState) => {
  const hash = hashSent(state);
  const live = hash !== undefined;
  return { [WIRE_ID]: state.id, payment_id: state.payment_id ?? null, tid_hash: hash, hash, live };
};

/** The failure of a journal that cannot be reached. An operation that may have sent something stops in doubt. */
export const inDoubtWithout = (failure: Failure, state: OperationState): Failure => {
  if (isTerminal(state) || !mayHaveMoved(state)) return failure;
  return new Failure('outcome_unknown', `money may have moved, and ${failure.message}`, {
    data: doubtData(state),
    hint: 'Nothing more was sent. Resume the operation when the database answers.',
    next: nextStep('operation.resume.earlier', isOfYield(state.started.intent) ? 'yield' : 'pay', state.id),
    cause: failure,
  });
};
