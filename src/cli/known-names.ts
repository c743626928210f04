import type { Afterwards } from '../chain/afterwards.ts';
import type { Io } from '../io/io.ts';
import { openKeystore } from '../keystore/keystore.ts';
import type { ShownReview } from './show-review.ts';

/** The user's own name for an address; `undefined` where there is none. */
export type NameOf = (address: string) => string | undefined;

const isSame = (a: string, b: string): boolean =>
  a === b || (a.startsWith('0x') && a.toLowerCase() === b.toLowerCase());

/** The names of the user's own keys. A keystore that cannot be read names nobody, and stops nothing. */
export const ownNames = async (io: Io): Promise<NameOf> => {
  const keys = await openKeystore(io)
    .list()
    .catch(() => []);
  return (address) =>
    keys.find((key) => key.status === 'usable' && key.address !== undefined && isSame(key.address, address))?.name;
};

const named = <K extends string>(field: K, name: string | undefined) =>
  (name === undefined ? {} : { [field]: name }) as { readonly [_ in K]?: string };

/** A review with the user's own names for whom it is about, before those that bursar knows. */
export const withNames = <R extends ShownReview>(review: R, nameOf: NameOf): R & { readonly from_name?: string } => ({
  ...review,
  ...named('from_name', nameOf(review.from)),
  moves: review.moves.map((move) => ({ ...move, ...named('to_name', nameOf(move.to)) })),
  afterwards: review.afterwards.map(
    (one): Afterwards => ({ ...one, ...(one.who === undefined ? {} : named('who_name', nameOf(one.who))) }),
  ),
});
