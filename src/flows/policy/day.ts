import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { amountCounted, checkDay, largestOf } from '../../chain/review/check-limits.ts';
import type { PlannedOutflow } from '../../chain/review/check-policy.ts';
import { type AppliedPolicy, isOfToken, type Outflow } from '../../chain/review/policy.ts';
import { EVM_CHAINS, sandboxChainId } from '../../contract/chains.ts';
import { compareDecimals } from '../../core/decimal.ts';
import { Failure, undefinedOn } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import type { Operation } from '../../journal/operation.ts';
import type { ReviewedTransaction } from '../../journal/operation-state.ts';
import { type CountedWallets, type Reservation, reservedBy, reservedSince } from '../../journal/reserved.ts';
import { readKeyPolicy, refusedByPolicy } from './key-policy.ts';

/** A nonce slot on an EVM chain: chain, sender and nonce. Only one transaction of a slot can land. */
export type Place = Pick<UnsignedEvm, 'chainId' | 'from' | 'nonce'>;

/** A reviewed transaction: the hash of its bytes, its outflows, and its nonce slot (EVM only). */
export type PassedReview = {
  readonly digest: string;
  readonly outflows: readonly Outflow[];
  readonly place?: Place | undefined;
};

/** A policy, and the wallets whose operations count against its daily limits. */
export type RulingPolicy = Omit<AppliedPolicy, 'moved' | 'replaced'> & { readonly counted: CountedWallets };

/** Amounts that count against daily limits. The maximum that the reviewed transaction can replace is separate. */
export type DayCount = Required<Pick<AppliedPolicy, 'moved' | 'replaced'>>;

/** The period of daily limits, in milliseconds. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** The wait for another process between its review and its signature: one disk write. */
const RIVAL_WAIT_MS = 5_000;
const LOOK_EVERY_MS = 50;

const placeText = ({ chainId, from, nonce }: Place): string => `${chainId} ${nonce} ${from.toLowerCase()}`;

/** Unreadable signed bytes have no nonce slot and count separately. */
const placeOfReserved = async ({
  from,
  signed_transaction: bytes,
}: ReviewedTransaction): Promise<Place | undefined> => {
  if (!from.startsWith('0x') || bytes === undefined) return undefined;
  const { chainAndNonceOf: placeOf } = await import('../../chain/evm/transaction.ts');
  return undefinedOn(() => ({ ...placeOf(bytes), from }));
};

/** Transactions of one nonce slot: the outflows of accepted ones, and of each other one. */
type Group = { readonly place: Place | undefined; readonly taken: Outflow[]; readonly open: (readonly Outflow[])[] };

/** The transactions by nonce slot. One without a slot is a group of its own. */
const groupsOf = async (reserved: readonly Reservation[]): Promise<readonly Group[]> => {
  const groups = new Map<string, Group>();
  for (const each of reserved) {
    const place = await placeOfReserved(each);
    const key = place ? placeText(place) : each.digest;
    const group = groups.get(key) ?? { place, taken: [], open: [] };
    groups.set(key, group);
    if (each.state === 'taken') group.taken.push(...each.moves);
    else group.open.push(each.moves);
  }
  return [...groups.values()];
};

/** A chain that is defined only in a profile can have any id. */
const canBeOn = (chain: string | undefined, { chainId }: Place): boolean => {
  const known = EVM_CHAINS.find(({ name }) => isSameText(name, chain ?? ''));
  return known === undefined || [known.id, sandboxChainId(known.id)].includes(chainId);
};

/** Each slot counts once, by its largest transaction. What the reviewed transaction replaces is separate. */
const countOf = (groups: readonly Group[], own: Group | undefined): DayCount => ({
  moved: groups.flatMap((group) => (group === own ? group.taken : largestOf([group.taken, ...group.open]))),
  replaced: largestOf(own?.open ?? []),
});

const NOTHING: DayCount = { moved: [], replaced: [] };

/**
 * Without a transaction, a mere review does not count. An uncertain one can be replaced by its nonce, so the largest
 * counts as replaced. On Solana the same bytes can be sent again.
 */
const countWithout = async (reserved: readonly Reservation[], chain: PlannedOutflow['chain'], outflow: Outflow) => {
  const groups = await groupsOf(reserved.filter(({ state }) => state !== 'reviewed'));
  const isSame = (move: Outflow) =>
    isOfToken(move.token, outflow) && compareDecimals(move.amount, outflow.amount) === 0;
  const isSameAgain = ({ place, open }: Group) => place === undefined && open.flat().some(isSame);
  const amountIn = ({ open }: Group) => amountCounted(largestOf(open), outflow.token);
  const [largest] = groups
    .filter(({ place, taken }) => place !== undefined && canBeOn(chain, place) && taken.length === 0)
    .toSorted((one, other) => compareDecimals(amountIn(other), amountIn(one)));
  const others = groups.filter((group) => !isSameAgain(group));
  return countOf(others, largest);
};

