import { sql } from 'kysely';
import Database from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { ledgerPath } from '../../src/sandbox/address.ts';
import { closeLedgerFile, type LedgerFile, openLedgerFile } from '../../src/sandbox/ledger/file.ts';
import { connect, type Ledger } from '../../src/sandbox/ledger/ledger.ts';
import { sandboxIo } from './sandbox.ts';

/** Counts the commits of a file. */
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
  /** What is on the disk, as another process sees it. */
  const kept = () => (other.prepare('SELECT name FROM settings ORDER BY name').all([]) as { name: string }[]).length;
  return { file, ledger, commits, kept };
};

const put = (step: Ledger, name: string) => step.insertInto('settings').values({ name, value: 'x' }).execute();

const putTwo = (ledger: Ledger, name: string) =>
  ledger.transaction().execute(async (step) => {
    await put(step, `${name} a`);
    await put(step, `${name} b`);
  });

test('a hundred transactions at once cost a few syncs of the disk, and each is there when it is answered for', async () => {
  const { ledger, commits, kept } = await openLedger();
  const seen = Array.from({ length: 100 }, async (_, at) => {
    await putTwo(ledger, `row ${at}`);
    return kept();
  });
  expect((await Promise.all(seen)).every((rows, at) => rows >= 2 * (at + 1))).toBe(true);
  expect(kept()).toBe(200);
  expect(commits.length).toBeLessThan(10);
});

test('a transaction that fails undoes itself, and nothing of those that share its commit', async () => {
  const { ledger, kept } = await openLedger();
  const first = putTwo(ledger, 'one');
  const failing = ledger.transaction().execute(async (step) => {
    await put(step, 'lost');
    throw new Error('changed its mind');
  });
  const clashing = ledger.transaction().execute(async (step) => {
    await put(step, 'lost too');
    await put(step, 'one a');
  });
  const all = await Promise.allSettled([first, failing, clashing, putTwo(ledger, 'two')]);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(kept()).toBe(4);
});

test('what is read is on the disk already: nobody learns what a kill could still undo', async () => {
  const { ledger, kept } = await openLedger();
  const writing = put(ledger, 'single');
  const rows = await ledger.selectFrom('settings').select('name').execute();
  expect(kept()).toBe(rows.length);
  expect(rows).toHaveLength(1);
  await writing;
});

test('when the commit itself fails, everybody who shares it is told so', async () => {
  const { ledger, kept } = await openLedger();
  const orphan = ledger.transaction().execute(async (step) => {
    await sql`PRAGMA defer_foreign_keys = ON`.execute(step);
    await step.insertInto('payment_history').values({ payment_id: 'nobody', status: 'x', at: 'x' }).execute();
  });
  const all = await Promise.allSettled([putTwo(ledger, 'one'), orphan]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(kept()).toBe(0);
  await putTwo(ledger, 'later');
  expect(kept()).toBe(2);
});

test('a transaction that fails over what it read says so when that is on the disk', async () => {
  const { ledger, kept } = await openLedger();
  const writing = put(ledger, 'single');
  const refused = ledger.transaction().execute(async (step) => {
    const rows = await step.selectFrom('settings').select('name').execute();
    throw new Error(`there are ${rows.length} already`);
  });
  await expect(refused).rejects.toThrow('there are 1 already');
  expect(kept()).toBe(1);
  await writing;
});

test('on a full disk whatever is told to have failed is not there, and what fits is', async () => {
  const { file, ledger, kept } = await openLedger();
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
  const told = all.map(({ status }) => status === 'fulfilled');
  const sizes = [2, 1, 1, 2, 1, 2];
  expect(told[1] || told[4]).toBe(false);
  expect(kept()).toBe(sizes.reduce((sum, size, at) => sum + (told[at] ? size : 0), 0));
});
