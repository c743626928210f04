import { amended, Failure, isFailure } from '../core/failure.ts';
import { printJson } from '../core/json.ts';
import type { Claim } from '../io/files/claim.ts';
import type { Io } from '../io/io.ts';
import { inDoubtWithout } from './doubt.ts';
import type { OperationEvent, RecordedEvent } from './event.ts';
import { indexedOf } from './indexed.ts';
import { dropWhenUseless, type Inputs, withoutCards } from './inputs.ts';
import { newOperationId } from './keys.ts';
import { CLAIM_PATIENCE_MS, storeOf } from './open-store.ts';
import type { OperationState } from './operation-state.ts';
import { openOwn } from './own.ts';
import { stateOf } from './reduce.ts';
import { NOTHING_STATED, type Statement } from './statement.ts';
import { isTerminal, needsNoInputs } from './status.ts';
import type { CheckedLine, Lock } from './store.ts';
import { lineOf, type RecordedOperation, readOperation } from './wire.ts';

/**
 * Removes what killed processes left in the journal: claims, inputs of closed operations, unnamed files, half-written
 * operations. A failed removal is repeated at the next clean-up.
 */
export const cleanUpJournal = async (io: Io): Promise<void> =>
  (await storeOf(io)).cleanUp(async (id) => {
    const recorded = await readOperation(io, id);
    if (recorded === undefined) return 'nothing';
    return needsNoInputs(stateOf(recorded)) ? 'lines' : 'inputs';
  });

/** The final state of a payment, or the result of a yield operation. */
type EndEvent = Extract<OperationEvent, { step: 'ended' | 'settled' }>;

/** An operation in the journal. One process at a time writes to it. */
export type Operation = {
  /** Sorts by time. */
  readonly id: string;
  /** Whether this process has started it. */
  readonly isNew: boolean;
  /**
   * Resolves when the event is on the disk. Throws `journal_unwritable`, and `not_final` if another process has
   * claimed the operation. Then nothing may be sent.
   */
  readonly record: (entry: OperationEvent) => Promise<void>;
  /** Records events that a check allows; see `Store.appendChecked`. Throws as `record`, and what the check throws. */
  readonly recordChecked: (entries: readonly OperationEvent[], of: Lock) => Promise<void>;
  /**
   * Records an outcome that already happened. A write error must not hide the outcome, so it is ignored. The next
   * `record` fails on the same error before anything is sent.
   */
  readonly note: (entry: OperationEvent) => Promise<void>;
  /** The same. Throws `outcome_unknown` if money may have moved and the database of the journal went away. */
  readonly noteAnswer: (entry: OperationEvent) => Promise<void>;
  /**
   * Records how the operation ended when it is closed, which is after the output. So the end of an operation that
   * nobody read does not allow the same operation again.
   */
  readonly noteEnd: (entry: EndEvent) => void;
  /** The current state, including the event that is being written. */
  readonly state: () => OperationState;
  /** Releases the claim; another process may continue. `isRead`: somebody may have read the output. */
  readonly close: (isRead?: boolean) => Promise<void>;
};

/** The start of an operation: the service, the intent, and what a resume needs. */
export type OperationStart = Omit<OperationState['started'], 'step' | 'base_url' | 'stated'> & {
  readonly baseUrl: string;
  /** The user's statement; empty by default. */
  readonly stated?: Statement | undefined;
  /** The inputs, which the journal itself does not hold. */
  readonly inputs?: Inputs | undefined;
};

/** Writes to an operation that this process has claimed. `read` is its content. */
const openOperation = (io: Io, id: string, claim: Claim, read: readonly RecordedEvent[] = []): Operation => {
  const { writing, together, state, certain, close: closeOwn } = openOwn(io, id, read);
  const timed = (event: OperationEvent): RecordedEvent => ({ ...event, at: new Date(io.clock.now()).toISOString() });
  // A full disk may keep half a line, and may also refuse to remove it. The next line must not continue it.
  let mayBeTorn = false;
  const write = (event: RecordedEvent): Promise<void> =>
    writing(event, async () => {
      await assertOurs(claim, id);
      const store = await storeOf(io);
      if (mayBeTorn) await store.removeTornLine(id);
      mayBeTorn = true;
      await store.append(id, printJson(lineOf(id, event)), () => indexedOf(state()));
      mayBeTorn = false;
    });
  let end: RecordedEvent | undefined;
  const writeEnd = async (): Promise<void> => {
    const ending = end;
    end = undefined;
    if (ending) await write(ending).catch(() => undefined);
  };
  /** A first entry that is missing starts nothing. */
  const reached = (work: Promise<void>, isFirst = false): Promise<void> => {
    const inDoubt = (failure: Failure): Failure => (isFirst ? failure : inDoubtWithout(failure, state(undefined)));
    return work.catch(amended(inDoubt, 'journal_unreachable'));
  };
  const record = async (event: OperationEvent): Promise<void> => {
    await writeEnd();
    await reached(write(timed(event)), event.step === 'started');
  };
  const recordChecked = async (entries: readonly OperationEvent[], of: Lock): Promise<void> => {
    const { appendChecked } = await storeOf(io);
    if (appendChecked === undefined) {
      for (const event of entries) await record(event);
      return of.check(false);
    }
    await writeEnd();
    const events = entries.map(timed);
    const lineAt = (state: OperationState, at: number): CheckedLine => ({
      line: printJson(lineOf(id, events[at] as RecordedEvent)),
      indexed: () => indexedOf(state),
    });
    await reached(together(events, (states) => appendChecked(id, states.map(lineAt), of)));
  };
  const note = (event: OperationEvent): Promise<void> => record(event).catch(() => undefined);
  const noteAnswer = (event: OperationEvent): Promise<void> =>
    record(event).catch((error: unknown) => {
      if (isFailure(error, 'outcome_unknown')) throw error;
    });
  const noteEnd = (event: EndEvent): void => {
    end = timed(event);
  };
  const close = async (isRead = true): Promise<void> => {
    if (isRead) await writeEnd();
    await dropWhenUseless(io, id, certain()).catch(() => undefined);
    closeOwn();
    await claim.release();
  };
  return {
    id,
    isNew: read.length === 0,
    record,
    recordChecked,
    note,
    noteAnswer,
    noteEnd,
    state: () => state(end),
    close,
  };
};