/** The last 24 hours under one policy, from the journal; empty without a daily limit. */
export const openDay = (io: Io, { counted, ...ruling }: RulingPolicy) => {
  const isCounted = Object.keys(ruling.policy.most_per_day ?? {}).length > 0;
  const reservedBut = async (own: readonly string[]): Promise<readonly Reservation[]> => {
    const all = await reservedSince(io, counted, io.clock.now() - DAY_MS);
    return all.filter(({ digest }) => !own.includes(digest));
  };
  const countBut = async (others: readonly Reservation[], place: Place | undefined): Promise<DayCount> => {
    const groups = await groupsOf(others);
    const isOwn = (group: Group) => place && group.place && placeText(group.place) === placeText(place);
    return countOf(groups, groups.find(isOwn));
  };
  const checkWith = async (others: readonly Reservation[], passed: readonly PassedReview[]) => {
    const place = passed.find((each) => each.place)?.place;
    const outflows = passed.flatMap((each) => each.outflows);
    return checkDay({ ...ruling, ...(await countBut(others, place)) }, outflows);
  };

  /**
   * As `assertDay` of a gate. Each process writes its entry before it counts, so the later one sees the earlier one. If
   * both see each other, the later operation stops, and the earlier one waits for that.
   */
  const assertFits = async (operation: Operation, passed: readonly PassedReview[]): Promise<void> => {
    if (!isCounted) return;
    const own = passed.map(({ digest }) => digest);
    const end = io.clock.monotonic() + RIVAL_WAIT_MS;
    for (;;) {
      const others = await reservedBut(own);
      const wrong = await checkWith(others, passed);
      if (wrong.length === 0) return;
      const settled = others.filter(({ state }) => state !== 'reviewed');
      const isBehind = others.some((each) => each.state === 'reviewed' && each.operationId < operation.id);
      const isAboveLimit = (await checkWith(settled, passed)).length > 0;
      if (isAboveLimit || isBehind || io.clock.monotonic() >= end)
        throw refusedByPolicy(wrong, 'Nothing was signed or sent now.');
      await io.clock.sleep(LOOK_EVERY_MS, io.interrupted);
    }
  };
  /**
   * Checks transactions whose sending is recorded, just before the call: their process may have been stopped since the
   * review. Others in review stop by themselves, because they see these.
   */
  const assertFitsStill = async (own: readonly ReviewedTransaction[]): Promise<void> => {
    if (!isCounted) return;
    const sending = await Promise.all(
      own.map(async (each) => ({ digest: each.digest, outflows: each.moves, place: await placeOfReserved(each) })),
    );
    const others = await reservedBut(sending.map(({ digest }) => digest));
    const wrong = await checkWith(
      others.filter(({ state }) => state !== 'reviewed'),
      sending,
    );
    if (wrong.length > 0) throw refusedByPolicy(wrong, 'Nothing was sent now.');
  };
  return {
    /** The amounts that count besides a transaction in review. Throws `journal_damaged`. */
    countBeside: async ({ digest, place }: Pick<PassedReview, 'digest' | 'place'>) =>
      isCounted ? countBut(await reservedBut([digest]), place) : NOTHING,
    /** The amounts that count for a payment without a transaction yet. Throws `journal_damaged`. */
    countAhead: async ({ chain, outflow }: PlannedOutflow) =>
      isCounted && outflow ? countWithout(await reservedBut([]), chain, outflow) : NOTHING,
    assertFits,
    assertFitsStill,
  };
};

/** The kind of chain of an address. */
export const chainOf = (address: string) => (address.startsWith('0x') ? 'evm' : 'solana');

/**
 * Throws `refused_by_review` for an operation that counts against a key's daily limit: without it, the limit could be
 * spent again.
 */
export const assertMayForget = async (io: Io, id: string): Promise<void> => {
  for (const { from, at } of await reservedBy(io, id, io.clock.now() - DAY_MS)) {
    const found = await readKeyPolicy(io, { chain: chainOf(from), address: from });
    if (Object.keys(found?.policy.most_per_day ?? {}).length === 0) continue;
    const until = new Date(at + DAY_MS).toISOString();
    const message = `it counts towards most_per_day of the key ${from} until ${until}`;
    throw new Failure('refused_by_review', `${id} cannot be removed yet: ${message}`, {
      errors: [{ field: 'policy.most_per_day', message }],
      namesErrors: true,
      hint: 'Nothing was changed. It can be removed after that time.',
    });
  }
};
