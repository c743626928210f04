import { type Failure, isFailure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import { hasKey, storeOf } from './file-store.ts';
import { daysSince, idTime, keysOf } from './keys.ts';
import type { OperationState } from './operation-state.ts';
import { stateOf } from './reduce.ts';
import { isTerminal, statusOf } from './status.ts';
import type { IndexEntry } from './store.ts';
import { readOperation } from './wire.ts';

/** Handles an operation that cannot be read; throws to stop the look-up. */
export type OnDamage = (damage: Failure, id: string) => void | Promise<void>;

/** A found operation. `hasEnded`: it is in the index and never in doubt. */
export type Candidate = IndexEntry & {
  readonly hasEnded: boolean;
  /** Reads the state once; `undefined` if it was removed meanwhile. Throws `journal_damaged`. */
  readonly state: () => Promise<OperationState | undefined>;
};

/** Reads the state of an operation; `undefined` if it does not exist. Throws `journal_damaged`. */
export const readState = async (io: Io, id: string, onDamage?: OnDamage): Promise<OperationState | undefined> => {
  try {
    const recorded = await readOperation(io, id);
    return recorded && stateOf(recorded);
  } catch (error) {
    if (!onDamage || !isFailure(error, 'journal_damaged')) throw error;
    await onDamage(error, id);
    return undefined;
  }
};

/** The number of operations that are read at the same time. */
export const AT_ONCE = 32;

/** Reads many operations, a few at a time. */
export const readStates = async (
  io: Io,
  ids: readonly string[],
  onDamage?: OnDamage,
): Promise<readonly OperationState[]> => {
  const found: OperationState[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const states = await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => readState(io, id, onDamage)));
    found.push(...states.filter((state) => state !== undefined));
  }
  return found;
};

/** Whether an operation can no longer change and may enter the index. */
export const hasEnded = (state: OperationState): boolean => isTerminal(state) && statusOf(state) !== 'in_doubt';

const candidateOf = (state: OperationState): Candidate => ({
  id: state.id,
  keys: keysOf(state),
  hasEnded: hasEnded(state),
  state: async () => state,
});

/** An index that lists an open operation as ended is not of this journal. */
const stateOfEnded = async (io: Io, id: string, onDamage?: OnDamage): Promise<OperationState | undefined> => {
  const state = await readState(io, id, onDamage);
  if (state && !hasEnded(state)) await storeOf(io).index.drop();
  return state;
};

/** Reads operations that are not in the index. Ended ones enter it, unless a process has a claim on them. */
const scan = async (io: Io, keys: readonly string[], onDamage?: OnDamage) => {
  const { index } = storeOf(io);
  const { indexed, others, claimed } = await index.find(keys);
  const read = await readStates(io, others, onDamage);
  const ended = read.filter((state) => hasEnded(state) && !claimed.has(state.id));
  if (ended.length > 0) await index.add(ended.map((state) => ({ id: state.id, keys: keysOf(state) })));
  return { read, indexed };
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
  const { read, indexed } = await scan(io, keys, onDamage);
  const found = read.map(candidateOf).filter((each) => keys.some((key) => hasKey(each.keys, key)));
  const ended = indexed.map((entry) => ({
    ...entry,
    hasEnded: true,
    state: () => stateOfEnded(io, entry.id, onDamage),
  }));
  if (found.length === 0) return ended;
  return [...found, ...ended].toSorted((one, other) => (one.id < other.id ? 1 : -1));
};

/** The states of operations with any of the keys, newest first. Throws as `candidates`. */
export const statesUnder = async function* (
  io: Io,
  keys: readonly string[],
  onDamage?: OnDamage,
): AsyncGenerator<OperationState> {
  for (const candidate of await candidates(io, keys, onDamage)) {
    const state = await candidate.state();
    if (state) yield state;
  }
};

/** The states of all open operations, newest first. Throws as `candidates`. */
export const openStates = async (io: Io, onDamage?: OnDamage): Promise<readonly OperationState[]> =>
  (await scan(io, [], onDamage)).read.filter((state) => !isTerminal(state));

/** The clock of the file system may differ from the clock now. */
const MARGIN_MS = 60 * 60 * 1000;

/**
 * The states of operations changed since a time whose keys pass `isMeant`, and of all operations without an index entry:
 * they have no keys, and the old ones may still send. The newest first. Throws `journal_damaged`, unless the damaged one
 * is old.
 */
export const statesSince = async (
  io: Io,
  since: number,
  isMeant: (keys: string) => boolean = () => true,
): Promise<readonly OperationState[]> => {
  const store = storeOf(io);
  const oldest = since - MARGIN_MS;
  const { indexed, others } = await store.index.find(daysSince(oldest, io.clock.now()));
  const ids = [...others, ...indexed.filter(({ keys }) => isMeant(keys)).map(({ id }) => id)];
  return readStates(io, ids.toSorted().toReversed(), async (damage, id) => {
    // A clock that was set back makes the last change older than the start.
    const isYoung = id >= idTime(oldest) || (await store.changedAt(id)) >= oldest;
    if (isYoung || !others.includes(id)) throw damage;
  });
};
