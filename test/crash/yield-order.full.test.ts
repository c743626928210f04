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

/** The last step on the disk of the operation of a wallet; other wallets have operations in the same journal. */
const lastOnDisk = (wallet: string): string | undefined => {
  const folder = join(yard.home, 'state', 'journal');
  const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  const own = names.map((name) => readFileSync(join(folder, name), 'utf8')).find((text) => text.includes(wallet));
  return JSON.parse(own?.trimEnd().split('\n').at(-1) ?? '{}').step;
};

type Call = { readonly path: string; readonly onDisk: string | undefined };

const CALLS = ['/yield/deposit', '/yield/broadcast', 'sendTransaction'];

/** Makes a deposit; returns its calls, each with the last journal step at that time, and the deposited amount. */
const depositWatched = async (settings: Settings = {}, ...more: readonly string[]) => {
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
    expect(await depositWatched()).toMatchObject({
      code: 0,
      calls: [
        { path: '/yield/deposit', onDisk: 'building' },
        { path: '/yield/broadcast', onDisk: 'broadcasting' },
      ],
      deposited: '3.996',
    });
  });

  it('has the hash on the disk before a node gets the bytes', async () => {
    expect(await depositWatched({}, '--rpc-url', yard.rpcUrl)).toMatchObject({
      code: 0,
      calls: [
        { path: '/yield/deposit', onDisk: 'building' },
        { path: 'sendTransaction', onDisk: 'broadcasting' },
      ],
    });
  });

  it.runIf(hasStrace())('syncs the signed bytes and the hash before the first byte of the broadcast', async () => {
    const saver = await yard.saver();
    const log = join(yard.home, 'trace');
    // strace counts calls per thread, so that one thread has to make all of them.
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
    'stops the deposit before it is sent (exit 2) when a write fails with %s at any step',
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
        await depositWatched(atStep(step, fault), ...more),
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

  it('leaves the landed deposit a success (exit 0) when a later write fails', async () => {
    const steps = ['built', 'landed', 'settled'];
    const seen = await fewAtATime(steps, (step) => depositWatched(atStep(step, 'ENOSPC')));
    expect(seen).toMatchObject(steps.map(() => ({ code: 0, data: { status: 'landed' }, deposited: '3.996' })));
  });
});
