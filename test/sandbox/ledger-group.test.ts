import { sql } from 'kysely';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { ledgerPath } from '../../src/sandbox/address.ts';
import { closeLedgerFile, type LedgerFile, openLedgerFile } from '../../src/sandbox/ledger/file.ts';
import { connect, type Ledger } from '../../src/sandbox/ledger/ledger.ts';
import { sandboxIo } from './sandbox.ts';

/** A ledger file that records each of its commits. */
const counting = (file: LedgerFile) => {
  const commits: string[] = [];
  const prepare = (text: string) => {
    const statement = file.prepare(text);
    if (text !== 'commit') return statement;
    const run = (parameters: unknown[]) => {
      commits.push(text);
      return statement.run(parameters);
    };
    return Object.assign(Object.create(statement), { run });
  };
  const counted: LedgerFile = new Proxy(file, {
    get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)),
  });
  return { counted, commits };
};

const openLedger = async () => {
  const io = await sandboxIo();
  const path = ledgerPath(io);
  const file = await openLedgerFile(io, path);
  const { counted, commits } = counting(file);
  const ledger = await connect(counted);
  const other = new Database(path);
  onTestFinished(async () => {
    await ledger.destroy();
    other.close();
    closeLedgerFile(file);
  });
  /** The number of rows on the disk, as another connection reads it. */
  const rowsOnDisk = () =>
    (other.prepare('SELECT name FROM settings ORDER BY name').all([]) as { name: string }[]).length;
  return { file, ledger, commits, rowsOnDisk };
};

const put = (step: Ledger, name: string) => step.insertInto('settings').values({ name, value: 'x' }).execute();

const putTwo = (ledger: Ledger, name: string) =>
  ledger.transaction().execute(async (step) => {
    await put(step, `${name} a`);
    await put(step, `${name} b`);
  });

test('commits a hundred concurrent transactions in a few commits, and each is on the disk when it resolves', async () => {
  const { ledger, commits, rowsOnDisk } = await openLedger();
  const rowCounts = Array.from({ length: 100 }, async (_, at) => {
    await putTwo(ledger, `row ${at}`);
    return rowsOnDisk();
  });
  expect((await Promise.all(rowCounts)).every((rows, at) => rows >= 2 * (at + 1))).toBe(true);
  expect(rowsOnDisk()).toBe(200);
  expect(commits.length).toBeLessThan(10);
});

test('rolls back a failing transaction, but not the others that share its commit', async () => {
  const { ledger, rowsOnDisk } = await openLedger();
  const first = putTwo(ledger, 'one');
  const failing = ledger.transaction().execute(async (step) => {
    await put(step, 'lost');
    throw new Error('rolled back on purpose');
  });
  const clashing = ledger.transaction().execute(async (step) => {
    await put(step, 'lost too');
    await put(step, 'one a');
  });
  const all = await Promise.allSettled([first, failing, clashing, putTwo(ledger, 'two')]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(rowsOnDisk()).toBe(4);
});

test('reads only rows that are on the disk, which a kill cannot undo', async () => {
  const { ledger, rowsOnDisk } = await openLedger();
  const writing = put(ledger, 'single');
  const rows = await ledger.selectFrom('settings').select('name').execute();
  expect(rowsOnDisk()).toBe(rows.length);
  expect(rows).toHaveLength(1);
  await writing;
});

test('rejects every transaction that shares a failing commit', async () => {
  const { ledger, rowsOnDisk } = await openLedger();
  const orphan = ledger.transaction().execute(async (step) => {
    await sql`PRAGMA defer_foreign_keys = ON`.execute(step);
    await step.insertInto('payment_history').values({ payment_id: 'nobody', status: 'x', at: 'x' }).execute();
  });
  const all = await Promise.allSettled([putTwo(ledger, 'one'), orphan]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(rowsOnDisk()).toBe(0);
  await putTwo(ledger, 'later');
  expect(rowsOnDisk()).toBe(2);
});

test('rejects a transaction that throws because of a read row only when the row is on the disk', async () => {
  const { ledger, rowsOnDisk } = await openLedger();
  const writing = put(ledger, 'single');
  const refused = ledger.transaction().execute(async (step) => {
    const rows = await step.selectFrom('settings').select('name').execute();
    throw new Error(`there are ${rows.length} already`);
  });
  await expect(refused).rejects.toThrow('there are 1 already');
  expect(rowsOnDisk()).toBe(1);
  await writing;
});

test('stores nothing of rejected transactions on a full disk, and all of the others', async () => {
  const { file, ledger, rowsOnDisk } = await openLedger();
  const [pages] = Object.values(file.prepare('PRAGMA page_count').all([])[0] as object);
  file.prepare(`PRAGMA max_page_count = ${pages + 5}`).all([]);
  const tooLarge = (step: Ledger) =>
    step
      .insertInto('settings')
      .values({ name: 'large', value: 'x'.repeat(200_000) })
      .execute();
  const all = await Promise.allSettled([
    putTwo(ledger, 'one'),
    tooLarge(ledger),
    put(ledger, 'two'),
    putTwo(ledger, 'three'),
    ledger.transaction().execute(tooLarge),
    putTwo(ledger, 'four'),
  ]);
  const fulfilled = all.map(({ status }) => status === 'fulfilled');
  const sizes = [2, 1, 1, 2, 1, 2];
  expect(fulfilled[1] || fulfilled[4]).toBe(false);
  expect(rowsOnDisk()).toBe(sizes.reduce((sum, size, at) => sum + (fulfilled[at] ? size : 0), 0));
});
