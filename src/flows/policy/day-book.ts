import type { UnsignedEvm } from '../../chain/evm/transaction.ts';
import { largestOf } from '../../chain/review/check-limits.ts';
import type { Outflow } from '../../chain/review/policy.ts';
import { type Decimal, formatDecimal, parseDecimal } from '../../core/decimal.ts';
import { undefinedOn } from '../../core/failure.ts';
import type { Io, Places } from '../../io/io.ts';
import type { ReviewedTransaction } from '../../journal/operation-state.ts';
import { type CountedWallets, followReserved, type Reservation, type ReservedFeed } from '../../journal/reserved.ts';

/** A nonce slot on an EVM chain: chain, sender and nonce. Only one transaction of a slot can land. */
export type Place = Pick<UnsignedEvm, 'chainId' | 'from' | 'nonce'>;

/** A text that is equal for the same slot. */
export const placeText = ({ chainId, from, nonce }: Place): string => `${chainId} ${nonce} ${from.toLowerCase()}`;

/** The nonce slot of a signed transaction. Unreadable signed bytes have none and count separately. */
export const placeOfReserved = async ({
  from,
  signed_transaction: bytes,
}: ReviewedTransaction): Promise<Place | undefined> => {
  if (!from.startsWith('0x') || bytes === undefined) return undefined;
  const { chainAndNonceOf: placeOf } = await import('../../chain/evm/transaction.ts');
  return undefinedOn(() => ({ ...placeOf(bytes), from }));
};

/** A reservation with its nonce slot, and without its bytes. */
export type DayEntry = Omit<Reservation, 'signed_transaction'> & { readonly place: Place | undefined };

/** The slot of an entry. One without a slot is alone. */
export const slotOf = ({ place, digest }: DayEntry): string => (place ? placeText(place) : digest);

/** What counts in a day: the sums of slots in which all was accepted, and the entries of all other slots. */
export type DayEntries = { readonly accepted: readonly Outflow[]; readonly others: readonly DayEntry[] };

const hasPassed = ({ at, leaving }: DayEntry, since: number): boolean => leaving === undefined && at <= since;

const byNewest = (one: DayEntry, other: DayEntry): number => (one.operationId < other.operationId ? 1 : -1);

/** The same bytes count once: as the oldest operation that did more than review them. `entries`: newest first. */
const countedOf = (entries: readonly DayEntry[]): DayEntry | undefined =>
  entries.findLast(({ state }) => state !== 'reviewed') ?? entries[0];

const newSums = () => {
  const sums = new Map<string, Outflow & { readonly sum: Decimal }>();
  return {
    /** `sign`: 1 adds, -1 removes what was added. */
    add: (outflow: Outflow, sign: 1n | -1n): void => {
      const key = JSON.stringify([outflow.token, outflow.address]);
      const { units, scale } = parseDecimal(outflow.amount);
      const { sum } = sums.get(key) ?? { sum: { units: 0n, scale: 0 } };
      const to = Math.max(scale, sum.scale);
      const unitsOf = (of: Decimal): bigint => of.units * 10n ** BigInt(to - of.scale);
      sums.set(key, { ...outflow, sum: { units: unitsOf(sum) + sign * unitsOf({ units, scale }), scale: to } });
    },
    outflows: (): readonly Outflow[] =>
      [...sums.values()].map(({ sum, ...of }) => ({ ...of, amount: formatDecimal(sum) })),
  };
};

/**
 * The reservations of a day. What was accepted stays as it is until it is a day old, so that only its sum is kept at hand.
 * A count looks at all others alone.
 */
