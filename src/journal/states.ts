import { type Failure, isFailure } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import type { OperationState } from './operation-state.ts';
import { stateOf } from './reduce.ts';
import { readOperation } from './wire.ts';

/** Handles an operation that cannot be read; throws to stop the look-up. */
export type OnDamage = (damage: Failure, id: string) => void | Promise<void>;

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
