import type { Kind } from '../contract/chains.ts';
import { isSameAddress } from '../core/text.ts';
import { isSamePlace } from '../core/web-address.ts';
import type { Io } from '../io/io.ts';
import { readState, statesSince } from './look-up.ts';
import type { OperationState, ReviewedTransaction } from './operation-state.ts';

/**
 * Whose transactions count together: those of the named profiles, each at its address. Or those of one wallet under
 * any profile, on real chains or in the sandbox.
 */
export type CountedWallets =
  | { readonly services: readonly { readonly profile: string; readonly baseUrl: string }[] }
  | { readonly wallet: string; readonly kind: Kind };

/** A reviewed transaction that may still be sent. */
export type Reservation = ReviewedTransaction & {
  readonly operationId: string;
  readonly state: Exclude<ReviewedTransaction['state'], 'freed'>;
};

const reservedIn = ({ id: operationId, reviewed }: OperationState): readonly Reservation[] =>
  reviewed.flatMap((each) => (each.state === 'freed' ? [] : [{ ...each, state: each.state, operationId }]));

/** The reservations of one operation since a time. Throws `journal_damaged`. */
export const reservedBy = async (io: Io, id: string, since: number): Promise<readonly Reservation[]> => {
  const state = await readState(io, id);
  return state ? reservedIn(state).filter(({ at }) => !(at <= since)) : [];
};

const isOfService = ({ started }: OperationState, counted: CountedWallets): boolean =>
  !('services' in counted) ||
  counted.services.some(
    ({ profile, baseUrl }) => started.profile === profile && isSamePlace(started.base_url, baseUrl),
  );

const isOfWallet = ({ from, kind }: Reservation, counted: CountedWallets): boolean =>
  !('wallet' in counted) || (kind === counted.kind && isSameAddress(from, counted.wallet));

/**
 * The amounts of all reviewed transactions that count together since a time, each once. Transactions that were
 * certainly not sent are omitted. Throws `journal_damaged`.
 */
export const reservedSince = async (
  io: Io,
  counted: CountedWallets,
  since: number,
): Promise<readonly Reservation[]> => {
  const found = new Map<string, Reservation>();
  for (const state of await statesSince(io, since)) {
    if (!isOfService(state, counted)) continue;
    for (const each of reservedIn(state).filter((one) => isOfWallet(one, counted))) {
      const isKnown = found.has(each.digest) && each.state === 'reviewed';
      const isOld = each.leaving === undefined && each.at <= since;
      if (!isOld && !isKnown) found.set(each.digest, each);
    }
  }
  return [...found.values()];
};
