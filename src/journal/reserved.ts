import type { Kind } from '../contract/chains.ts';
import { isSameAddress } from '../core/same-text.ts';
import { isSamePlace } from '../core/web-address.ts';
import type { Io } from '../io/io.ts';
import { recordedSince } from './look-up.ts';
import type { ReviewedTransaction } from './operation-state.ts';
import { type Recorded, readOperation } from './read.ts';
import { stateOf } from './reduce.ts';

/**
 * Whose transactions count together: those under profiles of these names, each at its address; or those of one wallet,
 * under any profile, on real chains or on those of the sandbox.
 */
export type Counted =
  | { readonly services: readonly { readonly profile: string; readonly baseUrl: string }[] }
  | { readonly wallet: string; readonly kind: Kind };

/** A transaction that passed its review, and of which it is not known that it will never be sent. */
export type Reserved = ReviewedTransaction & {
  readonly operationId: string;
  readonly state: Exclude<ReviewedTransaction['state'], 'freed'>;
};

const reservedIn = (recorded: Recorded): readonly Reserved[] =>
  stateOf(recorded).reviewed.flatMap((each) =>
    each.state === 'freed' ? [] : [{ ...each, state: each.state, operationId: recorded.id }],
  );

/** What one operation alone has reserved since then. Throws `journal_damaged`. */
export const reservedBy = async (io: Io, id: string, since: number): Promise<readonly Reserved[]> => {
  const recorded = await readOperation(io, id);
  return recorded ? reservedIn(recorded).filter(({ at }) => !(at <= since)) : [];
};

const isOfService = ({ events: [first] }: Recorded, counted: Counted): boolean =>
  !('services' in counted) ||
  (first?.step === 'started' &&
    counted.services.some(({ profile, baseUrl }) => first.profile === profile && isSamePlace(first.base_url, baseUrl)));

const isOfWallet = ({ from, kind }: Reserved, counted: Counted): boolean =>
  !('wallet' in counted) || (kind === counted.kind && isSameAddress(from, counted.wallet));

/**
 * What the transactions of all operations that count together move, of those that passed their review since then, each
 * once. What was surely not sent is left out; in doubt it counts. Throws `journal_damaged`.
 */
export const reservedSince = async (io: Io, counted: Counted, since: number): Promise<readonly Reserved[]> => {
  const found = new Map<string, Reserved>();
  for (const recorded of await recordedSince(io, since)) {
    if (!isOfService(recorded, counted)) continue;
    for (const each of reservedIn(recorded).filter((one) => isOfWallet(one, counted))) {
      const isKnown = found.has(each.digest) && each.state === 'reviewed';
      if (!(each.at <= since) && !isKnown) found.set(each.digest, each);
    }
  }
  return [...found.values()];
};
