import type { Io, Places } from '../io/io.ts';
import type { RecordedEvent } from './event.ts';
import type { OperationState } from './operation-state.ts';
import { stateOf } from './reduce.ts';

/** The state of an operation that this process has claimed. `id` is that of the operation. */
type OwnOperation = {
  /** Writes an event. It counts from the start of the write, because a slow disk may have it, unless the write fails. */
  readonly writing: (event: RecordedEvent, write: () => Promise<void>) => Promise<void>;
  /** Writes events that count when all of them are written. `write` gets the state after each. */
  readonly together: (
    events: readonly RecordedEvent[],
    write: (states: readonly OperationState[]) => Promise<void>,
  ) => Promise<void>;
  /** The state with the event that is being written. `end` counts too, before it is on the disk. */
  readonly state: (end?: RecordedEvent) => OperationState;
  /** The state without `end`; `undefined` if it must be read: a write failed, and the disk may have its line. */
  readonly certain: () => OperationState | undefined;
  /** Look-ups read the disk again. Call this before the claim is released. */
  readonly close: () => void;
};

const ownOperations = new WeakMap<Places, Map<string, OwnOperation>>();

const ownOf = ({ places }: Pick<Io, 'places'>): Map<string, OwnOperation> => {
  const found = ownOperations.get(places) ?? new Map<string, OwnOperation>();
  ownOperations.set(places, found);
  return found;
};

/**
 * Keeps the state of an operation that this process has just claimed. `read` are the events on the disk. Look-ups of this
 * process take it from here while the process holds the claim: no other process writes to the operation.
 */
export const openOwn = (io: Io, id: string, read: readonly RecordedEvent[]): OwnOperation => {
  let events = read;
  let isCertain = true;
  let known: { readonly of: readonly RecordedEvent[]; readonly state: OperationState } | undefined;
  const knownState = (): OperationState => {
    if (known?.of !== events) known = { of: events, state: stateOf({ id, events }) };
    return known.state;
  };
  const operation: OwnOperation = {
    writing: async (event, write) => {
      events = [...events, event];
      try {
        await write();
      } catch (error) {
        isCertain = false;
        events = events.filter((each) => each !== event);
        throw error;
      }
    },
    together: async (added, write) => {
      const states = added.map((_, at) => stateOf({ id, events: [...events, ...added.slice(0, at + 1)] }));
      try {
        await write(states);
      } catch (error) {
        isCertain = false;
        throw error;
      }
      events = [...events, ...added];
    },
    state: (end) => (end ? stateOf({ id, events: [...events, end] }) : knownState()),
    certain: () => (isCertain && events.length > 0 ? knownState() : undefined),
    close: () => {
      if (ownOf(io).get(id) === operation) ownOf(io).delete(id);
    },
  };
  ownOf(io).set(id, operation);
  return operation;
};

/** The state of an operation that this process has claimed; `undefined` for one that must be read from the disk. */
export const ownState = (io: Io, id: string): OperationState | undefined => ownOf(io).get(id)?.certain();
