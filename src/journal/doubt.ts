import type { Io } from '../io/io.ts';
import type { SignedPart } from './movement-state.ts';
import { isOver } from './over.ts';
import { allStates } from './overview.ts';

const maySent = ({ sent }: SignedPart): boolean => sent !== 'no';

/**
 * The hash of a transaction that may have been sent, or was, for a payment; `undefined` when there is none. Another
 * transaction for the same payment could pay it twice. Throws `journal_damaged`.
 */
export const sentBefore = async (io: Io, paymentId: string): Promise<string | undefined> => {
  for await (const { payment_id, signed } of allStates(io)) {
    const part = payment_id === paymentId ? signed.findLast(maySent) : undefined;
    if (part) return part.hash;
  }
  return undefined;
};

/** A signed transaction of the journal. */
export type SignedBefore = SignedPart & { readonly payment_id: string };

/**
 * What an address signed and may still be under way, of all payments: the nonces of what is over are used, and the
 * chain knows them. Throws `journal_damaged`.
 */
export const sentFrom = async (io: Io, from: string): Promise<readonly SignedBefore[]> => {
  const found: SignedBefore[] = [];
  for await (const state of allStates(io)) {
    const { payment_id, signed } = state;
    if (payment_id === undefined || isOver(state)) continue;
    const own = signed.filter((part) => maySent(part) && part.from.toLowerCase() === from.toLowerCase());
    found.push(...own.map((part) => ({ ...part, payment_id })));
  }
  return found;
};
