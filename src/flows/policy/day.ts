import { amountCounted, checkDay, largestOf } from '../../chain/review/check-limits.ts';
import type { PlannedOutflow } from '../../chain/review/check-policy.ts';
import {
  type AppliedPolicy,
  changeCommand,
  hasDailyLimit,
  isOfToken,
  journalOf,
  type Outflow,
  ownerInWords,
} from '../../chain/review/policy.ts';
import { EVM_CHAINS, sandboxChainId } from '../../contract/chains.ts';
import { compareDecimals } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import { storeOf } from '../../journal/open-store.ts';
import type { Operation } from '../../journal/operation.ts';
import type { ReviewedTransaction } from '../../journal/operation-state.ts';
import { type CountedWallets, reservedBy } from '../../journal/reserved.ts';
import { type DayEntries, type DayEntry, type Place, placeOfReserved, placeText, readDay, slotOf } from './day-book.ts';
import { readKeyPolicy, refusedByPolicy } from './key-policy.ts';

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

/** Transactions of one nonce slot: the outflows of accepted ones, and of each other one. */
type Group = { readonly place: Place | undefined; readonly taken: Outflow[]; readonly open: (readonly Outflow[])[] };

/** The transactions by nonce slot. One without a slot is a group of its own. */
const groupsOf = (entries: readonly DayEntry[]): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const each of entries) {
    const group = groups.get(slotOf(each)) ?? { place: each.place, taken: [], open: [] };
    groups.set(slotOf(each), group);
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
const countOf = (accepted: readonly Outflow[], groups: readonly Group[], own: Group | undefined): DayCount => ({
  moved: [
    ...accepted,
    ...groups.flatMap((group) => (group === own ? group.taken : largestOf([group.taken, ...group.open]))),
  ],
  replaced: largestOf(own?.open ?? []),
});

/** What other processes only review stops by itself. */
const withoutReviews = ({ accepted, others }: DayEntries): DayEntries => ({
  accepted,
  others: others.filter(({ state }) => state !== 'reviewed'),
});

const NOTHING: DayCount = { moved: [], replaced: [] };

/**
 * Without a transaction, a mere review does not count. An uncertain one can be replaced by its nonce, so the largest
 * counts as replaced. On Solana the same bytes can be sent again.
 */
const countWithout = (day: DayEntries, chain: PlannedOutflow['chain'], outflow: Outflow) => {
  const { accepted, others: entries } = withoutReviews(day);
  const groups = groupsOf(entries);
  const isSame = (move: Outflow) =>
    isOfToken(move.token, outflow) && compareDecimals(move.amount, outflow.amount) === 0;
  const isSameAgain = ({ place, open }: Group) => place === undefined && open.flat().some(isSame);
  const amountIn = ({ open }: Group) => amountCounted(largestOf(open), outflow.token);
  const [largest] = groups
    .filter(({ place, taken }) => place !== undefined && canBeOn(chain, place) && taken.length === 0)
    .toSorted((one, other) => compareDecimals(amountIn(other), amountIn(one)));
  const others = groups.filter((group) => !isSameAgain(group));
  return countOf(accepted, others, largest);
};

/** The start of the last 24 hours, by the clock of the journal. */
const dayAgo = async (io: Io): Promise<number> => (await (await storeOf(io)).now()) - DAY_MS;

/** Another journal would start a new day, so a daily limit holds in its own journal alone. Throws `refused_by_review`. */
const assertJournal = async (io: Io, { policy, owner }: Pick<RulingPolicy, 'policy' | 'owner'>): Promise<void> => {
  const { id } = await storeOf(io);
  const wanted = journalOf(policy);
  if (id === wanted) return;
  const message = `most_per_day of ${ownerInWords(owner)} is counted in the journal ${wanted}, and this command uses ${id}`;
  const change = changeCommand(owner, 'journal', id);
  throw new Failure('refused_by_review', `nothing was signed or sent now: ${message}`, {
    errors: [{ field: 'policy.journal', message }],
    namesErrors: true,
    hint: `Use that journal. If it has ended: ${change}`,
  });
};

/** The last 24 hours under one policy, from the journal; empty without a daily limit. */
export const openDay = (io: Io, { counted, ...ruling }: RulingPolicy) => {
  const isCounted = hasDailyLimit(ruling.policy);
  const reservedBut = async (own: readonly string[]): Promise<DayEntries> => {
    await assertJournal(io, ruling);
    return readDay(io, counted, await dayAgo(io), own);
  };
  const countBut = ({ accepted, others }: DayEntries, place: Place | undefined): DayCount => {
    const groups = groupsOf(others);
    const isOwn = (group: Group) => place && group.place && placeText(group.place) === placeText(place);
    return countOf(accepted, groups, groups.find(isOwn));
  };
  const checkWith = (day: DayEntries, passed: readonly PassedReview[]) => {
    const place = passed.find((each) => each.place)?.place;
    const outflows = passed.flatMap((each) => each.outflows);
    return checkDay({ ...ruling, ...countBut(day, place) }, outflows);
  };

  /**
   * As `assertDay` of a gate. Each process writes its entry before it counts, so the later one sees the earlier one. If
   * both see each other, the later operation stops, and the earlier one waits for that. `isAlone`: no other is counting.
   */
  const assertFits = async (operation: Operation, passed: readonly PassedReview[], isAlone: boolean): Promise<void> => {
    if (!isCounted) return;
    const own = passed.map(({ digest }) => digest);
    const end = io.clock.monotonic() + RIVAL_WAIT_MS;
    for (;;) {
      const day = await reservedBut(own);
      const wrong = checkWith(day, passed);
      if (wrong.length === 0) return;
      const isBehind = day.others.some((each) => each.state === 'reviewed' && each.operationId < operation.id);
      const isAboveLimit = checkWith(withoutReviews(day), passed).length > 0;
      if (isAlone || isAboveLimit || isBehind || io.clock.monotonic() >= end)
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
    const day = await reservedBut(sending.map(({ digest }) => digest));
    const wrong = checkWith(withoutReviews(day), sending);
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
  for (const { from, at } of await reservedBy(io, id, await dayAgo(io))) {
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
