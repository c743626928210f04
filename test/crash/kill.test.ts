import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { killedAt, type Place } from '../support/kill-at.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes'];
const RESUME = ['pay', 'resume', '--all', '--yes'];

/** Ways to pay: the command, made for the case. */
const WAYS: Readonly<Record<string, (one: Case) => Promise<readonly string[]>>> = {
  'pay run': async () => RUN,
  'pay execute --key': async ({ prepare }) => ['pay', 'execute', (await prepare()).id, '--key', 'payer', '--yes'],
  'pay execute --signed-transaction': async ({ prepare }) => {
    const { id, signed } = await prepare();
    return ['pay', 'execute', id, '--signed-transaction', signed, '--yes'];
  },
};

const SENDING = ['reviewed', 'signed', 'executing', 'executed', 'ended'];

const STEPS: Readonly<Record<string, readonly string[]>> = {
  'pay run': ['begun', 'registering', 'registered', 'creating', 'created', ...SENDING],
  'pay execute --key': ['begun', ...SENDING],
  'pay execute --signed-transaction': ['begun', ...SENDING],
};

const CALLS: Readonly<Record<string, readonly string[]>> = {
  'pay run': ['intents-create-order', 'intents-create-transaction', 'execute/on-chain', '/status'],
  'pay execute --key': ['/status', 'execute/on-chain'],
  'pay execute --signed-transaction': ['execute/on-chain'],
};

const WHEN = ['before', 'written', 'synced'] as const;

const placesOf = (way: string): readonly Place[] => [
  ...(STEPS[way] ?? []).flatMap((step) => WHEN.map((when): Place => `journal:${step}:${when}`)),
  ...(CALLS[way] ?? []).flatMap((path): readonly Place[] => [`call:${path}:before`, `call:${path}:answered`]),
];

/** Takes up what was left, twice, and makes the payment where nothing had begun: after all that it was made once. */
const isPaidOnce = async (one: Case, command: readonly string[]): Promise<void> => {
  expect(await one.timesPaid()).toBeLessThanOrEqual(1);
  const resumed = await one.json(RESUME);
  expect(resumed).toMatchObject({ code: 0 });
  const rows = resumed.data as readonly unknown[];
  for (const row of rows) {
    const receipt = { status: 'success', tid_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/), code: null };
    expect(row).toMatchObject(receipt);
  }
  // Nothing was begun, or it was over: only the former is begun again.
  if ((await one.timesPaid()) === 0) {
    expect(rows).toEqual([]);
    expect((await one.bursar(command)).code).toBe(0);
  }
  expect(await one.json(RESUME)).toEqual({ code: 0, data: [] });
  expect(await one.timesPaid()).toBe(1);
  expect(await one.leftovers()).toEqual([]);
};

describe.each(Object.keys(WAYS))('%s, killed with kill -9 and taken up again, pays exactly once:', (way) => {
  it.concurrent.each(placesOf(way))('%s', async (place) => {
    const one = await sandbox.newCase();
    const command = (await WAYS[way]?.(one)) ?? [];
    const killed = await one.bursar(command, killedAt(place));
    expect(killed, killed.stderr).toMatchObject({ code: null });
    await isPaidOnce(one, command);
  });

  it.concurrent.each(CALLS[way] ?? [])('in flight, when the service has read %s', async (path) => {
    const one = await sandbox.newCase();
    const command = (await WAYS[way]?.(one)) ?? [];
    const { child, ended } = one.start(command);
    one.proxy.set({ onRequest: (seen) => void (seen.path.includes(path) && child.kill('SIGKILL')) });
    expect((await ended).code).toBeNull();
    one.proxy.set({});
    await isPaidOnce(one, command);
  });
});
