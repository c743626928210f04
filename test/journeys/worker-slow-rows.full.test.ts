import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startSharedSandbox } from '../support/crash.ts';
import { canRunPostgres } from '../support/postgres.ts';
import { newQueue, newRows } from '../support/queue.ts';

const ROWS = 12;
/** Longer than half of the time after which a job is visible again. */
const SLOW_MS = 2_000;

it.skipIf(!canRunPostgres('two workers with slow rows'))(
  'a row that waits too long at its worker is not failed by another worker with another wallet',
  async () => {
    const sandbox = await startSharedSandbox();
    onTestFinished(() => sandbox.end());
    const { put, work, names, status, receivedBy, testCase } = await newQueue(sandbox, { wallets: 2 });
    const rows = newRows('slow', ROWS);
    await put('b', rows);
    testCase.proxy.set({ onRequest: ({ path }) => (path.endsWith('on-chain') ? setTimeout(SLOW_MS) : undefined) });
    const first = work(['--key', names[0] ?? '']);
    await setTimeout(3_000);
    const ends = await Promise.all([first, work(['--key', names[1] ?? ''])]);
    // A row that was given back to the other worker is pending for this one.
    for (const { code, stdout } of ends) {
      expect([0, 8]).toContain(code);
      expect(stdout).not.toContain('"status":"failed"');
    }
    expect(await status('b')).toMatchObject({ paid: ROWS, failed: 0, pending: 0, in_doubt: 0 });
    expect(await receivedBy(rows)).toEqual(rows.map(() => 1));
  },
);
