import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atStep } from '../support/at-step.ts';
import { type Settings, startBursar } from '../support/bursar.ts';
import { fewAtATime } from '../support/few-at-a-time.ts';
import { hasStrace, isOfJournal, stepIn, underStrace } from '../support/strace.ts';
import { type CrashYard, moving, startCrashYard } from '../support/yield-crash.ts';

let yard: CrashYard;

beforeAll(async () => {
  yard = await startCrashYard();
});

afterAll(() => yard.end());

/** The last step of the movement of a wallet: others write beside it. */
const lastOnDisk = (wallet: string): string | undefined => {
  const folder = join(yard.home, 'state', 'journal');
  const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  const own = names.map((name) => readFileSync(join(folder, name), 'utf8')).find((text) => text.includes(wallet));
  return JSON.parse(own?.trimEnd().split('\n').at(-1) ?? '{}').step;
};

type Call = { readonly path: string; readonly onDisk: string | undefined };

const CALLS = ['/yield/deposit', '/yield/broadcast', 'sendTransaction'];

/** A deposit of a saver of its own, each of its calls with what the journal said last when it was read, and what was deposited. */
const watched = async (settings: Settings = {}, ...more: readonly string[]) => {
  const saver = await yard.saver();
  const calls: Call[] = [];
  for (const path of CALLS) {
    const onCall = () => {
      calls.push({ path, onDisk: lastOnDisk(saver.wallet) });
      return true;
    };
    yard.faults.set({ names: path, about: saver, onCall, isLasting: true });
  }
  const { code, data } = await yard.json([...moving('deposit', saver), ...more], settings);
  return { code, data, calls, deposited: await yard.position(saver, 'provider_a') };
};

describe('the journal of a deposit', () => {
  it('has each step on the disk before its call', async () => {
    expect(await watched()).toMatchObject({
      code: 0,
      calls: [
        { path: '/yield/deposit', onDisk: 'building' },
        { path: '/yield/broadcast', onDisk: 'broadcasting' },
      ],
      deposited: '3.996',
    });
  });

  it('has the hash on the disk before a node gets the bytes', async () => {
    expect(await watched({}, '--rpc-url', yard.rpcUrl)).toMatchObject({
      code: 0,
      calls: [
        { path: '/yield/deposit', onDisk: 'building' },
        { path: 'sendTransaction', onDisk: 'broadcasting' },
      ],
    });
  });

  it.runIf(hasStrace())('has the signed bytes and the hash synced before their first byte leaves', async () => {
    const saver = await yard.saver();
    const log = join(yard.home, 'trace');
    // strace counts the calls of each thread by themselves: one thread makes them all.
    const env = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw', UV_THREADPOOL_SIZE: '1' };
    const { ended } = startBursar(yard.home, moving('deposit', saver), { under: underStrace(log), env });
    expect((await ended).code).toBe(0);
    const lines = readFileSync(log, 'utf8').split('\n');
    const sent = lines.findIndex((line) => line.includes('/yield/broadcast') && !isOfJournal(line));
    for (const step of ['signed_part', 'broadcasting']) {
      const { written, synced } = stepIn(lines, step);
      expect(written).toBeGreaterThan(-1);
      expect(synced).toBeGreaterThan(written);
      expect(sent).toBeGreaterThan(synced);
    }
  });

  it.each(['EIO', 'ENOSPC'] as const)(
    'that cannot be written (%s) stops before anything is sent, at whatever step: exit 2',
    async (fault) => {
      const built = ['/yield/deposit'];
      const cases = [
        ['begun', [], []],
        ['building', [], []],
        ['reviewed', built, []],
        ['signed_part', built, []],
        ['broadcasting', built, []],
        ['broadcasting', built, ['--rpc-url', yard.rpcUrl]],
      ] as const;
      const seen = await fewAtATime(cases, async ([step, , more]) => [
        step,
        await watched(atStep(step, fault), ...more),
      ]);
      expect(seen).toMatchObject(
        cases.map(([step, made]) => [
          step,
          {
            code: 2,
            data: { error: { code: 'journal_unwritable', message: expect.stringContaining(fault) } },
            calls: made.map((path) => ({ path })),
            deposited: '0.000',
          },
        ]),
      );
    },
  );

  it('that cannot be written once it landed does not hide that: exit 0', async () => {
    const steps = ['built', 'landed', 'settled'];
    const seen = await fewAtATime(steps, (step) => watched(atStep(step, 'ENOSPC')));
    expect(seen).toMatchObject(steps.map(() => ({ code: 0, data: { status: 'landed' }, deposited: '3.996' })));
  });
});
