import type { Io } from '../io/io.ts';
import { daysSince, idTime, lastTimeOf } from './keys.ts';
import { storeOf } from './open-store.ts';
import type { OperationState } from './operation-state.ts';
import { type OnDamage, readState, readStates } from './states.ts';
import { hasEnded, isTerminal } from './status.ts';
import type { IndexEntry, KeySearch, ViewSource } from './store.ts';
import { dropView, type View, viewOf } from './view.ts';

/** A found operation. `hasEnded`: it is in the index and never in doubt. */
export type Candidate = IndexEntry & {
  readonly hasEnded: boolean;
  /** Reads the state once; `undefined` if it was removed meanwhile. Throws `journal_damaged`. */
  readonly state: () => Promise<OperationState | undefined>;
};

/** An index that lists an open operation as ended is not of this journal. */
const stateOfEnded = async (
  io: Io,
  source: ViewSource,
  id: string,
  onDamage?: OnDamage,
): Promise<OperationState | undefined> => {
  const state = await readState(io, id, onDamage);
  if (state && !hasEnded(state)) await dropView(io, source);
  return state;
};

/** The view of the journal. Throws `journal_damaged` for the newest damaged operation, unless `onDamage` handles it. */
const readView = async (io: Io, source: ViewSource, onDamage?: OnDamage): Promise<View> => {
  const { view, damaged } = await viewOf(io, source);
  for (const [id, damage] of damaged) {
    if (!onDamage) throw damage;
    await onDamage(damage, id);
  }
  return view;
};

const byNewest = (one: Candidate, other: Candidate): number => (one.id < other.id ? 1 : -1);

/** Operations without an end, and those that a process has claimed, with any of the keys. */
const liveUnder = ({ live, liveWith }: View, keys: readonly string[]): readonly Candidate[] => {
  const ids = new Set(keys.flatMap((key) => [...liveWith(key)]));
  const found = [...ids].flatMap((id) => live.get(id) ?? []);
  return found.map(({ state, keys: own }) => ({
    ...{ id: state.id, keys: own, hasEnded: hasEnded(state) },
    state: async () => state,
  }));
};

const newestInView = async function* (
  io: Io,
  source: ViewSource,
  keys: readonly string[],
  onDamage?: OnDamage,
): AsyncGenerator<Candidate> {
  const view = await readView(io, source, onDamage);
  const seen = new Set<string>();
  const live: Candidate[] = [];
  let reopened: number | undefined;
  // An operation may end, and a process may claim an ended one, while the caller reads others.
  const liveAbove = function* (id: string): Generator<Candidate> {
    if (view.reopened() !== reopened) {
      live.push(...liveUnder(view, keys).filter((each) => !seen.has(each.id)));
      live.sort(byNewest);
      for (const each of live) seen.add(each.id);
      reopened = view.reopened();
    }
    for (let first = live[0]; first && first.id > id; first = live[0]) {
      live.shift();
      yield first;
    }
  };
  for (const entry of view.ended.newest(keys)) {
    yield* liveAbove(entry.id);
    if (seen.has(entry.id)) continue;
    seen.add(entry.id);
    yield { ...entry, hasEnded: true, state: () => stateOfEnded(io, source, entry.id, onDamage) };
  }
  yield* liveAbove('');
};

/** Most look-ups need the newest operation, and few keys have more than the first page. */
const FIRST_PAGE = 16;
const LARGEST_PAGE = 4_096;

const newestInPages = async function* (
  io: Io,
  search: KeySearch,
  keys: readonly string[],
  onDamage?: OnDamage,
): AsyncGenerator<Candidate> {
  let before: string | undefined;
  for (let most = FIRST_PAGE; ; most = Math.min(most * FIRST_PAGE, LARGEST_PAGE)) {
    const { found, next } = await search.under(keys, { before, most });
    for (const each of found) yield { ...each, state: () => readState(io, each.id, onDamage) };
    if (next === undefined) return;
    before = next;
  }
};

