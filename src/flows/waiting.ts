import type { Client } from '../client/call.ts';
import { type Failure, isFailure } from '../core/failure.ts';

/** What is waited for. */
export type Waiting<T> = {
  readonly read: () => Promise<T>;
  /** The name of a state: a change of it is told. */
  readonly stateOf: (value: T) => string;
  readonly onState: (value: T) => void | Promise<void>;
  /** Whether this is the end. Throws for an end that is a failure. */
  readonly isDone: (value: T) => boolean;
  /** Whether nothing moves by itself from here, so that waiting is of no use. */
  readonly isResting?: (value: T) => boolean;
  readonly notFinal: (value: T) => Failure;
  /** A state that is known before the first read, which may then fail like any other. */
  readonly known?: T | undefined;
  /** The longest time between two looks, where somebody watches. */
  readonly longestPauseMs?: number | undefined;
};

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** Time kept for a last look: whoever waits a minute wants the state after that minute. */
const LAST_LOOK_MS = 500;

type Look<T> = { readonly value: T | undefined; readonly failure?: Failure };

/** Whether a read that failed may succeed in a moment. */
export const isPassing = (error: Failure): boolean =>
  ['unavailable', 'unexpected_answer'].includes(error.code) || error.details.isTransient === true;

/**
 * A read that fails for a while does not end a wait. As long as nothing is known, something must at least have
 * answered: at an address where nothing is, there is nothing to wait for.
 */
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
 * Reads until the end is there, with growing pauses and jitter, and a last time just before the command's time is over.
 * A time that the service asks for is waited for, or the wait given up where it is longer than what is left. Throws
 * `notFinal` of the last state.
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
