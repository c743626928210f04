import type { Kind } from '../contract/chains.ts';
import { Failure } from '../core/failure.ts';
import { printJson } from '../core/json.ts';
import { type Claim, type ClaimHolder, describeClaim } from '../io/files/claim.ts';
import type { Io } from '../io/io.ts';
import type { OperationEvent, RecordedEvent } from './event.ts';
import { storeOf } from './file-store.ts';
import { dropInputs, dropWhenUseless, type Inputs, keepInputs } from './inputs.ts';
import type { Intent } from './intents.ts';
import { newOperationId } from './operation-id.ts';
import type { OperationState } from './operation-state.ts';
import { type Recorded, readOperation } from './read.ts';
import { stateOf } from './reduce.ts';
import { NOTHING_STATED, type Statement } from './statement.ts';
import { isTerminal } from './status.ts';
import { lineOf } from './wire.ts';

/** One operation, recorded step by step in a file of its own, by one process at a time. */
export type Operation = {
  /** Sorts by time. */
  readonly id: string;
  /**
   * Resolves when the step is on the disk. Throws `journal_unwritable`, and `not_final` where another process has the
   * operation by now: then nothing may be sent.
   */
  readonly record: (entry: OperationEvent) => Promise<void>;
  /**
   * Records how something ended that has happened already. A failure to write must not hide the outcome, so it
   * is swallowed: the next `record` meets the same trouble before anything else is sent.
   */
  readonly note: (entry: OperationEvent) => Promise<void>;
  /** What its entries come to, that which is being written among them: known also while the disk takes its time. */
  readonly state: () => OperationState;
  /** Lets go of it: another process may go on. */
  readonly close: () => Promise<void>;
};

/** What an operation is begun with: the service, what it is for, and what is needed to resume it. */
export type Beginning = {
  readonly profile: string;
  readonly kind: Kind;
  readonly baseUrl: string;
  readonly intent: Intent;
  readonly intent_key?: string | undefined;
  readonly payment_id?: string | undefined;
  readonly asker?: string | undefined;
  /** What the user states of it; nothing where it is left out. */
  readonly stated?: Statement | undefined;
  /** What the journal itself does not keep. */
  readonly inputs?: Inputs | undefined;
};

/** Writes to an operation that this process has claimed; `read` is what stands in it. */
const openOperation = (io: Io, id: string, claim: Claim, read: readonly RecordedEvent[] = []): Operation => {
  const { writing, state } = knownFrom(id, read);
  const write = async (event: RecordedEvent): Promise<void> => {
    await assertOurs(claim, id);
    await storeOf(io).append(id, printJson(lineOf(id, event)));
  };
  const record = (event: OperationEvent): Promise<void> => {
    const recorded: RecordedEvent = { ...event, at: new Date(io.clock.now()).toISOString() };
    return writing(recorded, () => write(recorded));
  };
  const note = (event: OperationEvent): Promise<void> => record(event).catch(() => undefined);
  const close = async (): Promise<void> => {
    await dropWhenUseless(io, id).catch(() => undefined);
    await claim.release().catch(() => undefined);
  };
  return { id, record, note, state, close };
};

/** Opens a journal for an operation and records what it is for, before anything is done. */
export const beginOperation = async (
  io: Io,
  { baseUrl, inputs, stated = NOTHING_STATED, ...beginning }: Beginning,
): Promise<Operation> => {
  const id = newOperationId(io);
  const operation = openOperation(io, id, await claimOperation(io, id));
  try {
    // Before the first entry: what has begun can be resumed.
    if (inputs) await keepInputs(io, id, inputs);
    await operation.record({ step: 'started', base_url: baseUrl, ...beginning, stated });
    return operation;
  } catch (error) {
    if (inputs) await dropInputs(io, id).catch(() => undefined);
    await operation.close();
    throw error;
  }
};