/** Starts an operation and records its intent before anything is done. */
export const beginOperation = async (
  io: Io,
  { baseUrl, inputs, stated = NOTHING_STATED, ...beginning }: OperationStart,
): Promise<Operation> => {
  const store = await storeOf(io);
  const id = newOperationId(io, await store.now());
  const operation = openOperation(io, id, await claimOperation(io, id));
  try {
    // Inputs come before the first entry, for their owner alone: without them an operation could not be resumed.
    if (inputs) await store.inputs.write(id, printJson(withoutCards(inputs)));
    await operation.record({ step: 'started', base_url: baseUrl, ...beginning, stated });
    return operation;
  } catch (error) {
    // A first entry without an answer may be in the journal.
    if (inputs && !isFailure(error, 'journal_unreachable')) await store.inputs.remove(id).catch(() => undefined);
    await operation.close();
    throw error;
  }
};

/** Starts an operation, runs a function with it, and releases it in any case. */
export const withOperation = async <T>(
  io: Io,
  beginning: OperationStart,
  work: (operation: Operation) => Promise<T>,
): Promise<T> => {
  const operation = await beginOperation(io, beginning);
  try {
    return await work(operation);
  } finally {
    await operation.close();
  }
};

/** An operation that this process has claimed, and its recorded content. */
export type ReopenedOperation = { readonly operation: Operation; readonly recorded: RecordedOperation };

/**
 * Claims an operation and reads it, so that no other process can add to it. Throws `not_final` if another process
 * works on it, `rejected` if it is closed, `journal_damaged`, and `not_found` if there is none.
 */
export const reopenOperation = async (io: Io, id: string): Promise<ReopenedOperation> => {
  const claim = await claimOperation(io, id);
  try {
    const recorded = await readOperation(io, id);
    if (recorded === undefined) throw new Failure('not_found', `there is no operation ${id} in the journal`);
    if (isTerminal(stateOf(recorded))) {
      throw new Failure('rejected', `the operation ${id} is closed and cannot be resumed`);
    }
    // A half-written line would join the next one.
    if (recorded.isTorn) await (await storeOf(io)).removeTornLine(id);
    return { operation: openOperation(io, id, claim, recorded.events), recorded };
  } catch (error) {
    await claim.release();
    throw error;
  }
};

/** Waits until no process works on an operation, for some milliseconds at most. */
export const waitForOthers = async (io: Io, id: string, patience: number): Promise<void> => {
  const claiming = await (await storeOf(io)).claim({ of: 'operation', name: id }, patience);
  if ('claim' in claiming) await claiming.claim.release();
};

/**
 * Claims an operation for this process, existing or not. Throws `not_final` if another process has it, and
 * `journal_unwritable`.
 */
export const claimOperation = async (io: Io, id: string): Promise<Claim> => {
  const claiming = await (await storeOf(io)).claim({ of: 'operation', name: id }, CLAIM_PATIENCE_MS);
  if ('claim' in claiming) return claiming.claim;
  const { holder } = claiming;
  const who = holder.process ? `process ${holder.process.pid}` : 'another process';
  throw new Failure('not_final', `${who} is working on the operation ${id}`, {
    hint: `${holder.advice} Wait until that process ends, then run the command again.`,
  });
};

/** Throws `not_final` if the claim file was removed: this process must stop. */
const assertOurs = async (claim: Claim, id: string): Promise<void> => {
  if (await claim.isHeld()) return;
  throw new Failure('not_final', `this process stopped: it has lost its claim on the operation ${id}`, {
    hint: 'Another machine took it over, or the claim file was removed. Nothing was sent now.',
  });
};
