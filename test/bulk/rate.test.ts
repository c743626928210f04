import { describe, expect, it } from 'vitest';
import { newLimiter, type RateOptions } from '../../src/bulk/rate.ts';
import { interrupted } from '../../src/core/failure.ts';
import type { HttpAnswer, HttpFault } from '../../src/io/http/http.ts';

const answer = (http = 200, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  kind: 'answer',
  http,
  headers,
  body: new Uint8Array(),
});

/** A clock whose time passes only in `pass`. Each call of a service takes its time on this clock. */
const fakeWorld = (options: RateOptions) => {
  let time = 0;
  let timers: { at: number; end: () => void }[] = [];
  const ends = new AbortController();
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const abort = () => reject(interrupted());
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      const end = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      timers.push({ at: time + ms, end });
    });
  const clock = { now: () => time, monotonic: () => time, sleep };
  const settle = async () => {
    for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
  };
  /** Lets time pass to each timer in turn. */
  const pass = async (ms: number) => {
    const until = time + ms;
    await settle();
    for (;;) {
      const next = timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > until) break;
      timers = timers.filter((timer) => timer !== next);
      time = next.at;
      next.end();
      await settle();
    }
    time = until;
  };
  const limiter = newLimiter({ clock, interrupted: ends.signal }, options);
  const starts: number[] = [];
  /** A call that takes `ms`, or never ends. */
  const call = (ms: number | undefined, result: HttpAnswer | HttpFault = answer(), isUrgent = false) =>
    limiter.run(
      async () => {
        starts.push(time);
        await (ms === undefined ? new Promise(() => undefined) : sleep(ms));
        return result;
      },
      { isUrgent },
    );
  return { limiter, call, pass, starts, interrupt: () => ends.abort(), now: () => time };
};

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** The most starts within one second. */
const mostInASecond = (starts: readonly number[]): number => {
  let from = 0;
  return starts.reduce((most, at, to) => {
    while ((starts[from] ?? at) <= at - 1000) from += 1;
    return Math.max(most, to - from + 1);
  }, 0);
};

describe('the concurrency', () => {
  it('starts at 4, and grows by one after 20 answers in time, up to the maximum', async () => {
    const { limiter, call, pass } = fakeWorld({ concurrency: 6 });
    const limits = [];
    for (let round = 0; round < 4; round += 1) {
      limits.push(limiter.numbers().limit);
      times(20, () => void call(10));
      await pass(1000);
    }
    expect(limits).toEqual([4, 5, 6, 6]);
  });

  it('starts at a maximum below 4, and is never exceeded', async () => {
    const { limiter, call, pass } = fakeWorld({ concurrency: 2 });
    times(5, () => void call(undefined));
    await pass(1000);
    expect(limiter.numbers()).toMatchObject({ inFlight: 2, waiting: 3, limit: 2 });
  });

  it.each([429, 503])(
    'halves at an answer of %i, once for the calls that were in flight, and at least to 1',
    async (http) => {
      const { limiter, call, pass } = fakeWorld({ concurrency: 4 });
      const limits = [];
      for (let round = 0; round < 4; round += 1) {
        const { limit } = limiter.numbers();
        limits.push(limit);
        times(limit, () => void call(10, answer(http)));
        await pass(20);
      }
      expect(limits).toEqual([4, 2, 1, 1]);
    },
  );

  it('counts to 20 again after it was halved', async () => {
    const { limiter, call, pass } = fakeWorld({ concurrency: 4 });
    times(19, () => void call(10));
    await pass(200);
    void call(10, answer(429));
    await pass(20);
    times(19, () => void call(10));
    await pass(200);
    expect(limiter.numbers().limit).toBe(2);
    void call(10);
    await pass(20);
    expect(limiter.numbers().limit).toBe(3);
  });

  it('halves when one in ten of the last 100 calls takes over twice the usual time, and not below that', async () => {
    const { limiter, call, pass } = fakeWorld({ concurrency: 4 });
    const round = async (slowMs: number, calls = 100) => {
      for (let at = 0; at < calls; at += 4) {
        times(4, (more) => void call((at + more) % 10 === 0 ? slowMs : 100));
        await pass(1000);
      }
    };
    await round(100);
    await round(200);
    expect(limiter.numbers().limit).toBe(4);
    // Five slow calls of the last 100 are the rest above the 95th percentile.
    await round(201, 48);
    expect(limiter.numbers().limit).toBe(4);
    await round(201, 4);
    expect(limiter.numbers().limit).toBe(2);
  });

  it('ignores calls that never reached the service, and counts those without an answer in time', async () => {
    const fault = (reason: HttpFault['reason']): HttpFault => ({ kind: 'fault', reason, sent: false, message: reason });
    const { limiter, call, pass } = fakeWorld({ concurrency: 4 });
    times(100, () => void call(40));
    await pass(10_000);
    times(200, () => void call(120, fault('refused')));
    await pass(10_000);
    expect(limiter.numbers().limit).toBe(4);
    times(100, () => void call(120, fault('deadline')));
    await pass(10_000);
    expect(limiter.numbers().limit).toBe(2);
  });

  it('that has become lower also holds back calls that wait for their second', async () => {
    const { limiter, call, pass, starts } = fakeWorld({ concurrency: 4, rate: 2 });
    void call(100, answer(429));
    times(9, () => void call(10_000));
    await pass(9000);
    expect([limiter.numbers().inFlight, starts.length]).toEqual([2, 3]);
  });
});

