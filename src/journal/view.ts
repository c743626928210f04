import type { Failure } from '../core/failure.ts';
import type { Io, Places } from '../io/io.ts';
import { type EndedOperations, newEndedOperations } from './ended.ts';
import { keysIn } from './file-index.ts';
import { keysOf, lastTimeOf } from './keys.ts';
import type { OperationState } from './operation-state.ts';
import { ownState } from './own.ts';
import { readStates } from './states.ts';
import { hasEnded } from './status.ts';
import type { ViewSource } from './store.ts';

/** An operation that is open or claimed, as it was read last. */
export type LiveOperation = { readonly state: OperationState; readonly keys: string };

/** Called with each operation that was read again; `undefined` if it was removed. */
export type Observer = (id: string, state: OperationState | undefined) => void;

/** The operations of a journal, as this process knows them. */
export type View = {
  readonly ended: EndedOperations;
  readonly live: ReadonlyMap<string, LiveOperation>;
  /** The ids of live operations with a key. */
  readonly liveWith: (key: string) => ReadonlySet<string>;
  /** Changes when an ended operation becomes live: a process claimed it. */
  readonly reopened: () => number;
  readonly observers: Set<Observer>;
};

const newView = () => {
  const live = new Map<string, LiveOperation>();
  const withKey = new Map<string, Set<string>>();
  const removeLive = (id: string): void => {
    for (const key of keysIn(live.get(id)?.keys ?? '')) {
      const ids = withKey.get(key);
      ids?.delete(id);
      if (ids?.size === 0) withKey.delete(key);
    }
    live.delete(id);
  };
  const setLive = (state: OperationState): void => {
    const keys = keysOf(state);
    if (live.get(state.id)?.keys === keys) {
      live.set(state.id, { state, keys });
      return;
    }
    removeLive(state.id);
    live.set(state.id, { state, keys });
    for (const key of keysIn(keys)) withKey.set(key, (withKey.get(key) ?? new Set()).add(state.id));
  };
  const ended = newEndedOperations();
  const observers = new Set<Observer>();
  let reopened = 0;
  return {
    ended,
    live,
    reopened: (): number => reopened,
    liveWith: (key: string): ReadonlySet<string> => withKey.get(key) ?? new Set(),
    observers,
    /** To be read before the next look-up. An id leaves it when its state is stored. */
    unread: new Set<string>(),
    isListed: false,
    queue: Promise.resolve() as Promise<unknown>,
    /** Stores the state of an operation that was read. Returns its index entry if it has ended since. */
    store: (id: string, state: OperationState | undefined, isClaimed: boolean) => {
      const isEnd = state !== undefined && !isClaimed && hasEnded(state);
      if (isEnd) removeLive(id);
      else if (ended.has(id)) {
        ended.remove(id);
        reopened += 1;
      }
      if (state === undefined) removeLive(id);
      else if (!isEnd) setLive(state);
      for (const observe of observers) observe(id, state);
      if (!isEnd) return [];
      const entry = { id, keys: keysOf(state) };
      ended.add(entry, lastTimeOf(state));
      return [entry];
    },
  };
};

type StoredView = ReturnType<typeof newView>;

const views = new WeakMap<Places, StoredView>();

const storedViewOf = ({ places }: Io): StoredView => {
  const found = views.get(places) ?? newView();
  views.set(places, found);
  return found;
};

/** Takes over a listing: what is not known to have ended is read. Returns the ids that no change named. */
const takeListing = async (
  source: ViewSource,
  view: StoredView,
  listed: readonly string[],
): Promise<readonly string[]> => {
  const ids = new Set(listed);
  if (!view.isListed) {
    const index = await source.index.read();
    for (const id of listed.toReversed()) {
      const keys = index.get(id);
      if (keys === undefined) view.unread.add(id);
      else view.ended.add({ id, keys });
    }
    view.isListed = true;
    return [];
  }
  const known = new Set(view.ended.ids());
  for (const id of [...known, ...view.live.keys()].filter((each) => !ids.has(each))) view.unread.add(id);
  // Another program may have changed an open operation. One that has ended is never resumed.
  for (const id of view.live.keys()) view.unread.add(id);
  const unknown = listed.filter((id) => !known.has(id) && !view.live.has(id) && !view.unread.has(id));
  for (const id of unknown) view.unread.add(id);
  return unknown;
};

const refresh = async (io: Io, source: ViewSource, view: StoredView): Promise<ReadonlyMap<string, Failure>> => {
  const { listed, changed, claimed, own, isWhole } = await source.changes(!view.isListed);
  for (const id of changed) view.unread.add(id);
  const strangers = listed ? await takeListing(source, view, listed) : [];
  const isClaimed = new Set(claimed);
  const reading = [...new Set([...view.unread, ...claimed])].toSorted().toReversed();
  const damages = new Map<string, Failure>();
  const inMemory = own.flatMap((id) => ownState(io, id) ?? []);
  const read = new Map(inMemory.map((state) => [state.id, state]));
  const onDisk = reading.filter((id) => !read.has(id));
  const states = await readStates(io, onDisk, (damage, id) => void damages.set(id, damage));
  for (const state of states) read.set(state.id, state);
  const entries = reading.flatMap((id) => {
    if (damages.has(id)) view.unread.add(id);
    else view.unread.delete(id);
    const state = read.get(id);
    if (state !== undefined && isClaimed.has(id) && view.live.get(id)?.state === state) return [];
    return view.store(id, state, isClaimed.has(id));
  });
  if (isWhole && strangers.some((id) => read.has(id))) source.noteStranger();
  if (entries.length > 0) await source.index.add(entries);
  return new Map(reading.flatMap((id) => [damages.get(id)].flatMap((damage) => (damage ? [[id, damage]] : []))));
};

/**
 * The operations of the journal as they are now: all that was recorded before the call is in the view. It reads the
 * operations that changed since the last call, and those that a process has claimed. `damaged`: what could not be read,
 * newest first. It is read again each time.
 */
export const viewOf = async (
  io: Io,
  source: ViewSource,
): Promise<{ readonly view: View; readonly damaged: ReadonlyMap<string, Failure> }> => {
  const view = storedViewOf(io);
  const run = () => refresh(io, source, view);
  const refreshed = view.queue.then(run, run);
  view.queue = refreshed;
  return { view, damaged: await refreshed };
};

/** Forgets the view: it contradicts the journal. Those who wait for it take their changes before the next one lists. */
export const dropView = async (io: Io, source: ViewSource): Promise<void> => {
  const { queue } = storedViewOf(io);
  views.set(io.places, { ...newView(), queue });
  await source.index.drop();
};