/** Begins an operation, does some work with it, and lets go of it however that ends. */
export const withOperation = async <T>(
  io: Io,
  beginning: Beginning,
  work: (operation: Operation) => Promise<T>,
): Promise<T> => {
  const operation = await beginOperation(io, beginning);
  try {
    return await work(operation);
  } finally {
    await operation.close();
  }
};

/** An operation that this process has to itself, and what stands in its journal. */
export type Reopened = { readonly operation: Operation; readonly recorded: Recorded };

/**
 * Resumes an operation where it was left: with what stands in the journal once nobody else can add to it.
 * Throws `not_final` when another process works on it, `rejected` when it is over, `journal_damaged`, and `not_found`
 * when there is none.
 */
export const reopenOperation = async (io: Io, id: string): Promise<Reopened> => {
  const claim = await claimOperation(io, id);
  try {
    const recorded = await readOperation(io, id);
    if (recorded === undefined) throw new Failure('not_found', `there is no movement ${id} in the journal`);
    if (isTerminal(stateOf(recorded))) {
      throw new Failure('rejected', `the movement ${id} is over: it is not taken up again`);
    }
    // What a crash left of a line would run into the next one.
    if (recorded.isTorn) await storeOf(io).mend(id);
    return { operation: openOperation(io, id, claim, recorded.events), recorded };
  } catch (error) {
    await claim.release();
    throw error;
  }
};

/** Adds what was found out later to an operation that was left. Throws as `reopenOperation`. */
export const recordLater = async (io: Io, id: string, ...entries: readonly OperationEvent[]): Promise<void> => {
  const { operation } = await reopenOperation(io, id);
  try {
    for (const entry of entries) await operation.record(entry);
  } finally {
    await operation.close();
  }
};

/** Removes an operation from the journal. Throws `not_final` when a process works on it. */
export const forgetOperation = async (io: Io, id: string): Promise<void> => {
  const claim = await claimOperation(io, id);
  try {
    await storeOf(io).remove(id);
    await dropInputs(io, id);
  } finally {
    await claim.release();
  }
};

/** What the process that works on an operation knows of it without asking the disk. */
type Known = {
  /** Writes an event, which counts from the beginning: what a slow disk is at may be on it. What fails never counted. */
  readonly writing: (event: RecordedEvent, write: () => Promise<void>) => Promise<void>;
  readonly state: () => OperationState;
};

/** Begins with the events that are on the disk. */
const knownFrom = (id: string, read: readonly RecordedEvent[]): Known => {
  let events = read;
  return {
    writing: async (event, write) => {
      events = [...events, event];
      try {
        await write();
      } catch (error) {
        events = events.filter((each) => each !== event);
        throw error;
      }
    },
    state: () => stateOf({ id, events }),
  };
};

/** Whoever has it may be about to let go. */
const PATIENCE_MS = 300;

const busy = (id: string, holder: ClaimHolder): Failure => {
  const who = holder.process ? `process ${holder.process.pid}` : 'another process';
  return new Failure('not_final', `the movement ${id} is being worked on by ${who}`, {
    hint: `${describeClaim(holder)} Wait until that process ends, then run the command again.`,
  });
};

/**
 * Claims an operation for this process, whether there is one or not. Throws `not_final` where another works on it, and
 * `journal_unwritable`.
 */
const claimOperation = async (io: Io, id: string): Promise<Claim> => {
  const claiming = await storeOf(io).claim({ of: 'operation', name: id }, PATIENCE_MS);
  if ('claim' in claiming) return claiming.claim;
  throw busy(id, claiming.holder);
};

/** Throws `not_final` where somebody took the claim away: this process must not go on as if it had it. */
const assertOurs = async (claim: Claim, id: string): Promise<void> => {
  if (await claim.isHeld()) return;
  throw new Failure('not_final', `this process has lost its claim on the movement ${id}; it stops here`, {
    hint: 'Somebody removed the file that says who works on it.',
  });
};