describe('a service that names a time', () => {
  it('gets no call before that time, whether it states seconds or a date', async () => {
    for (const value of ['7', new Date(7000).toUTCString()]) {
      const { limiter, call, pass, starts } = fakeWorld({ concurrency: 4 });
      void call(0, answer(429, { 'retry-after': value, date: new Date(0).toUTCString() }));
      await pass(0);
      times(3, () => void call(10));
      await pass(6999);
      expect([starts.length, limiter.numbers().pausedMs]).toEqual([1, 1]);
      await pass(100);
      expect(starts.slice(1)).toEqual([7000, 7000, 7010]);
      expect(limiter.numbers().pausedMs).toBe(0);
    }
  });

  it('is not called in a burst after that time', async () => {
    const { call, pass, starts } = fakeWorld({ concurrency: 20, rate: 5 });
    void call(0, answer(503, { 'retry-after': '10' }));
    await pass(0);
    times(30, () => void call(1));
    await pass(30_000);
    expect(starts).toHaveLength(31);
    expect(mostInASecond(starts)).toBeLessThanOrEqual(5);
  });

  it('may name a time beyond the timers of Node', async () => {
    const { call, pass, starts } = fakeWorld({ concurrency: 4 });
    void call(0, answer(429, { 'retry-after': '999999999' }));
    await pass(0);
    void call(10);
    await pass(10_000_000);
    expect(starts).toHaveLength(1);
  });
});

describe('an interrupt', () => {
  it('ends each call that waits for its time, and lets those in flight end', async () => {
    const { limiter, call, pass, interrupt, starts } = fakeWorld({ concurrency: 4 });
    const slow = call(1000);
    void call(0, answer(429, { 'retry-after': '60' }));
    await pass(0);
    const waiting = times(5, () => call(10));
    await pass(500);
    interrupt();
    await pass(1000);
    const ends = await Promise.allSettled(waiting);
    expect(ends).toMatchObject(times(5, () => ({ status: 'rejected', reason: { code: 'interrupted' } })));
    expect(await slow).toMatchObject({ http: 200 });
    expect([starts.length, limiter.numbers().inFlight, limiter.numbers().waiting]).toEqual([2, 0, 0]);
  });
});

describe('calls', () => {
  it('of payments whose signed bytes are out go first', async () => {
    const { limiter, pass } = fakeWorld({ concurrency: 1 });
    const order: string[] = [];
    const call = (name: string, isUrgent: boolean) =>
      void limiter.run(
        async () => {
          order.push(name);
          return answer();
        },
        { isUrgent },
      );
    for (const name of ['a', 'b', 'c']) call(name, false);
    for (const name of ['U', 'V']) call(name, true);
    await pass(0);
    expect(order).toEqual(['U', 'V', 'a', 'b', 'c']);
  });

  it('that throw reach their caller, and free their place', async () => {
    const { limiter, call, pass } = fakeWorld({ concurrency: 1 });
    const failing = limiter.run(() => Promise.reject(new Error('no key')));
    const next = call(0);
    await Promise.all([expect(failing).rejects.toThrow('no key'), pass(0)]);
    expect(await next).toMatchObject({ http: 200 });
  });

  it('are counted over the last 5 seconds', async () => {
    const { limiter, call, pass } = fakeWorld({ concurrency: 4, rate: 10 });
    expect(limiter.numbers().perSecond).toBe(0);
    times(100, () => void call(1));
    await pass(6000);
    expect(limiter.numbers().perSecond).toBeCloseTo(9.65, 0);
    await pass(20_000);
    expect(limiter.numbers().perSecond).toBe(0);
  });
});

it.each([0.5, 1, 2, 3, 7, 10, 33, 100, 250, 1000])(
  'a rate of %d calls a second is used to 95 percent, and not exceeded in any second',
  async (rate) => {
    const { call, pass, starts } = fakeWorld({ concurrency: 50, rate });
    const seconds = Math.max(4, Math.ceil(60 / rate));
    times(Math.ceil(rate * seconds * 2), () => void call(1));
    await pass(seconds * 1000);
    expect(mostInASecond(starts)).toBeLessThanOrEqual(Math.max(1, rate));
    expect(starts.length / (rate * seconds)).toBeGreaterThanOrEqual(0.95);
  },
);
