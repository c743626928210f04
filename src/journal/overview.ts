import type { Failure } from '../core/failure.ts';
import { isFailure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import { addToIndex, readIndex } from './index-file.ts';
import type { OperationState } from './operation-state.ts';
import { listOperations, readOperation } from './read.ts';
import { stateOf } from './state.ts';
import { isTerminal } from './terminal.ts';

/** What is done about a movement that cannot be read; throws where nothing may go on. */
export type OnDamage = (damage: Failure) => void | Promise<void>;

const readState = async (io: Io, id: string, onDamage: OnDamage | undefined): Promise<OperationState | undefined> => {
  try {
    const recorded = await readOperation(io, id);
    return recorded && stateOf(recorded);
  } catch (error) {
    if (!onDamage || !isFailure(error, 'journal_damaged')) throw error;
    await onDamage(error);
    return undefined;
  }
};

const AT_ONCE = 32;

const inGroups = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) => ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE));

/**
 * What every movement comes to, the newest first. Those that are over come without their bytes: the unsigned and the
 * signed ones. Throws `journal_damaged`, unless `onDamage` does something else about it.
 */
export const allStates = async function* (io: Io, onDamage?: OnDamage): AsyncGenerator<OperationState> {
  // In this order: who claims a movement later finds it as it is read here, or refuses it as over.
  const { ids, claimed } = await listOperations(io);
  const known = await readIndex(io);
  const found: OperationState[] = [];
  const isNew = ({ id }: OperationState): boolean => !known.has(id) && !claimed.has(id);
  try {
    for (const group of inGroups(ids)) {
      const states = await Promise.all(group.map(async (id) => known.get(id) ?? (await readState(io, id, onDamage))));
      const there = states.filter((state) => state !== undefined);
      found.push(...there.filter((state) => isNew(state) && isTerminal(state)));
      yield* there;
    }
  } finally {
    await addToIndex(io, found);
  }
};
