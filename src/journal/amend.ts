import { isDeepStrictEqual } from 'node:util';
import { amended, Failure } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import type { Io } from '../io/io.ts';
import type { OperationEvent } from './event.ts';
import { isOfYield } from './intents.ts';
import { type Operation, reopenOperation } from './operation.ts';
import type { OperationState } from './operation-state.ts';

const amend = async (io: Io, id: string, work: (operation: Operation) => Promise<void>): Promise<void> => {
  const { operation } = await reopenOperation(io, id);
  try {
    await work(operation);
  } finally {
    await operation.close();
  }
};

/** Adds later findings to an open operation. Throws as `reopenOperation`. */
export const recordLater = (io: Io, id: string, ...entries: readonly OperationEvent[]): Promise<void> =>
  amend(io, id, async ({ record }) => {
    for (const entry of entries) await record(entry);
  });

/**
 * Ends an operation in favor of another, if it is still as `read`. Throws `not_final` if it is not, or if a process works
 * on it.
 */
export const supersede = (io: Io, read: OperationState, hash?: string): Promise<void> => {
  const changed = new Failure('not_final', `the operation ${read.id} has changed since it was read`, {
    hint: 'Nothing was sent now. Run the command again: it reads what has changed.',
    next: nextStep('operation.show', isOfYield(read.started.intent) ? 'yield' : 'pay', read.id),
  });
  const ending = amend(io, read.id, async ({ state, record }) => {
    if (!isDeepStrictEqual(state(), read)) throw changed;
    await record({ step: 'superseded', hash });
  });
  return ending.catch(amended(() => changed, 'rejected'));
};
