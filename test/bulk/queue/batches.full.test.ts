import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { killedAt } from '../../support/kill-at.ts';
import { canRunPostgres } from '../../support/postgres.ts';
import { documentsIn, newQueue, newRows } from '../../support/queue.ts';

const canRun = canRunPostgres('the batches of a queue');

let sandbox: SharedSandbox;

beforeAll(async () => {
  if (canRun) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

const MANY = 1_500;
/** With a pause for each take of removed rows, a worker needed more than a minute. */
const SECONDS = 30_000;

describe.runIf(canRun)('a batch', () => {
  it('names rows that the file has no more, and --replace withdraws them', async () => {
    const { put, work, status, receivedBy } = await newQueue(sandbox);
    const rows = newRows('gone', 3).map((row) => ({ ...row, amount: '1.5' }));
    const first = await put('May', rows);
    expect(JSON.parse(first.stdout)['others']).toEqual({ rows: 0, totals: [] });
    const total = { method: 'crypto', chain: 'polygon', token: 'USDT' };
    const others = { rows: 1, totals: [{ ...total, rows: 1, amount: '1.5' }] };
    const second = await put('May', rows.slice(0, 2));
    expect(JSON.parse(second.stdout)).toMatchObject({ added: 0, others });
    expect(second.stderr).toContain(
      'May has other rows in the queue, which are not in this file: 1 (1.5 USDT on polygon)',
    );
    expect(second.stderr).toContain('bursar pay bulk-withdraw May');
    expect(second.stderr).toContain('Nothing was put: all rows that can be paid are in the queue already.');
    expect(second.stderr).not.toContain('Workers pay them: bursar worker');
    expect(await status('May')).toMatchObject({ queued: 3 });
    const checked = await put('May', rows.slice(0, 2), '--replace', '--check');
    expect([checked.code, JSON.parse(checked.stdout)]).toEqual([0, expect.objectContaining({ rows: 2, others })]);
    expect(await status('May')).toMatchObject({ queued: 3 });
    const third = await put('May', rows.slice(0, 2), '--replace');
    expect(JSON.parse(third.stdout)).toMatchObject({ added: 0, others, withdrawn: 1 });
    expect(await status('May')).toMatchObject({ queued: 2, withdrawn: 1 });
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual([1.5, 1.5, 0]);
    const last = await put('May', rows.slice(0, 2));
    expect(last.stderr).toContain('Nothing was put: all rows are paid.');
  });

  it('--replace leaves a row that a worker has started, and needs --queue', async () => {
    const { put, work, status, fileOf, testCase } = await newQueue(sandbox);
    const rows = newRows('begun', 1);
    await put('May', rows);
    expect((await work([], killedAt('call:intents-create-transaction:before'))).code).toBe(null);
    const others = newRows('other', 1);
    expect(JSON.parse((await put('May', others, '--replace')).stdout)).toMatchObject({
      ...{ added: 1, others: { rows: 0 }, withdrawn: 0 },
    });
    expect(await status('May')).toMatchObject({ rows: 2, queued: 1, withdrawn: 0 });
    const alone = await testCase.bursar(['pay', 'bulk', await fileOf(others), '--replace', '--yes']);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('needs --queue')]);
  });

  it('that was withdrawn keeps no worker waiting', async () => {
    const { put, work, journal, testCase } = await newQueue(sandbox);
    expect(
      (
        await put(
          'big',
          newRows('big', MANY).map((row) => ({ ...row, amount: '0.1' })),
        )
      ).code,
    ).toBe(0);
    const end = await testCase.bursar(['pay', 'bulk-withdraw', 'big', '--yes', '--json']);
    expect(JSON.parse(end.stdout)).toMatchObject({ withdrawn: MANY });
    expect(await journal.sql('SELECT 1 FROM bursar_jobs.job')).toEqual([]);
    // Jobs without rows, as of a program that was killed.
    const orphan = `'{"batch":"x","row":"y"}'`;
    await journal.sql(
      `INSERT INTO bursar_jobs.job (name, data) SELECT name, ${orphan} FROM bursar_queue.queues, generate_series(1, ${MANY})`,
    );
    await put('small', newRows('small', 2));
    const start = Date.now();
    const { code, stdout } = await work();
    expect([code, documentsIn(stdout).filter(({ status }) => status === 'paid').length]).toEqual([0, 2]);
    expect(Date.now() - start).toBeLessThan(SECONDS);
  });

  it('has its results in the file of its worker, which is opened first', async () => {
    const { put, work, receivedBy, testCase } = await newQueue(sandbox);
    const rows = newRows('logged', 2);
    await put('May', rows);
    const wrong = await work(['--results', join(testCase.home, 'missing', 'results.ndjson')]);
    expect([wrong.code, await receivedBy(rows)]).toEqual([2, [0, 0]]);
    const path = join(testCase.home, 'results.ndjson');
    expect((await work(['--results', path])).code).toBe(0);
    const last = new Map(documentsIn(await readFile(path, 'utf8')).map((each) => [each['id'], each]));
    expect([...last.values()]).toMatchObject(rows.map(() => ({ batch: 'May', status: 'paid', exit: 0 })));
    const ofWorkers = [['--results', path], ['--rate', '5'], ['--fee-at-most', '0.01'], ['--allow-blind']];
    for (const option of ofWorkers) {
      const { code, stdout } = await put('May', rows, ...option);
      expect([code, stdout]).toEqual([2, expect.stringContaining(`${option[0]} is an option of the worker`)]);
    }
  });

  it('says of a row whose payment was removed from the journal that it needs another id', async () => {
    const { fileOf, receivedBy, testCase } = await newQueue(sandbox);
    const rows = newRows('removed', 1);
    const args = ['pay', 'bulk', await fileOf(rows), '--key', 'payer', '--yes', '--max-total', '9=USDT', '--json'];
    const [{ payment_id: id }] = documentsIn((await testCase.bursar(args)).stdout) as [{ payment_id: string }];
    expect((await testCase.bursar(['pay', 'forget', id, '--yes'])).code).toBe(0);
    const { code, stdout, stderr } = await testCase.bursar(args);
    expect([code, await receivedBy(rows)]).toEqual([13, [1]]);
    expect(documentsIn(stdout)[0]).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('removed by pay forget'), errors: [{ field: 'id' }] },
    });
    expect(stderr).not.toContain('tries the others again');
  });

  it('shows the wallet of a started row, which another wallet pays once its operation is forgotten', async () => {
    const { put, work, status, receivedBy, testCase } = await newQueue(sandbox, { wallets: 2 });
    const rows = newRows('lost', 1);
    await put('May', rows, '--key', 'payer');
    expect((await work(['--key', 'payer'], killedAt('call:intents-create-transaction:before'))).code).toBe(null);
    const shown = await status('May');
    expect(shown).toMatchObject({ pending: 1, first_pending: [{ id: 'lost-1', wallets: [testCase.payer] }] });
    const [{ operation_id: id }] = shown['first_pending'] as [{ operation_id: string }];
    const early = await put('May', rows, '--key', 'payer2');
    expect([early.code, early.stdout + early.stderr]).toEqual([
      2,
      expect.stringContaining('add the key of that wallet'),
    ]);
    expect((await testCase.bursar(['pay', 'forget', id, '--yes'])).code).toBe(0);
    const late = await put('May', rows, '--key', 'payer2');
    expect(JSON.parse(late.stdout)).toMatchObject({ added: 0, replaced: 1 });
    const { code, stdout } = await work(['--key', 'payer2']);
    expect(code, stdout).toBe(0);
    expect([await receivedBy(rows), (await status('May'))['paid']]).toEqual([[1], 1]);
  });

  it('names the limit that its worker lacks, and what is left of one', async () => {
    const { put, work, status } = await newQueue(sandbox);
    await put('May', newRows('limits', 2));
    const none = await work(['--max-total', '1=USDC']);
    expect([none.code, none.stderr]).toEqual([10, expect.stringContaining('there is no --max-total of USDT')]);
    expect(none.stderr).toMatch(/hint: .*MAX_TOTAL is AMOUNT=USDT/);
    expect(none.stderr).toMatch(/next: bursar worker .*--max-total 1=USDC .*--max-total "\$MAX_TOTAL"/);
    const little = await work(['--max-total', '1.5=USDT', '--concurrency', '1']);
    expect([little.code, little.stderr]).toEqual([10, expect.stringContaining('USDT: 0.5 of 1.5 is left')]);
    // A row that was given back without an attempt waits as before.
    expect(await status('May')).toMatchObject({ paid: 1, queued: 1, pending: 0 });
  });
});
