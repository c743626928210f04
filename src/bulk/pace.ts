/** Decides when a call may start, so that a limit of calls a second holds. Times are milliseconds of `Clock.monotonic`. */
export type Pace = {
  /** The time until the next call may start; 0 if it may start now. */
  readonly waitMs: (now: number) => number;
  readonly start: (now: number) => void;
};

/**
 * A second of the service. Calls may arrive closer together than they started, so a limit holds for a longer time here. It
 * costs 3.4 % of the limit.
 */
const SECOND_MS = 1035;
/** The calls of 200 ms may start at once: they make up for timers that fire late. */
const CATCH_UP = 0.2;

/**
 * A token bucket for `rate` calls a second, and a list of the last starts. The bucket spreads the calls, and the list
 * keeps the limit in each second. Without a rate a call may always start.
 */
export const newPace = (rate: number | undefined): Pace => {
  if (rate === undefined) return { waitMs: () => 0, start: () => undefined };
  const size = 1 + CATCH_UP * rate;
  const perMs = rate / SECOND_MS;
  const starts = new Float64Array(Math.ceil(rate)).fill(Number.NEGATIVE_INFINITY);
  let [tokens, filledAt, count] = [size, 0, 0];
  const fill = (now: number): void => {
    tokens = Math.min(size, tokens + Math.max(0, now - filledAt) * perMs);
    filledAt = now;
  };
  return {
    waitMs: (now) => {
      fill(now);
      const oldest = starts[count % starts.length] ?? 0;
      return Math.max(0, oldest + SECOND_MS - now, (1 - tokens) / perMs);
    },
    start: (now) => {
      fill(now);
      tokens -= 1;
      starts[count % starts.length] = now;
      count += 1;
    },
  };
};

/** Counts calls, to show how many start a second. */
export type CallCounter = { readonly add: (now: number) => void; readonly perSecond: (now: number) => number };

const SPAN_MS = 5000;
const SLOT_MS = 250;
const SLOTS = SPAN_MS / SLOT_MS;

/** A counter over the last 5 seconds, in slots of 250 ms. */
export const newCallCounter = (): CallCounter => {
  const counts = Array.from({ length: SLOTS }, () => ({ slot: -1, count: 0 }));
  let startedAt: number | undefined;
  return {
    add: (now) => {
      startedAt ??= now;
      const slot = Math.floor(now / SLOT_MS);
      const at = slot % SLOTS;
      counts[at] = { slot, count: (counts[at]?.slot === slot ? counts[at].count : 0) + 1 };
    },
    perSecond: (now) => {
      if (startedAt === undefined) return 0;
      const oldest = Math.floor(now / SLOT_MS) - SLOTS;
      const calls = counts.reduce((sum, { slot, count }) => sum + (slot > oldest ? count : 0), 0);
      // The current slot is not complete.
      const spanMs = SPAN_MS - SLOT_MS + (now % SLOT_MS);
      return calls / (Math.min(spanMs, Math.max(1000, now - startedAt)) / 1000);
    },
  };
};
