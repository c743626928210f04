import { isSameAddress } from '../core/same-address.ts';
import type { Io } from '../io/io.ts';
import { type MovementState, mayBeSent, type SignedPart } from './movement-state.ts';
import { isOver } from './over.ts';
import { allStates } from './overview.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';

/**
 * The hash of a transaction that may have been sent, or was, for a payment; `undefined` when there is none. Another
 * transaction for the same payment could pay it twice. Throws `journal_damaged`.
 */
export const sentBefore = async (io: Io, paymentId: string): Promise<string | undefined> => {
  for await (const { payment_id, signed } of allStates(io)) {
    const part = payment_id === paymentId ? signed.findLast(mayBeSent) : undefined;
    if (part) return part.hash;
  }
  return undefined;
};

/** What an address signed in the movements that are not over, the newest first. */
const signedBy = async function* (io: Io, address: string) {
  for await (const state of allStates(io)) {
    if (isOver(state)) continue;
    yield { state, parts: state.signed.filter(({ from }) => isSameAddress(from, address)) };
  }
};

/** A signed transaction of the journal, and the payment that it is for. */
export type SignedBefore = SignedPart & { readonly payment_id: string };

/**
 * What an address signed and may still be under way, of all payments: the nonces of what is over are used, and the
 * chain knows them. Throws `journal_damaged`.
 */
export const sentFrom = async (io: Io, address: string): Promise<readonly SignedBefore[]> => {
  const found: SignedBefore[] = [];
  for await (const { state, parts } of signedBy(io, address)) {
    const { payment_id } = state;
    if (payment_id !== undefined) found.push(...parts.filter(mayBeSent).map((part) => ({ ...part, payment_id })));
  }
  return found;
};

/** A movement with signed bytes of which nobody knows what became. */
export type InDoubt = { readonly state: MovementState; readonly part: SignedPart };

/**
 * What an address signed, through whatever service, and is in doubt, the newest first; of sandboxes only what is of this
 * one. Throws `journal_damaged`.
 */
export const inDoubtOf = async (io: Io, address: string, deployment: Deployment): Promise<readonly InDoubt[]> => {
  const found: InDoubt[] = [];
  for await (const { state, parts } of signedBy(io, address)) {
    const isGone = state.begun.kind === 'sandbox' && !isSameDeployment(deploymentOf(state), deployment);
    const part = isGone ? undefined : parts.findLast(({ sent }) => sent === 'maybe');
    if (part) found.push({ state, part });
  }
  return found;
};