const newBook = () => {
  const ofOperation = new Map<string, readonly DayEntry[]>();
  const ofDigest = new Map<string, readonly DayEntry[]>();
  const ofSlot = new Map<string, Map<string, DayEntry>>();
  /** The outflows of slots in which all was accepted, and all other slots. */
  const accepted = new Map<string, readonly Outflow[]>();
  const unsettled = new Set<string>();
  const sums = newSums();
  /** Operations with an entry that passes, by its time. Those before `passed` have passed. */
  let passing: Pick<DayEntry, 'operationId' | 'at'>[] = [];
  let passed = 0;

  const settle = (slot: string): void => {
    for (const outflow of accepted.get(slot) ?? []) sums.add(outflow, -1n);
    accepted.delete(slot);
    unsettled.delete(slot);
    const entries = [...(ofSlot.get(slot)?.values() ?? [])];
    if (entries.length === 0) ofSlot.delete(slot);
    if (entries.some(({ state }) => state !== 'taken')) unsettled.add(slot);
    if (entries.length === 0 || unsettled.has(slot)) return;
    const outflows = largestOf([entries.flatMap(({ moves }) => moves)]);
    accepted.set(slot, outflows);
    for (const outflow of outflows) sums.add(outflow, 1n);
  };
  /** Replaces the entries of the same bytes. */
  const setDigest = (digest: string, entries: readonly DayEntry[]): void => {
    const [before, after] = [countedOf(ofDigest.get(digest) ?? []), countedOf(entries)];
    if (entries.length > 0) ofDigest.set(digest, entries);
    else ofDigest.delete(digest);
    if (before === after) return;
    if (before) ofSlot.get(slotOf(before))?.delete(digest);
    if (after) ofSlot.set(slotOf(after), (ofSlot.get(slotOf(after)) ?? new Map()).set(digest, after));
    for (const slot of new Set([before, after].flatMap((each) => (each ? [slotOf(each)] : [])))) settle(slot);
  };
  const addPassing = ({ operationId, at }: DayEntry): void => {
    // Most entries are newer than all others.
    let place = passing.length;
    while (place > passed && (passing[place - 1]?.at ?? 0) > at) place -= 1;
    passing.splice(place, 0, { operationId, at });
  };
  const set = (id: string, entries: readonly DayEntry[], since: number): void => {
    const [before, after] = [ofOperation.get(id) ?? [], entries.filter((each) => !hasPassed(each, since))];
    if (after.length > 0) ofOperation.set(id, after);
    else ofOperation.delete(id);
    // An operation that a process works on is read again and again.
    const isAdded = ({ at }: DayEntry): boolean => before.some((each) => each.leaving === undefined && each.at === at);
    for (const entry of after) if (entry.leaving === undefined && !isAdded(entry)) addPassing(entry);
    for (const digest of new Set([...before, ...after].map((each) => each.digest))) {
      const others = ofDigest.get(digest) ?? [];
      const own = after.filter((each) => each.digest === digest);
      const newer = others.filter(({ operationId }) => operationId > id);
      setDigest(digest, [...newer, ...own, ...others.filter(({ operationId }) => operationId < id)]);
    }
  };
  return {
    set,
    /** Leaves out what is a day old by now. */
    passTo: (since: number): void => {
      for (let next = passing[passed]; next && next.at <= since; next = passing[passed]) {
        passed += 1;
        set(next.operationId, ofOperation.get(next.operationId) ?? [], since);
      }
      if (passed * 2 > passing.length) [passing, passed] = [passing.slice(passed), 0];
    },
    /** All that counts, except the bytes with these digests. */
    entriesBut: (own: readonly string[]): DayEntries => {
      const slots = new Set(own.flatMap((digest) => countedOf(ofDigest.get(digest) ?? []) ?? []).map(slotOf));
      const opened = [...slots].filter((slot) => accepted.has(slot));
      const withoutOpened = opened.flatMap((slot) => accepted.get(slot) ?? []);
      for (const outflow of withoutOpened) sums.add(outflow, -1n);
      const outflows = sums.outflows();
      for (const outflow of withoutOpened) sums.add(outflow, 1n);
      const others = [...unsettled, ...opened].flatMap((slot) => [...(ofSlot.get(slot)?.values() ?? [])]);
      return { accepted: outflows, others: others.filter(({ digest }) => !own.includes(digest)).toSorted(byNewest) };
    },
  };
};

type Book = ReturnType<typeof newBook>;

/** The book of a day, with the start that it was made for. */
type OpenBook = { readonly book: Book; readonly feed: ReservedFeed; since: number };

/** The books of a home, by what they count. Each is behind those who use it now. */
const books = new WeakMap<Places, Map<string, Promise<OpenBook | undefined>>>();

const entriesOf = (reservations: readonly Reservation[]): Promise<readonly DayEntry[]> =>
  Promise.all(
    reservations.map(async (each) => {
      const { signed_transaction: _bytes, ...entry } = each;
      return { ...entry, place: await placeOfReserved(each) };
    }),
  );

const update = async (io: Io, open: OpenBook, since: number): Promise<OpenBook | undefined> => {
  const changes = since < open.since ? undefined : await open.feed.take(io, since);
  if (changes === undefined) return undefined;
  for (const [id, reservations] of changes) open.book.set(id, await entriesOf(reservations), since);
  open.book.passTo(since);
  open.since = since;
  return open;
};

/**
 * Brings a book up to now. `undefined` if it cannot be: the journal was read anew, or the clock was set back. After an error
 * the book may lack changes that were taken, so another is made.
 */
const updated = async (io: Io, open: OpenBook, since: number): Promise<OpenBook | undefined> => {
  let current: OpenBook | undefined;
  try {
    current = await update(io, open, since);
    return current;
  } finally {
    if (current === undefined) open.feed.stop();
  }
};

const openBook = async (io: Io, counted: CountedWallets, since: number): Promise<OpenBook> => {
  const feed = await followReserved(io, counted, since);
  const first = await updated(io, { book: newBook(), feed, since }, since);
  return first ?? openBook(io, counted, since);
};

/**
 * The reservations that count together since a time, except the bytes with these digests. A process reads each operation
 * of the day once, and again when it changes. Throws `journal_damaged`.
 */
export const readDay = async (
  io: Io,
  counted: CountedWallets,
  since: number,
  own: readonly string[],
): Promise<DayEntries> => {
  const known = books.get(io.places) ?? new Map<string, Promise<OpenBook | undefined>>();
  books.set(io.places, known);
  const key = JSON.stringify(counted);
  const last = known.get(key) ?? Promise.resolve(undefined);
  const opening = last.then(async (open) => {
    const current = open && (await updated(io, open, since));
    return current ?? openBook(io, counted, since);
  });
  known.set(
    key,
    opening.catch(() => undefined),
  );
  return opening.then(({ book }) => book.entriesBut(own));
};
