import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHomeInProcess, runInProcess } from '../support/in-process.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
import { type Received, raw, startServer } from '../support/server.ts';
import { hasStrace, isSync, underStrace } from '../support/strace.ts';
import { listed, newListener, post } from '../support/webhook.ts';

const SENDERS = [1, 2, 3];

/** Sends deliveries, one after another by each sender, until the receiver ends. Returns those that were answered 2xx. */
const sendUntilEnd = async (url: string): Promise<readonly string[]> => {
  const answered: string[] = [];
  const send = async (sender: number) => {
    for (let n = 0; n < 200; n += 1) {
      const body = `{"data":{"id":"pay_${sender}_${n}","status":"success"}}`;
      const http = await post(url, body).catch(() => undefined);
      if (http === undefined) return;
      if (http < 300) answered.push(body);
    }
  };
  await Promise.all(SENDERS.map(send));
  return answered;
};

/** The payloads of all kept deliveries. Every delivery in the list must be whole. */
const keptBodies = async (home: string): Promise<readonly string[]> => {
  const bodies: string[] = [];
  for (const { id, payment_id, bytes } of await listed(home)) {
    const { code, stdout } = await runInProcess(home, ['webhook', 'show', String(id), '--body']);
    expect([code, stdout.length, JSON.parse(stdout).data.id]).toEqual([0, bytes, payment_id]);
    bodies.push(stdout);
  }
  return bodies;
};

const folderOf = (home: string): string => join(home, 'state', 'webhooks');

/** What a killed receiver left that is no file with deliveries. */
const leftovers = async (home: string) =>
  (await readdir(folderOf(home))).filter((name) => name !== 'path' && !name.endsWith('.ndjson'));

/** A receiver after the killed one works, finds equal bytes of before, and leaves nothing behind at its end. */
const expectWorkingAgain = async (home: string, before: readonly string[]) => {
  const { url, ended } = await newListener(['--count', '1'], {}, home);
  expect(await post(url, before[0] ?? '{"data":{"id":"pay_new"}}')).toBe(200);
  const line = (await ended).stdout.trim().split('\n').at(-1) ?? '';
  expect(JSON.parse(line)).toMatchObject({ duplicate: before.length > 0 });
  expect(await leftovers(home)).toEqual([]);
};

const STEPS: readonly (readonly [string, Place])[] = [
  ['before the first write', 'webhook:store:before'],
  ['before a write', 'webhook:store#4:before'],
  ['within the first write', 'webhook:store:torn'],
  ['within a write', 'webhook:store#4:torn'],
  ['between write and sync', 'webhook:store#4:written'],
  ['after the first sync, before the answer', 'webhook:store:synced'],
  ['after a sync, before the answer', 'webhook:store#4:synced'],
  ['after the first answer, before its forward', 'webhook:answer:sent'],
  ['after an answer, before its forward', 'webhook:answer#5:sent'],
  ['before the first byte of a forward', 'call:POST /hook#3:before'],
  ['after the answer to a forward', 'call:POST /hook#3:answered'],
];

describe('webhook listen that is killed with kill -9', () => {
  it.each(STEPS)('%s keeps every delivery that it answered 2xx, and shows no half one', async (_, place) => {
    const { url: target } = await startServer(raw(204, ''));
    const { env = {} } = killedAt(place);
    const { url, home, ended } = await newListener(['--forward-to', `${target}/hook`], env);
    const answered = await sendUntilEnd(url);
    expect((await ended).code).toBe(null);
    const kept = await keptBodies(home);
    expect(answered.filter((body) => !kept.includes(body))).toEqual([]);
    // What was written or synced and not answered may be kept: the service sends it again.
    expect(kept.length - answered.length).toBeLessThanOrEqual(SENDERS.length);
    if (place.endsWith(':sent')) expect(answered.length).toBeGreaterThan(0);
    await expectWorkingAgain(home, kept);
  });

  it('while a forward waits for its answer keeps what it answered', async () => {
    const seen: Received[] = [];
    const { url: target } = await startServer((request) => {
      seen.push(request);
      if (seen.length === 3) kill('SIGKILL');
    });
    const { url, home, ended, kill } = await newListener(['--forward-to', `${target}/hook`]);
    const answered = await sendUntilEnd(url);
    expect([(await ended).code, seen.length >= 3]).toEqual([null, true]);
    const kept = await keptBodies(home);
    expect(answered.filter((body) => !kept.includes(body))).toEqual([]);
    expect(answered.length).toBeGreaterThan(2);
  });

  it.each(['webhook:remove:before', 'webhook:remove:after', 'webhook:remove#2:after'] as const)(
    'in a prune at %s leaves whole files, and the rest is removed later',
    async (place) => {
      const { home } = await newHomeInProcess();
      for (const n of [1, 2, 3]) {
        const { url, ended } = await newListener(['--count', '1'], {}, home);
        await post(url, `{"data":{"id":"pay_${n}"}}`);
        await ended;
      }
      const files = (await readdir(folderOf(home))).filter((name) => name.endsWith('.ndjson'));
      // The oldest two are over a week old.
      for (const name of files.slice(0, 2)) await utimes(join(folderOf(home), name), 0, 0);
      const { env = {} } = killedAt(place);
      await expect(newListener([], env, home)).rejects.toThrow('');
      const left = await keptBodies(home);
      expect(left).toHaveLength(place === 'webhook:remove:before' ? 3 : place === 'webhook:remove:after' ? 2 : 1);
      expect(left[0]).toBe('{"data":{"id":"pay_3"}}');
      expect(JSON.parse((await runInProcess(home, ['webhook', 'prune', '--json'])).stdout)).toEqual({
        removed_files: left.length - 1,
      });
      expect(await keptBodies(home)).toEqual(['{"data":{"id":"pay_3"}}']);
      expect(await leftovers(home)).toEqual([]);
    },
  );
});

describe.runIf(hasStrace('the order of sync and answer'))('webhook listen', () => {
  it('answers a delivery after the sync of its line', async () => {
    const { home } = await newHomeInProcess();
    const log = join(home, 'trace');
    const { url, ended } = await newListener(['--count', '5'], {}, home, underStrace(log));
    for (const n of [1, 2, 3, 4, 5]) expect(await post(url, `{"data":{"id":"pay_${n}"}}`)).toBe(200);
    expect((await ended).code).toBe(0);
    const lines = (await readFile(log, 'utf8')).split('\n');
    const isOfStore = (line: string) => line.includes('/webhooks/') && line.includes('.ndjson>');
    const events = lines.flatMap((line) => {
      if (isOfStore(line)) return [isSync(line) ? 'sync' : 'write'];
      return line.includes('HTTP/1.1 200') ? ['answer'] : [];
    });
    expect(events).toEqual(Array.from({ length: 5 }, () => ['write', 'sync', 'answer']).flat());
    expect((await stat(log)).size).toBeGreaterThan(0);
  });
});
