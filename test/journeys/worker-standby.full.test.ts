import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startSharedSandbox } from '../support/crash.ts';
import { canRunPostgres } from '../support/postgres.ts';
import { newQueue, newRows } from '../support/queue.ts';

const ROWS = 6;
const SLOW_MS = 1_000;

it.skipIf(!canRunPostgres('a worker that waits for a wallet'))(
  'a worker with --until-empty waits while another one pays from its wallet',
  async () => {
    const sandbox = await startSharedSandbox();
    onTestFinished(() => sandbox.end());
    const { put, work, status, testCase } = await newQueue(sandbox, { lease: 30 });
    await put('b', newRows('standby', ROWS));
    testCase.proxy.set({ onRequest: ({ path }) => (path.endsWith('on-chain') ? setTimeout(SLOW_MS) : undefined) });
    const first = work();
    await setTimeout(2_500);
    const second = work();
    await Promise.race([first, second]);
    expect(await status('b')).toMatchObject({ paid: ROWS });
    const ended = await Promise.all([first, second]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  },
);
