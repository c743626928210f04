import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { killedAt, type Place, type StopPlace, stoppedAt } from '../../support/kill-at.ts';
import { canRunPostgres } from '../../support/postgres.ts';
import { documentsIn, newQueue, newRows } from '../../support/queue.ts';

const canRun = canRunPostgres('workers that are killed');

let sandbox: SharedSandbox;

beforeAll(async () => {
  if (canRun) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

/** The places where the first worker is killed, and those of the second. */
const PLACES: readonly (readonly [Place, Place])[] = [
  ['journal:begun:before', 'journal:begun:written'],
  ['call:intents-create-order:before', 'call:intents-create-order:answered'],
  ['journal:registered:before', 'call:intents-create-transaction:answered'],
  ['journal:reviewed:written', 'journal:signed:before'],
  ['journal:signed:written', 'journal:executing:before'],
  ['journal:executing:written', 'call:execute/on-chain:before'],
  ['call:execute/on-chain:answered', 'journal:executing:written'],
  ['journal:executed:before', 'call:/status:answered'],
  ['journal:executed:written', 'journal:ended:before'],
  ['journal:ended:written', 'call:execute/on-chain:answered'],
];

/** The places where a worker is stopped for longer than its lease. */
const STOPS: readonly StopPlace[] = [
  'journal:signed:stored',
  'call:execute/on-chain:stopped',
  'journal:executed:stopped',
];

/** After a lease of another machine, a worker waits for the end of the longest call. */
const TAKE_OVER_MS = 240_000;

describe.runIf(canRun)('a worker', () => {
  it.each(PLACES)('killed at %s and then at %s pays each row once', async (first, second) => {
    const { put, work, receivedBy, status } = await newQueue(sandbox);
    const rows = newRows('killed', 5);
    await put('killed', rows);
    for (const place of [first, second]) expect((await work([], killedAt(place))).code).toBe(null);
    const last = await work();
    expect([last.code, await receivedBy(rows)], last.stdout + last.stderr).toEqual([0, [1, 1, 1, 1, 1]]);
    // Also a row whose worker was killed before it recorded that the row is paid: the next one records it.
    const counts = { rows: 5, paid: 5, skipped: 0, queued: 0, pending: 0, in_doubt: 0, failed: 0 };
    expect(await status('killed')).toMatchObject(counts);
  });

  it.each(STOPS)(
    'stopped at %s is replaced by one on another machine, and pays nothing twice when it goes on',
    async (place) => {
      const { put, start, machine, receivedBy, status, testCase } = await newQueue(sandbox);
      const rows = newRows('stopped', 4);
      await put('stopped', rows);
      const stopped = start(testCase, [], stoppedAt(place));
      await stopped.until(/are paid here/);
      const other = start(await machine(), ['--until-empty']);
      const { stdout, code } = await other.ended;
      stopped.child.kill('SIGCONT');
      await stopped.until(/taken over|withheld|another|cannot be renewed/);
      stopped.child.kill('SIGINT');
      await stopped.ended;
      expect([code, documentsIn(stdout).filter((each) => each['status'] === 'paid').length > 0]).toEqual([0, true]);
      expect(await receivedBy(rows)).toEqual([1, 1, 1, 1]);
      expect(await status('stopped')).toMatchObject({
        rows: 4,
        paid: 4,
        queued: 0,
        pending: 0,
        in_doubt: 0,
        failed: 0,
      });
    },
    TAKE_OVER_MS,
  );

  it(
    'stopped before the first entry of a row starts nothing of it once the row was corrected meanwhile',
    async () => {
      const { put, work, start, receivedBy, status, testCase } = await newQueue(sandbox);
      const rows = newRows('corrected', 2);
      await put('corrected', rows);
      const stopped = start(testCase, [], stoppedAt('journal:begun:stopped'));
      await stopped.until(/are paid here/);
      const corrected = rows.map((row) => ({ ...row, amount: '2' }));
      // It waits until no call of the stopped worker can be under way.
      const again = async (): Promise<unknown> => JSON.parse((await put('corrected', corrected)).stdout);
      await vi.waitFor(async () => expect(await again()).toMatchObject({ rows: 2, already_paid: 0, replaced: 2 }), {
        timeout: TAKE_OVER_MS / 2,
        interval: 1_000,
      });
      stopped.child.kill('SIGCONT');
      await stopped.ended;
      expect(await receivedBy(rows)).toEqual([0, 0]);
      const { code, stdout } = await work();
      expect([code, await receivedBy(rows)], stdout).toEqual([0, [2, 2]]);
      expect(await status('corrected')).toMatchObject({ rows: 2, paid: 2 });
    },
    TAKE_OVER_MS,
  );

  it('keeps its wallet for a row in doubt, ends with 11, and the next one settles it first', async () => {
    const { put, work, receivedBy, status, testCase } = await newQueue(sandbox);
    const rows = newRows('doubt', 4);
    await put('doubt', rows);
    const { proxy } = testCase;
    proxy.set({ faultOf: ({ path }) => (path.includes('on-chain') ? 'HTML 502 before' : undefined) });
    const { code, stderr, stdout } = await work(['--doubt-wait', '1', '--timeout', '20']);
    expect([code, stderr]).toEqual([
      11,
      expect.stringMatching(/money may have moved: row \d \(doubt-\d, payment pay_/),
    ]);
    expect(documentsIn(stdout).filter((each) => each['status'] === 'in_doubt')).toHaveLength(1);
    const after = await status('doubt');
    expect(after).toMatchObject({ rows: 4, paid: 0, in_doubt: 1, failed: 0 });
    expect(after['doubtful']).toMatchObject([{ payment_id: expect.stringMatching(/^pay_/), exit: 11 }]);
    // One transaction was sent, and nothing was signed behind it.
    expect(new Set(proxy.seen.filter(({ path }) => path.includes('on-chain')).map(({ text }) => text)).size).toBe(1);
    proxy.set({});
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual([1, 1, 1, 1]);
    // Also the row that was in doubt: the worker that settled it counts it as paid.
    expect(await status('doubt')).toMatchObject({ rows: 4, paid: 4, skipped: 0, in_doubt: 0, doubtful: [] });
  });
});
