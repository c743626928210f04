import pLimit from 'p-limit';
import { retryAfterMs } from '../client/trace.ts';
import { Failure } from '../core/failure.ts';
import type { HttpAnswer, HttpFault } from '../io/http/http.ts';
import type { Io } from '../io/io.ts';
import { newLatencies } from './latencies.ts';
import { newCallCounter, newPace } from './pace.ts';

/** The limits of the user: the maximum of calls at a time, and of calls a second. */
export type RateOptions = {
  readonly concurrency: number;
  readonly rate?: number | undefined;
  /** The longest pause of the service that calls wait for, as it is now. */
  readonly maxPauseMs?: () => number;
};

/** The numbers of a limiter now, for a progress line. */
export type RateNumbers = {
  readonly inFlight: number;
  /** The calls that have not started. */
  readonly waiting: number;
  /** The maximum of calls at a time, as it is now. */
  readonly limit: number;
  /** Calls that started in each of the last 5 seconds, on average. */
  readonly perSecond: number;
  /** The time until which the service wants no call, in milliseconds from now; 0 without one. */
  readonly pausedMs: number;
};

/** What a call ends with. */
type CallResult = HttpAnswer | HttpFault;

/** Limits the calls to a service. */
export type Limiter = {
  /**
   * Makes a call when the limits allow it. An urgent call starts before all others: it belongs to a payment whose signed
   * bytes have left. Throws `interrupted` if an interrupt ends the wait, `unavailable` if the service asks for a longer pause
   * than `maxPauseMs`, and what `send` throws.
   */
  readonly run: <T extends CallResult>(send: () => Promise<T>, options?: { readonly isUrgent?: boolean }) => Promise<T>;
  readonly numbers: () => RateNumbers;
};

const START = 4;
const ANSWERS_TO_GROW = 20;
/** The limit of a pause can change meanwhile. */
const MAX_SLEEP_MS = 1_000;

const longPause = (ms: number): Failure =>
  new Failure('unavailable', `the service asks to wait ${Math.ceil(ms / 1000)} seconds before the next call`, {
    retryAfterMs: ms,
    isUnsent: true,
  });

const isOverload = (result: CallResult): boolean => result.http === 429 || result.http === 503;

/** A call that waits. `start` never throws. */
type Job = { readonly start: () => Promise<void>; readonly fail: (error: unknown) => void };

/** A new limiter. Its concurrency follows the service: slowly up, and by half down. */
export const newLimiter = (
  { clock, interrupted }: Pick<Io, 'clock' | 'interrupted'>,
  { concurrency, rate, maxPauseMs = () => Number.POSITIVE_INFINITY }: RateOptions,
): Limiter => {
  const limit = pLimit(Math.min(START, concurrency));
  const pace = newPace(rate);
  const counter = newCallCounter();
  const latencies = newLatencies();
  const [urgent, others]: [Job[], Job[]] = [[], []];
  let [inFlight, started, answersInTime, pausedUntil] = [0, 0, 0, 0];
  /** Calls up to this number had started when the limit was halved, and do not halve it again. */
  let lastOfRound = 0;

  const halve = (call: number): void => {
    if (call <= lastOfRound) return;
    [lastOfRound, answersInTime] = [started, 0];
    limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
    latencies.startAgain();
  };

  const grow = (): void => {
    answersInTime += 1;
    if (answersInTime < ANSWERS_TO_GROW) return;
    answersInTime = 0;
    limit.concurrency = Math.min(concurrency, limit.concurrency + 1);
  };

  const adapt = (result: CallResult, call: number, tookMs: number): void => {
    if (isOverload(result)) {
      const wait = result.kind === 'answer' ? (retryAfterMs(result, clock.now()) ?? 0) : 0;
      pausedUntil = Math.max(pausedUntil, clock.monotonic() + wait);
      halve(call);
    } else if (result.kind === 'answer' || result.reason === 'deadline') {
      // Other faults took no time of the service.
      if (latencies.add(tookMs) === 'slow') halve(call);
      else if (result.kind === 'answer') grow();
    }
  };

  const make = async <T extends CallResult>(send: () => Promise<T>): Promise<T> => {
    started += 1;
    inFlight += 1;
    const [call, startedAt] = [started, clock.monotonic()];
    counter.add(startedAt);
    try {
      const result = await send();
      adapt(result, call, clock.monotonic() - startedAt);
      return result;
    } finally {
      inFlight -= 1;
    }
  };

  /** Waits until a call may start. `false`: the limit has become lower, and this place is one too many. */
  const waitForStart = async (): Promise<boolean> => {
    for (;;) {
      if (limit.activeCount > limit.concurrency) return false;
      const now = clock.monotonic();
      if (pausedUntil - now > maxPauseMs()) throw longPause(pausedUntil - now);
      const wait = Math.max(pausedUntil - now, pace.waitMs(now));
      if (wait <= 0) {
        pace.start(now);
        return true;
      }
      await clock.sleep(Math.min(Math.ceil(wait), MAX_SLEEP_MS), interrupted);
    }
  };

  // Only one place waits for the time at which a call may start. The others wait for that place.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const own = turn.then(work);
    turn = own.catch(() => undefined);
    return own;
  };

  /** One of the places of p-limit. It takes the most urgent call when it can start one. */
  const usePlace = async (): Promise<void> => {
    try {
      if (!(await inTurn(waitForStart))) return void limit(usePlace);
    } catch (error) {
      return (urgent.shift() ?? others.shift())?.fail(error);
    }
    await (urgent.shift() ?? others.shift())?.start();
  };

  return {
    run: (send, { isUrgent = false } = {}) =>
      new Promise((resolve, reject) => {
        const start = () => make(send).then(resolve, reject);
        (isUrgent ? urgent : others).push({ start, fail: reject });
        void limit(usePlace);
      }),
    numbers: () => {
      const now = clock.monotonic();
      const pausedMs = Math.max(0, Math.ceil(pausedUntil - now));
      const waiting = urgent.length + others.length;
      return { inFlight, waiting, limit: limit.concurrency, perSecond: counter.perSecond(now), pausedMs };
    },
  };
};
