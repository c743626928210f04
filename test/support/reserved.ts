import type { Io } from '../../src/io/io.ts';
import { statesSince } from '../../src/journal/look-up.ts';
import { type CountedWallets, type Reservation, reservedOf } from '../../src/journal/reserved.ts';

/**
 * All reservations that count together since a time, each once, from all operations: the definition that a running count
 * must equal.
 */
export const reservedSince = async (
  io: Io,
  counted: CountedWallets,
  since: number,
): Promise<readonly Reservation[]> => {
  const found = new Map<string, Reservation>();
  for (const state of await statesSince(io, since)) {
    for (const each of reservedOf(state, counted)) {
      const isKnown = found.has(each.digest) && each.state === 'reviewed';
      const isOld = each.leaving === undefined && each.at <= since;
      if (!isOld && !isKnown) found.set(each.digest, each);
    }
  }
  return [...found.values()];
};
