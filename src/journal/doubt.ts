import { isSameAddress, isSameText } from '../core/same-text.ts';
import type { Io } from '../io/io.ts';
import { hashKey, paymentKey, walletKey } from './keys.ts';
import { openStates, recordedSince, statesUnder } from './look-up.ts';
import { mayBeSent, type OperationState, type SignedPart } from './operation-state.ts';
import { stateOf } from './reduce.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';
import { hasKey } from './store.ts';

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
  const open = (await openStates(io)).filter((state) => !isGone(state, deployment));
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
  const wallet = walletKey(address);
  const states = (await recordedSince(io, since, (keys) => hasKey(keys, wallet))).map(stateOf);
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
 * The successful operation of another payment that the same bytes paid. The chain executes bytes once, so they pay
 * nothing else. Returns `undefined` if there is none. Throws `journal_damaged`.
 */
export const paidByThese = (io: Io, state: OperationState, hash: string): Promise<OperationState | undefined> =>
  handedForOther(io, state, hash, (other) => other.status === 'success' && isSameText(other.tid_hash ?? hash, hash));
