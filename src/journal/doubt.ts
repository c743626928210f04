import { isSameAddress, isSameText } from '../core/same-text.ts';
import type { Io } from '../io/io.ts';
import { hashKey, paymentKey, walletKey } from './keys.ts';
import { openStates, recordedSince, statesUnder } from './look-up.ts';
import { mayBeSent, type OperationState, type SignedPart } from './operation-state.ts';
import { stateOf } from './reduce.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';
import { hasKey } from './store.ts';

/** Signed bytes that may land or have landed, and the operation that they are of. */
export type LiveBytes = { readonly state: OperationState; readonly part: SignedPart };

const handedOver = (state: OperationState): readonly LiveBytes[] =>
  state.signed.filter(mayBeSent).map((part) => ({ state, part }));

/**
 * What was handed over for a payment, by whatever operation, and is not shown to be unable to land. Another transaction
 * for the same payment could pay it twice. Throws `journal_damaged`.
 */
export const liveOfPayment = async (io: Io, paymentId: string): Promise<readonly LiveBytes[]> => {
  const found: LiveBytes[] = [];
  for await (const state of statesUnder(io, [paymentKey(paymentId)])) {
    if (state.payment_id === paymentId) found.push(...handedOver(state));
  }
  return found;
};

/** A sandbox that was reset has new chains: what was signed for the old ones lands nowhere. */
const isGone = (state: OperationState, deployment: Deployment): boolean =>
  state.started.kind === 'sandbox' && !isSameDeployment(deploymentOf(state), deployment);

/**
 * What an address signed, through whatever service, that was handed over and whose operation is not over, the newest
 * first: the nonces of what is over are used, and the chain knows them. Throws `journal_damaged`.
 */
export const liveOf = async (io: Io, address: string, deployment: Deployment): Promise<readonly LiveBytes[]> => {
  const open = (await openStates(io)).filter((state) => !isGone(state, deployment));
  return open.flatMap(handedOver).filter(({ part }) => isSameAddress(part.from, address));
};

/** Of that, the newest bytes of each operation of which nobody knows what became. Throws `journal_damaged`. */
export const inDoubtOf = async (io: Io, address: string, deployment: Deployment): Promise<readonly LiveBytes[]> => {
  const open = (await liveOf(io, address, deployment)).filter(({ part }) => part.sent === 'maybe');
  return open.filter(({ state }, at) => open.findLastIndex((other) => other.state.id === state.id) === at);
};

/** Two processes may read the clock a little apart. */
const MARGIN_MS = 5_000;

/** What an address signed and handed over since then, also by operations that are over by now. Throws `journal_damaged`. */
export const handedSince = async (io: Io, address: string, since: number): Promise<readonly LiveBytes[]> => {
  const wallet = walletKey(address);
  const states = (await recordedSince(io, since, (keys) => hasKey(keys, wallet))).map(stateOf);
  const young = states.filter(({ last_at }) => Date.parse(last_at) >= since - MARGIN_MS);
  return young.flatMap(handedOver).filter(({ part }) => isSameAddress(part.from, address));
};

/**
 * The operation that the same bytes have paid for, where it ended in success and is of another payment: the chain takes
 * bytes once, and so nothing else is paid by them. `undefined` where there is none. Throws `journal_damaged`.
 */
export const paidByThese = async (io: Io, state: OperationState, hash: string): Promise<OperationState | undefined> => {
  for await (const other of statesUnder(io, [hashKey(hash)])) {
    if (other.id === state.id || other.payment_id === state.payment_id || isGone(other, deploymentOf(state))) continue;
    const hasPaid = other.status === 'success' && isSameText(other.tid_hash ?? hash, hash);
    if (hasPaid && other.signed.some((part) => mayBeSent(part) && isSameText(part.hash, hash))) return other;
  }
  return undefined;
};
