import type { Kind } from '../contract/chains.ts';
import { isSameAddress } from '../core/text.ts';
import { isSamePlace } from '../core/web-address.ts';
import type { Io } from '../io/io.ts';
import { recordedSince } from './look-up.ts';
import type { ReviewedTransaction } from './operation-state.ts';
import { stateOf } from './reduce.ts';
import { type RecordedOperation, readOperation } from './wire.ts';

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

const reservedIn = (recorded: RecordedOperation): readonly Reservation[] =>
  stateOf(recorded).reviewed.flatMap((each) =>
    each.state === 'freed' ? [] : [{ ...each, state: each.state, operationId: recorded.id }],
  );

const countsSince = ({ at, leaving }: Reservation, since: number): boolean => leaving !== undefined || !(at <= since);

/** The reservations of one operation since a time. Throws `journal_damaged`. */
export const reservedBy = async (io: Io, id: string, since: number): Promise<readonly Reservation[]> => {
  const recorded = await readOperation(io, id);
  return recorded ? reservedIn(recorded).filter(({ at }) => !(at <= since)) : [];
};

const isOfService = ({ events: [first] }: RecordedOperation, counted: CountedWallets): boolean =>
  !('services' in counted) ||
  (first?.step === 'started' &&
    counted.services.some(({ profile, baseUrl }) => first.profile === profile && isSamePlace(first.base_url, baseUrl)));

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
  for (const recorded of await recordedSince(io, since)) {
    if (!isOfService(recorded, counted)) continue;
    for (const each of reservedIn(recorded).filter((one) => isOfWallet(one, counted))) {
      const isKnown = found.has(each.digest) && each.state === 'reviewed';
      if (countsSince(each, since) && !isKnown) found.set(each.digest, each);
    }
  }
  return [...found.values()];
};
