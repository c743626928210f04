import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { newHomeInProcess } from '../../support/in-process.ts';
import { listed, newListener } from '../../support/webhook.ts';

const OFFER = fileURLToPath(new URL('../../support/offer-load.mjs', import.meta.url));
const DISK = new URL('../../support/webhook-disk.mjs', import.meta.url).href;

type Offered = {
  readonly offered: number;
  readonly answered: readonly number[];
  readonly refused: number;
  /** Connections that the receiver closed, because it had its limit of them. */
  readonly cut: number;
  readonly failed: number;
};

/** Offers deliveries from a process of its own, so that the receiver gets the other processor. */
const offer = async (url: string, rate: number, seconds: number): Promise<Offered> => {
  const args = [OFFER, url, String(rate), String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(stdout);
};

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The memory of a process while a work runs, in MB, every quarter of a second. */
const memoryDuring = async <T>(pid: number, work: Promise<T>) => {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(memoryOf(pid)), 250);
  const result = await work.finally(() => clearInterval(timer));
  return { result, samples };
};

const idsIn = async (home: string): Promise<ReadonlySet<unknown>> =>
  new Set((await listed(home)).map(({ payment_id }) => payment_id));

it('1,000 deliveries a second: memory is bounded and flat, and each is on the disk or was answered with 503', async () => {
  const { url, home, pid, kill, ended } = await newListener();
  const { result, samples } = await memoryDuring(pid, offer(url, 1000, 20));
  const { answered, offered, refused, cut, failed } = result;
  expect([offered, failed, answered.length + refused + cut]).toEqual([20_000, 0, 20_000]);
  expect(answered.length).toBeGreaterThan(1_000);
  const [middle, last] = [samples.slice(samples.length / 4, samples.length / 2), samples.slice(samples.length / 2)];
  expect(Math.max(...samples)).toBeLessThan(250);
  expect(Math.max(...last)).toBeLessThan(Math.max(...middle) * 1.25);
  kill('SIGINT');
  const { stdout } = await ended;
  expect(stdout.trim().split('\n')).toHaveLength(answered.length + 1);
  const kept = await idsIn(home);
  expect(answered.filter((n) => !kept.has(`pay_${n}`))).toEqual([]);
}, 180_000);

/** Posts deliveries at once, and returns the statuses as they come. */
const postAll = (url: string, bodies: readonly string[]) => {
  const statuses: number[] = [];
  const all = bodies.map(
    (body) =>
      new Promise<void>((resolve, reject) => {
        const call = request(url, { method: 'POST', agent: false }, (response) => {
          statuses.push(response.statusCode ?? 0);
          response.resume().on('end', resolve);
        });
        call.on('error', reject).end(body);
      }),
  );
  return { statuses, all: Promise.all(all) };
};

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
};

const count = (statuses: readonly number[], wanted: number): number => statuses.filter((one) => one === wanted).length;

it.each([
  ['2,000 deliveries wait', 2_500, 100, 2_000],
  ['32 MB of deliveries wait', 60, 1_000_000, 33],
])(
  'while %s for a slow disk, the next get 503; the others are answered after the sync',
  async (_, sent, bytes, most) => {
    const { home } = await newHomeInProcess();
    const released = join(home, 'released');
    const env = { NODE_OPTIONS: `--import ${DISK}`, BURSAR_TEST_HOLD: released };
    const { url, pid, kill, ended } = await newListener([], env, home);
    const bodies = Array.from({ length: sent }, (__, n) =>
      JSON.stringify({ data: { id: `pay_${n}` }, more: 'x'.repeat(bytes) }),
    );
    const { statuses, all } = postAll(url, bodies);
    await until(() => statuses.length >= sent - most);
    // Nothing is answered 2xx before its sync.
    expect(count(statuses, 200)).toBe(0);
    expect(memoryOf(pid)).toBeLessThan(300);
    await writeFile(released, '');
    await all;
    const kept = await idsIn(home);
    expect([kept.size, count(statuses, 200) + count(statuses, 503)]).toEqual([count(statuses, 200), sent]);
    expect(count(statuses, 200)).toBeLessThanOrEqual(most);
    expect(count(statuses, 200)).toBeGreaterThan(most / 2);
    kill('SIGINT');
    await ended;
  },
  120_000,
);
