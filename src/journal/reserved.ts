import type { Kind } from '../contract/chains.ts';
import { isSameAddress } from '../core/text.ts';
import { isSamePlace } from '../core/web-address.ts';
import type { Io } from '../io/io.ts';
import { reviewedKey } from './keys.ts';
import { readStatesSince, statesSince, viewSince } from './look-up.ts';
import { storeOf } from './open-store.ts';
import type { OperationState, ReviewedTransaction } from './operation-state.ts';
import { readState } from './states.ts';
import type { KeySearch, ViewSource } from './store.ts';
import type { Observer } from './view.ts';

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

/** The reservations of an operation that count together with those of others. */
export const reservedOf = (state: OperationState | undefined, counted: CountedWallets): readonly Reservation[] =>
  state && isOfService(state, counted) ? reservedIn(state).filter((each) => isOfWallet(each, counted)) : [];

/** Reservations by the operation that made them. An operation without any has none any more. */
export type ReservedByOperation = ReadonlyMap<string, readonly Reservation[]>;

/** Follows the reservations that count together. */
export type ReservedFeed = {
  /**
   * Those of all operations that were read since the last call: at first of all since the start of the feed. `undefined`
   * when another feed is needed, because the journal was read anew. Throws `journal_damaged`.
   */
  readonly take: (io: Io, since: number) => Promise<ReservedByOperation | undefined>;
  readonly stop: () => void;
};

/** Reads the operations that changed, each time. */
const followBySearch = async (search: KeySearch, counted: CountedWallets, since: number): Promise<ReservedFeed> => {
  const key = 'wallet' in counted ? reviewedKey(counted.wallet) : undefined;
  // The mark is older than the list, so that no change is between the two.
  let { mark } = await search.changedSince(undefined, key);
  let listed = await search.since(since, key);
  return {
    stop: () => undefined,
    take: async (io, from) => {
      const changed = await search.changedSince(mark, key);
      const ids = [...new Set([...listed, ...changed.ids])];
      const states = new Map((await readStatesSince(io, ids, from)).map((state) => [state.id, state]));
      ({ mark } = changed);
      listed = [];
      return new Map(ids.map((id) => [id, reservedOf(states.get(id), counted)]));
    },
  };
};

const followByView = async (
  io: Io,
  source: ViewSource,
  counted: CountedWallets,
  since: number,
): Promise<ReservedFeed> => {
  const view = await viewSince(io, source, since);
  let read = new Map<string, readonly Reservation[]>();
  const observe: Observer = (id, state) => void read.set(id, reservedOf(state, counted));
  view.observers.add(observe);
  const stop = (): void => void view.observers.delete(observe);
  const states = await statesSince(io, since).catch((error: unknown) => {
    stop();
    throw error;
  });
  for (const state of states) if (!read.has(state.id)) read.set(state.id, reservedOf(state, counted));
  return {
    stop,
    take: async (current, from) => {
      const { search } = await storeOf(current);
      if (search.by !== 'view' || (await viewSince(current, search, from)) !== view) return undefined;
      const taken = read;
      read = new Map();
      return taken;
    },
  };
};

/** Starts to follow the reservations since a time. Throws `journal_damaged`. */
export const followReserved = async (io: Io, counted: CountedWallets, since: number): Promise<ReservedFeed> => {
  const { search } = await storeOf(io);
  return search.by === 'keys' ? followBySearch(search, counted, since) : followByView(io, search, counted, since);
};
