import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { killedAt } from '../../support/kill-at.ts';
import { canRunPostgres } from '../../support/postgres.ts';
import { documentsIn, newQueue, newRows } from '../../support/queue.ts';
import { postgresJournal } from '../../support/test-journal.ts';

const canRun = canRunPostgres('the queue of pay bulk');

let sandbox: SharedSandbox;

beforeAll(async () => {
  if (canRun) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

const ofState = (stdout: string, state: string) => documentsIn(stdout).filter(({ status }) => status === state);

describe.runIf(canRun)('a queue', () => {
  it('pays each row once, whoever puts the file again and however it is sorted', async () => {
    const { put, work, status, receivedBy } = await newQueue(sandbox);
    const rows = newRows('once', 5);
    const first = await put('May', rows);
    expect(JSON.parse(first.stdout)).toMatchObject({ batch: 'May', rows: 5, added: 5, replaced: 0, already_paid: 0 });
    expect(await status('May')).toMatchObject({ rows: 5, queued: 5, paid: 0 });
    expect(await receivedBy(rows)).toEqual([0, 0, 0, 0, 0]);
    const again = await put('May', rows.toReversed());
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, replaced: 0 });
    const { code, stdout, stderr } = await work();
    expect([code, ofState(stdout, 'paid').length]).toEqual([0, 5]);
    expect(stderr).toMatch(/^Rows of payer \(0x\w+\) are paid here\.$/m);
    expect(documentsIn(stdout)[0]).toMatchObject({ batch: 'May', id: expect.stringMatching(/^once-/), exit: 0 });
    expect(documentsIn(stdout).at(-1)).toEqual({
      summary: { rows: 5, paid: 5, skipped: 0, failed: 0, in_doubt: 0, held: 0, pending: 0 },
    });
    expect(await receivedBy(rows)).toEqual([1, 1, 1, 1, 1]);
    const last = await put('May', [...rows, ...newRows('more', 1)]);
    expect(JSON.parse(last.stdout)).toMatchObject({ rows: 6, added: 1, replaced: 0, already_paid: 5 });
    expect(await status('May')).toMatchObject({ rows: 6, queued: 1, paid: 5 });
  });

  it('takes a corrected row until it was started, and then refuses it', async () => {
    const { put, work, receivedBy, status } = await newQueue(sandbox);
    const rows = newRows('corrected', 2);
    const [one, two] = rows as [(typeof rows)[0], (typeof rows)[0]];
    await put('June', rows);
    const corrected = await put('June', [{ ...one, amount: '2' }, two]);
    expect(JSON.parse(corrected.stdout)).toMatchObject({ added: 0, replaced: 1 });
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual([2, 1]);
    const late = await put('June', [{ ...one, amount: '3' }, two]);
    expect([late.code, late.stderr + late.stdout]).toEqual([
      2,
      expect.stringMatching(
        /which was paid on \S+, with amount_from 2; the row now has amount_from 3\. Put amount_from 2 back/,
      ),
    ]);
    expect(await status('June')).toMatchObject({ rows: 2, paid: 2 });
  });

  it('is shared by workers on two machines, each with a wallet of its own', async () => {
    const { put, start, machine, names, receivedBy, status, testCase } = await newQueue(sandbox, { wallets: 2 });
    const rows = newRows('shared', 12);
    await put('July', rows);
    const other = await machine();
    const workers = [testCase, other].map((on, at) => start(on, ['--key', names[at] ?? '', '--until-empty']));
    const ended = await Promise.all(workers.map((worker) => worker.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const paid = ended.map(({ stdout }) => ofState(stdout, 'paid').length);
    expect([Math.min(...paid) > 0, paid.reduce((sum, each) => sum + each, 0)]).toEqual([true, 12]);
    expect(await receivedBy(rows)).toEqual(rows.map(() => 1));
    expect(await status('July')).toMatchObject({ rows: 12, paid: 12 });
  });

  it('gives a wallet to one worker: the other goes on when the first ends', async () => {
    const { put, start, machine, receivedBy, testCase } = await newQueue(sandbox);
    const rows = newRows('standby', 4);
    const first = start(testCase);
    await first.until(/are paid here/);
    const second = start(await machine());
    await put('August', rows.slice(0, 2));
    // The rows may end in either order, and one that is cut off would end the worker with 130.
    await first.until(/(?:"batch":"August","status":"paid"[\s\S]*){2}/);
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(0);
    await put('August', rows);
    await second.until(
      /standby-3","batch":"August","status":"paid"[\s\S]*standby-4|standby-4[\s\S]*standby-3","batch":"August","status":"paid"/,
    );
    second.child.kill('SIGINT');
    const { stdout } = await second.ended;
    expect(ofState(stdout, 'paid')).toHaveLength(2);
    expect(await receivedBy(rows)).toEqual([1, 1, 1, 1]);
  });

  it('pays a corrected row as it was corrected, also if a worker had it in hand', async () => {
    const { put, start, testCase, receivedBy, status } = await newQueue(sandbox);
    const rows = newRows('parked', 6);
    // The first execute hangs, and the rows behind it wait in the worker.
    testCase.proxy.set({ faultOf: ({ path }) => (path.includes('on-chain') ? 'hang before' : undefined) });
    await put('parked', rows);
    const worker = start(testCase, ['--timeout', '20']);
    await worker.until(/are paid here/);
    while (testCase.proxy.seen.every(({ path }) => !path.includes('on-chain'))) await sleep(50);
    // The worker has row 4 in hand, and has not started it.
    const corrected = rows.map((row, at) => ({ ...row, amount: at < 3 ? '1' : '2' }));
    expect(JSON.parse((await put('parked', corrected)).stdout)).toMatchObject({ added: 0, replaced: 3 });
    testCase.proxy.set({});
    await worker.until(/(?:"status":"paid"[\s\S]*){6}/);
    worker.child.kill('SIGINT');
    await worker.ended;
    expect(await receivedBy(rows)).toEqual([1, 1, 1, 2, 2, 2]);
    expect(await status('parked')).toMatchObject({ rows: 6, paid: 6 });
  });

  it('counts a payment that another worker has started for --max-total', async () => {
    const { put, work, receivedBy } = await newQueue(sandbox);
    const rows = newRows('started', 1);
    await put('started', rows);
    expect((await work([], killedAt('call:intents-create-transaction:before'))).code).toBe(null);
    const { code } = await work(['--max-total', '0.5=USDT']);
    expect(code).toBe(10);
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual([1]);
  });

  it('stops before a row that is above --max-total, and leaves rows of tokens without one', async () => {
    const { put, work, receivedBy, status } = await newQueue(sandbox);
    const rows = newRows('limit', 3);
    await put('limits', rows);
    const { code, stderr } = await work(['--max-total', '2=USDT', '--concurrency', '1']);
    expect([code, stderr]).toEqual([10, expect.stringContaining('above --max-total of USDT')]);
    expect((await receivedBy(rows)).toSorted()).toEqual([0, 1, 1]);
    expect(await status('limits')).toMatchObject({ paid: 2, queued: 1, pending: 0, failed: 0 });
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual([1, 1, 1]);
  });

  it('takes back what no worker has, and shows a batch that nobody works on', async () => {
    const { put, work, testCase, status, receivedBy } = await newQueue(sandbox);
    const rows = newRows('back', 2);
    await put('September', rows);
    const no = await testCase.bursar(['pay', 'bulk-withdraw', 'September']);
    expect([no.code, no.stdout]).toEqual([2, '']);
    const yes = await testCase.bursar(['pay', 'bulk-withdraw', 'September', '--yes', '--json']);
    expect(JSON.parse(yes.stdout)).toMatchObject({ withdrawn: 2, queued: 0 });
    const { code, stdout } = await work();
    expect([code, ofState(stdout, 'paid')]).toEqual([0, []]);
    expect(await receivedBy(rows)).toEqual([0, 0]);
    await put('September', rows.slice(0, 1));
    expect(await status('September')).toMatchObject({ withdrawn: 1, queued: 1 });
    const unknown = await testCase.bursar(['pay', 'bulk-status', 'Octobre']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no batch "Octobre"')]);
  });

  it('shows the rows that failed with 13, and pays them when they are put again', async () => {
    const { put, work, testCase, status, receivedBy } = await newQueue(sandbox);
    const rows = newRows('failing', 3);
    await put('October', rows);
    const strict = ['key', 'policy', 'set', 'payer', 'recipients=0x1111111111111111111111111111111111111111'];
    expect((await testCase.bursar(strict)).code).toBe(0);
    const { code, stdout } = await work();
    expect([code, ofState(stdout, 'failed').map(({ exit }) => exit)]).toEqual([13, [10, 10, 10]]);
    const watched = await testCase.bursar(['pay', 'bulk-status', 'October', '--watch']);
    expect(watched.code).toBe(13);
    expect(documentsIn(watched.stdout)[0]).toMatchObject({ failed: 3, first_failed: [{ exit: 10 }, {}, {}] });
    expect((await testCase.bursar(['key', 'policy', 'set', 'payer', 'recipients='])).code).toBe(0);
    expect(JSON.parse((await put('October', rows)).stdout)).toMatchObject({ added: 0, replaced: 3 });
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual([1, 1, 1]);
    expect(await status('October')).toMatchObject({ paid: 3, failed: 0 });
  });

  it('is not paid by a worker whose profile states something else', async () => {
    const { put, work, testCase, receivedBy } = await newQueue(sandbox);
    const rows = newRows('stated', 1);
    await put('stated', rows);
    expect((await testCase.bursar(['profile', 'set', 'sandbox', 'webhook_url=https://else.example/'])).code).toBe(0);
    const { code, stderr } = await work();
    expect([code, await receivedBy(rows)]).toEqual([2, [0]]);
    expect(stderr).toContain('stated-1 of stated cannot be paid here: it would ask for another tenant_data');
    expect((await testCase.bursar(['profile', 'set', 'sandbox', 'webhook_url=https://shop.example/hook'])).code).toBe(
      0,
    );
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual([1]);
  });

  it('needs a policy, a limit, a yes and the key of the journal', async () => {
    const { work, testCase, journal, machine, put } = await newQueue(sandbox);
    await testCase.another();
    const plain = await work(['--key', 'payer2']);
    expect([plain.code, plain.stderr]).toEqual([
      2,
      expect.stringContaining('the key payer2 has no policy with a most_per_transaction'),
    ]);
    const none = await testCase.bursar(['worker', '--key', 'payer', '--yes']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--max-total')]);
    const unsure = await testCase.bursar(['worker', '--key', 'payer', '--max-total', '1=USDT']);
    expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining('needs a confirmation')]);
    const unnamed = await put('x', newRows('x', 1), '--concurrency', '2');
    expect([unnamed.code, unnamed.stdout]).toEqual([2, expect.stringContaining('is an option of the worker')]);
    const other = await postgresJournal((await machine()).home);
    const elsewhere = await testCase.bursar(['pay', 'bulk-status', 'x', '--queue', other.url]);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('is not the database of')]);
    // Without the variable another command would use the folder, which knows of none of these payments.
    const env = { BURSAR_JOURNAL: '' };
    for (const args of [
      ['worker', '--key', 'payer', '--max-total', '1=USDT', '--yes'],
      ['pay', 'bulk-status', 'x'],
    ]) {
      const alone = await testCase.bursar([...args, '--queue', journal.url], { env });
      expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('BURSAR_JOURNAL is not set')]);
    }
  });
});
