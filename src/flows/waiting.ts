import type { Client } from '../client/call.ts';
import { type Failure, isFailure } from '../core/failure.ts';

/** The options of a wait. */
export type Waiting<T> = {
  readonly read: () => Promise<T>;
  /** The name of a state; each change is reported. */
  readonly stateOf: (value: T) => string;
  readonly onState: (value: T) => void | Promise<void>;
  /** Whether the state is final. Throws for a final failure. */
  readonly isDone: (value: T) => boolean;
  /** Whether the state does not change by itself, so that waiting is useless. */
  readonly isResting?: (value: T) => boolean;
  readonly notFinal: (value: T) => Failure;
  /** The state before the first read, which may then fail too. */
  readonly known?: T | undefined;
  /** The longest pause between two reads while a user watches. */
  readonly longestPauseMs?: number | undefined;
};

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** Time reserved for a last read just before the deadline. */
const LAST_LOOK_MS = 500;

type Look<T> = { readonly value: T | undefined; readonly failure?: Failure };

/** Whether a failed read may succeed shortly. */
export const isPassing = (error: Failure): boolean =>
  ['unavailable', 'unexpected_answer'].includes(error.code) || error.details.isTransient === true;

/** Failed reads do not end a wait, once something has responded. If no server exists at the address, the wait ends. */
const look = async <T>({ read }: Waiting<T>, last: T | undefined): Promise<Look<T>> => {
  try {
    return { value: await read() };
  } catch (error) {
    if (!isFailure(error) || !isPassing(error)) throw error;
    const hasAnswered = error.details.isTransient && error.details.http !== undefined;
    if (last === undefined && !hasAnswered) throw error;
    return { value: last, failure: error };
  }
};

const ended = <T>({ notFinal }: Waiting<T>, { value, failure }: Look<T>): Failure => {
  if (value !== undefined) return notFinal(value);
  return failure as Failure;
};

/**
 * Reads until the state is final, with growing pauses and jitter, and once more just before the deadline. Waits as
 * long as the service requests, or stops if that exceeds the remaining time. Throws `notFinal` of the last state.
 */
export const waitFor = async <T>(client: Client, waiting: Waiting<T>): Promise<T> => {
  const { clock, random, interrupted } = client.io;
  const longest = waiting.longestPauseMs ?? LONGEST_PAUSE_MS;
  let last = waiting.known;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, longest)) {
    const seen = await look(waiting, last);
    const { value } = seen;
    if (value !== undefined) {
      const isNew = last === undefined || waiting.stateOf(value) !== waiting.stateOf(last);
      if (isNew) await waiting.onState(value);
      last = value;
      if (waiting.isDone(value)) return value;
      if (waiting.isResting?.(value)) throw waiting.notFinal(value);
    }
    const asked = seen.failure?.details.retryAfterMs ?? 0;
    const left = client.deadline - clock.monotonic();
    if (left <= LAST_LOOK_MS || asked >= left) throw ended(waiting, seen);
    const jittered = Math.max(pause, asked) * (1 + random.fraction() / 2) - (asked ? 0 : pause / 4);
    await clock.sleep(Math.min(jittered, left - LAST_LOOK_MS), interrupted);
  }
};

/** Runs a step and measures its time. */
export const timed = async <T>(
  { client }: { readonly client: Client },
  work: () => Promise<T>,
): Promise<readonly [T, number]> => {
  const { clock } = client.io;
  const start = clock.monotonic();
  const result = await work();
  return [result, clock.monotonic() - start];
};