/** As `candidates`, one after the other: the caller may stop at the first that it needs. */
const newestUnder = async function* (io: Io, keys: readonly string[], onDamage?: OnDamage): AsyncGenerator<Candidate> {
  const { search } = await storeOf(io);
  if (search.by === 'view') return yield* newestInView(io, search, keys, onDamage);
  yield* newestInPages(io, search, keys, onDamage);
};

/**
 * Operations with any of the keys, newest first. Ended ones come from the index and are read on demand. Throws
 * `journal_damaged`, unless `onDamage` handles it.
 */
export const candidates = async (
  io: Io,
  keys: readonly string[],
  onDamage?: OnDamage,
): Promise<readonly Candidate[]> => {
  const found: Candidate[] = [];
  for await (const candidate of newestUnder(io, keys, onDamage)) found.push(candidate);
  return found;
};

/** The states of operations with any of the keys, newest first, each read when it is asked for. Throws as `candidates`. */
export const statesUnder = async function* (
  io: Io,
  keys: readonly string[],
  onDamage?: OnDamage,
): AsyncGenerator<OperationState> {
  for await (const candidate of newestUnder(io, keys, onDamage)) {
    const state = await candidate.state();
    if (state) yield state;
  }
};

/** Whether the journal has no operation. */
export const isJournalEmpty = async (io: Io): Promise<boolean> => {
  const { search } = await storeOf(io);
  if (search.by === 'keys') return search.isEmpty();
  const { view, damaged } = await viewOf(io, search);
  return damaged.size === 0 && view.live.size === 0 && view.ended.size() === 0;
};

const liveStates = (view: View, key?: string): readonly OperationState[] => {
  const ids = key === undefined ? [...view.live.keys()] : [...view.liveWith(key)];
  const newest = ids.toSorted().toReversed();
  return newest.flatMap((id) => view.live.get(id)?.state ?? []);
};

/** The states of all open operations, newest first; those of one key, if it is given. Throws as `candidates`. */
export const openStates = async (io: Io, onDamage?: OnDamage, key?: string): Promise<readonly OperationState[]> => {
  const { search } = await storeOf(io);
  const states =
    search.by === 'keys'
      ? await readStates(io, await search.open(key), onDamage)
      : liveStates(await readView(io, search, onDamage), key);
  return states.filter((state) => !isTerminal(state));
};

/** The clock of the file system may differ from the clock now. */
const MARGIN_MS = 60 * 60 * 1000;

/** Throws for a damaged operation that changed since a time. */
const unlessOld =
  (io: Io, since: number): OnDamage =>
  async (damage, id) => {
    const oldest = since - MARGIN_MS;
    // A clock that was set back makes the last change older than the start.
    if (id >= idTime(oldest) || (await (await storeOf(io)).changedAt(id)) >= oldest) throw damage;
  };

/** The view of the journal, for operations that changed since a time. Throws `journal_damaged`, unless the damaged one is old. */
export const viewSince = (io: Io, source: ViewSource, since: number): Promise<View> =>
  readView(io, source, unlessOld(io, since));

/** The states of some operations. Throws `journal_damaged`, unless the damaged one did not change since a time. */
export const readStatesSince = (io: Io, ids: readonly string[], since: number): Promise<readonly OperationState[]> =>
  readStates(io, ids, unlessOld(io, since));

/**
 * The states of ended operations that changed since a time, and of all others: the old ones may still send. Those of one
 * wallet, if its key is given. The newest first. Throws `journal_damaged`, unless the damaged one is old.
 */
export const statesSince = async (io: Io, since: number, wallet?: string): Promise<readonly OperationState[]> => {
  const { search } = await storeOf(io);
  if (search.by === 'keys') return readStatesSince(io, await search.since(since, wallet), since);
  const oldest = since - MARGIN_MS;
  const { ended, live } = await viewSince(io, search, since);
  const states = [...live.values()].map(({ state }) => state);
  const read = await readStates(io, ended.since(oldest, daysSince(oldest, io.clock.now()), wallet));
  for (const state of read) ended.setTime(state.id, lastTimeOf(state));
  return [...states, ...read].toSorted((one, other) => (one.id < other.id ? 1 : -1));
};
