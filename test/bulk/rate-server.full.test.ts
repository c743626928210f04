import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { newLimiter } from '../../src/bulk/rate.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import { clockFrom } from '../../src/io/system.ts';

const RATE = 40;
const SECONDS = 4;

/** A busy machine starts calls late. Then a later round is measured. */
const ROUNDS = 5;

/**
 * A server that allows `RATE` calls in each second of a sliding window, and takes 50 ms for an answer. It counts a call at its
 * start: a busy machine delays its arrival.
 */
const startLimitedServer = async () => {
  const counts = { starts: [] as number[], refused: 0 };
  const server = createServer(({ headers }, response) => {
    const start = Number(headers['x-started']);
    const isFull = counts.starts.filter((at) => at > start - 1000 && at <= start).length >= RATE;
    if (isFull) counts.refused += 1;
    else counts.starts.push(start);
    setTimeout(() => response.writeHead(isFull ? 429 : 200).end('{}'), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { counts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
};

it('a server that limits the calls in each second refuses none at the same rate, and is used to 95 %', async () => {
  const { counts, url } = await startLimitedServer();
  // Node warns about more than ten listeners of a signal of its own.
  const interrupted = AbortSignal.any([]);
  const http = systemHttp(interrupted);
  const send = () => {
    const headers = { 'x-started': String(performance.now()) };
    return http.send({ method: 'GET', url, headers, timeoutMs: 10_000, maxBytes: 1000 });
  };
  // The first call loads the client.
  await send();
  let used = 0;
  for (let round = 0; round < ROUNDS && used < 0.95; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    Object.assign(counts, { starts: [], refused: 0 });
    const clock = clockFrom(Date.now, () => performance.now());
    const limiter = newLimiter({ clock, interrupted }, { concurrency: 16, rate: RATE });
    const results = await Promise.all(Array.from({ length: RATE * SECONDS }, () => limiter.run(send)));
    expect([counts.refused, results.filter(({ kind }) => kind === 'fault')]).toEqual([0, []]);
    const starts = counts.starts.toSorted((one, other) => one - other);
    used = (starts.length - 1) / (((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / 1000) / RATE;
  }
  expect(used).toBeGreaterThanOrEqual(0.95);
});
