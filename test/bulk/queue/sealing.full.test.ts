import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { canRunPostgres } from '../../support/postgres.ts';
import { documentsIn, newQueue, newRows } from '../../support/queue.ts';

const canRun = canRunPostgres('the seals of a queue');

let sandbox: SharedSandbox;

beforeAll(async () => {
  if (canRun) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

const TABLES = [
  'bursar_queue.batches',
  'bursar_queue.rows',
  'bursar_queue.queues',
  'bursar_jobs.job',
  'bursar_jobs.queue',
];

/** What a writer of the database does to two rows before they are paid, and the rows that are still paid. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'a changed byte': ["UPDATE bursar_queue.rows SET sealed = overlay(sealed placing 'x' from 30)"],
  'the content of two rows is exchanged': [
    'CREATE TABLE kept AS SELECT id, sealed FROM bursar_queue.rows',
    'UPDATE bursar_queue.rows r SET sealed = (SELECT sealed FROM kept WHERE id <> r.id)',
  ],
  'a plain text in place of the sealed one': [
    `UPDATE bursar_queue.rows SET sealed = '{"batch":"May","row":1,"line":2,"id":"x","fields":{},"digest":"","plan":"{}","wallets":[]}'`,
  ],
  'the change of another row': [
    'CREATE TABLE kept AS SELECT id, sealed FROM bursar_queue.rows',
    'UPDATE bursar_queue.rows r SET change = (SELECT sealed FROM kept WHERE id <> r.id)',
  ],
};

describe.runIf(canRun)('the database of a queue', () => {
  it('says nothing of what is paid, to whom and by whom', async () => {
    const { put, work, journal, testCase } = await newQueue(sandbox);
    const rows = newRows('legible', 2).map((row) => ({
      ...row,
      email: 'legible.payer@example.com',
      amount: '4.253917',
    }));
    await put('Secret batch'.replace(' ', '-'), rows);
    const dump = async (): Promise<string> => {
      const all = await Promise.all(
        TABLES.map((name) => journal.sql(`SELECT to_jsonb(t)::text AS text FROM ${name} t`)),
      );
      return all.flat().map(String).join('\n') + JSON.stringify(all).toLowerCase();
    };
    const words = [
      ...['legible', 'secret-batch', '4.253917', 'usdt', 'polygon', 'payer', 'example.com', 'client_'],
      ...[...rows.map(({ to }) => to), testCase.payer].map((address) => address.slice(2).toLowerCase()),
    ];
    const before = await dump();
    expect(words.filter((word) => before.includes(word))).toEqual([]);
    expect((await work()).code).toBe(0);
    const after = await dump();
    expect(words.filter((word) => after.includes(word))).toEqual([]);
    // The content of a row is gone with its end.
    expect(await journal.sql('SELECT 1 FROM bursar_queue.rows WHERE sealed IS NOT NULL')).toEqual([]);
  });

  it('holds a job with the names of a batch and a row, and nothing else', async () => {
    const { put, journal } = await newQueue(sandbox);
    await put('May', newRows('job', 1));
    const [{ data } = {}] = await journal.sql('SELECT data FROM bursar_jobs.job');
    expect(data).toEqual({
      batch: expect.stringMatching(/^[0-9a-f]{32}$/),
      row: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it.each(Object.entries(CHANGES))('with %s pays none of these rows, and ends with 2', async (name, statements) => {
    const { put, work, journal, receivedBy, testCase } = await newQueue(sandbox);
    const rows = newRows('sealed', 2);
    await put('May', rows);
    for (const statement of statements) await journal.sql(statement);
    const shown = await testCase.bursar(['pay', 'bulk-status', 'May']);
    if (name.includes('change of'))
      return expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining('sealed text was changed')]);
    const { code, stderr, stdout } = await work();
    expect([code, stderr, documentsIn(stdout).filter((each) => each['status'] === 'paid')]).toEqual([
      2,
      expect.stringContaining('the sealed text was changed'),
      [],
    ]);
    expect(await receivedBy(rows)).toEqual([0, 0]);
    // The owner puts the file again.
    expect(JSON.parse((await put('May', rows)).stdout)).toMatchObject({ added: 0 });
  });

  it('with a changed row pays the others, names the row once, and withdraws it', async () => {
    const { put, work, journal, receivedBy, status, testCase } = await newQueue(sandbox);
    const rows = newRows('mixed', 4);
    await put('May', rows);
    const one = '(SELECT job FROM bursar_queue.rows ORDER BY job LIMIT 1)';
    await journal.sql(`UPDATE bursar_queue.rows SET sealed = overlay(sealed placing 'x' from 30) WHERE job = ${one}`);
    const shown = await testCase.bursar(['pay', 'bulk-status', 'May', '--json']);
    expect([shown.code, JSON.parse(shown.stdout).error.data]).toMatchObject([2, { queued: 4, damaged: 1 }]);
    const { code, stderr, stdout } = await work();
    expect([code, documentsIn(stdout).filter((each) => each['status'] === 'paid').length], stderr).toEqual([2, 3]);
    expect(stderr.match(/warning: a row of May: the sealed text was changed/g)).toHaveLength(1);
    expect(stderr).toContain('next: bursar pay bulk-withdraw May');
    // The job is not kept by a worker that has ended.
    expect(await journal.sql(`SELECT state FROM bursar_jobs.job`)).toEqual([{ state: 'retry' }]);
    const withdrawn = await testCase.bursar(['pay', 'bulk-withdraw', 'May', '--yes', '--json']);
    expect(JSON.parse(withdrawn.stdout)).toMatchObject({ paid: 3, withdrawn: 1, damaged: 0 });
    expect(await journal.sql(`SELECT 1 FROM bursar_jobs.job`)).toEqual([]);
    expect(JSON.parse((await put('May', rows)).stdout)).toMatchObject({ replaced: 1, already_paid: 3 });
    expect((await work()).code).toBe(0);
    expect([await receivedBy(rows), (await status('May'))['paid']]).toEqual([[1, 1, 1, 1], 4]);
  });

  it('with started rows that cannot be read ends them as failed, and pays them when they are put again', async () => {
    const { put, work, journal, receivedBy, testCase } = await newQueue(sandbox);
    const rows = newRows('started', 2);
    await put('May', rows);
    await journal.sql(`UPDATE bursar_queue.rows SET is_started = true, sealed = 'x'`);
    const shown = await testCase.bursar(['pay', 'bulk-status', 'May']);
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining('next: bursar pay bulk-withdraw May')]);
    const withdrawn = await testCase.bursar(['pay', 'bulk-withdraw', 'May', '--yes', '--json']);
    expect(JSON.parse(withdrawn.stdout)).toMatchObject({ failed: 2, withdrawn: 0, damaged: 0 });
    expect(JSON.parse((await put('May', rows)).stdout)).toMatchObject({ replaced: 2 });
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual([1, 1]);
  });

  it('with a row in the queue of another wallet pays nothing', async () => {
    const { put, work, journal, receivedBy } = await newQueue(sandbox, { wallets: 2 });
    const [rows, others] = [newRows('mine', 1), newRows('other', 1)];
    await put('May', rows, '--key', 'payer');
    await put('June', others, '--key', 'payer2');
    const queue =
      'SELECT queue FROM bursar_queue.rows WHERE batch = (SELECT batch FROM bursar_queue.rows ORDER BY changed_by DESC LIMIT 1)';
    const [{ queue: name } = {}] = await journal.sql(queue);
    await journal.sql('UPDATE bursar_queue.rows SET queue = $1', name);
    await journal.sql('UPDATE bursar_jobs.job SET name = $1', name);
    const { code, stderr } = await work(['--key', 'payer2']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the sealed text was changed')]);
    expect(await receivedBy(rows)).toEqual([0]);
  });

  it('that says a row has ended shows it as damaged', async () => {
    const { put, journal, testCase } = await newQueue(sandbox);
    await put('May', newRows('ended', 1));
    await journal.sql('UPDATE bursar_queue.rows SET has_ended = true');
    const { code, stderr } = await testCase.bursar(['pay', 'bulk-status', 'May']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('was changed or is missing')]);
  });

  it('with the row of another journal pays nothing', async () => {
    const [one, other] = [await newQueue(sandbox), await newQueue(sandbox)];
    const rows = newRows('foreign', 1);
    await one.put('May', rows);
    await other.put('May', newRows('own', 1));
    const [{ sealed } = {}] = await one.journal.sql('SELECT sealed FROM bursar_queue.rows');
    await other.journal.sql('UPDATE bursar_queue.rows SET sealed = $1', sealed);
    expect((await other.work()).code).toBe(2);
    expect(await one.receivedBy(rows)).toEqual([0]);
  });

  it('with more jobs of a row, and jobs of rows that do not exist, pays each row once', async () => {
    const { put, work, journal, receivedBy } = await newQueue(sandbox);
    const rows = newRows('jobs', 2);
    await put('May', rows);
    const more = (data: string) =>
      `INSERT INTO bursar_jobs.job (name, data) SELECT name, ${data} FROM bursar_jobs.job WHERE state = 'created'`;
    await journal.sql(more('data'));
    await journal.sql(more(`'{"batch":"x","row":"y"}'`));
    await journal.sql(more(`'[1]'`));
    expect((await work()).code).toBe(0);
    expect(await receivedBy(rows)).toEqual([1, 1]);
    await journal.sql(
      `UPDATE bursar_queue.rows SET has_ended = false, is_started = false, change = NULL;
       UPDATE bursar_jobs.job SET state = 'created'`,
    );
    await work();
    expect(await receivedBy(rows)).toEqual([1, 1]);
  });

  it('from which rows were deleted is damaged, for whoever asks', async () => {
    const { put, journal, testCase } = await newQueue(sandbox);
    await put('May', newRows('deleted', 3));
    await journal.sql('DELETE FROM bursar_queue.rows WHERE id = (SELECT min(id) FROM bursar_queue.rows)');
    const { code, stderr } = await testCase.bursar(['pay', 'bulk-status', 'May']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('rows of the batch are missing')]);
  });
});
