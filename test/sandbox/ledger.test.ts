import { readFile, stat, writeFile } from 'node:fs/promises';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { ledgerPath } from '../../src/sandbox/address.ts';
import { closeLedgerFile, openLedgerFile } from '../../src/sandbox/ledger/file.ts';
import { connect } from '../../src/sandbox/ledger/ledger.ts';
import { lockHome } from '../../src/sandbox/ledger/lock.ts';
import { MIGRATIONS } from '../../src/sandbox/ledger/migrations.ts';
import { changePayment, findPayment, historyOf, insertPayment } from '../../src/sandbox/ledger/payments.ts';
import { hashOf, putTenant, tenantOfKey } from '../../src/sandbox/ledger/tenants.ts';
import { sandboxIo, startTestSandbox } from './sandbox.ts';

const AT = '2026-01-01T00:00:00.000Z';

const payment = {
  id: 'pay_1',
  tenant_id: 'tenant_1',
  status: 'registered',
  executor_id: 'api_transaction',
  tenant_data: '{}',
  payment_method_allowed: '{}',
  gateway_method: 'direct',
  split_payment_config: '[]',
  from_currency_symbol: 'USDT',
  to_currency_symbol: 'USDT',
  amount_from: '1',
  amount_to: '1',
  to_chain: 'polygon',
  on_ramp: 0,
  global_payment_data: '{}',
  created_at: AT,
  updated_at: AT,
};

const openLedger = async () => {
  const io = await sandboxIo();
  const file = await openLedgerFile(io, ledgerPath(io));
  const ledger = await connect(file);
  await putTenant(ledger, 'tenant_1', 'a key', AT);
  return { io, file, ledger };
};

test('opens the ledger with WAL, synchronous FULL and foreign keys', async () => {
  const { file, ledger } = await openLedger();
  const pragma = (name: string) => Object.values(file.prepare(`PRAGMA ${name}`).all([])[0] as object)[0];
  expect(['journal_mode', 'synchronous', 'foreign_keys'].map(pragma)).toEqual(['wal', 2, 1]);
  await expect(insertPayment(ledger, { ...payment, tenant_id: 'nobody' })).rejects.toThrow('FOREIGN KEY');
  closeLedgerFile(file);
});

test.each([
  ['another file', 'not a database, but long enough to be looked at '.repeat(40)],
  ['a torn page', undefined],
])('refuses to start with a damaged ledger (%s), names the file and does not change it', async (_, content) => {
  const { io, file, ledger } = await openLedger();
  for (let count = 0; count < 60; count += 1) await insertPayment(ledger, { ...payment, id: `pay_${count}` });
  closeLedgerFile(file);
  const path = ledgerPath(io);
  const bytes = await readFile(path);
  bytes.fill(0x5a, 4096 * 3, 4096 * 6);
  await writeFile(path, content ?? bytes);
  const before = await readFile(path);
  await expect(startTestSandbox(io)).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    message: expect.stringContaining(`${path} is damaged`),
  });
  expect((await readFile(path)).equals(before)).toBe(true);
});

test('refuses a ledger of a newer bursar', async () => {
  const { io, file } = await openLedger();
  file.exec(`PRAGMA user_version = ${Math.max(...MIGRATIONS.map(({ number }) => number)) + 1}`);
  closeLedgerFile(file);
  await expect(startTestSandbox(io)).rejects.toMatchObject({ message: expect.stringContaining('newer bursar') });
});

test('changes a payment only from an expected status, and records the status in its history', async () => {
  const { file, ledger } = await openLedger();
  await insertPayment(ledger, payment);
  const expected = { id: 'pay_1', statuses: ['registered', 'retry'] };
  const change = { status: 'processing', signed_tx: '0x02', updated_at: AT };
  const both = await Promise.all([changePayment(ledger, expected, change), changePayment(ledger, expected, change)]);
  expect(both.toSorted()).toEqual([false, true]);
  expect((await historyOf(ledger, 'pay_1')).map(({ status }) => status)).toEqual(['registered', 'processing']);
  closeLedgerFile(file);
});

test('finds a payment only for its own tenant', async () => {
  const { file, ledger } = await openLedger();
  await putTenant(ledger, 'tenant_2', 'another key', AT);
  await insertPayment(ledger, payment);
  expect((await findPayment(ledger, 'tenant_1', 'pay_1'))?.id).toBe('pay_1');
  expect(await findPayment(ledger, 'tenant_2', 'pay_1')).toBeUndefined();
  expect(await tenantOfKey(ledger, 'another key')).toBe('tenant_2');
  closeLedgerFile(file);
});

test('creates the ledger with mode 600, and stores the hash of a key instead of the key', async () => {
  const { io, file } = await openLedger();
  expect((await stat(ledgerPath(io))).mode & 0o777).toBe(0o600);
  expect((await stat(`${ledgerPath(io)}-wal`)).mode & 0o777).toBe(0o600);
  closeLedgerFile(file);
  const text = (await readFile(ledgerPath(io))).toString('latin1');
  expect([text.includes('a key'), text.includes(hashOf('a key'))]).toEqual([false, true]);
});

test('refuses a second sandbox in the same home until the lock is released', async () => {
  const io = await sandboxIo();
  const release = await lockHome(io);
  await expect(lockHome(io)).rejects.toMatchObject({ code: 'sandbox_unavailable' });
  await expect(startTestSandbox(io)).rejects.toMatchObject({ message: expect.stringContaining('already running') });
  release();
  (await lockHome(io))();
});

test('leaves no ledger file of an ephemeral sandbox', async () => {
  const io = await sandboxIo();
  const { stop } = await startTestSandbox(io, { ephemeral: true });
  await stop();
  expect(await io.files.read(ledgerPath(io))).toBeUndefined();
});

test('creates a ledger that passes the integrity check of SQLite', async () => {
  const { io, file } = await openLedger();
  closeLedgerFile(file);
  const again = new Database(ledgerPath(io));
  expect(again.prepare('PRAGMA integrity_check').all([])).toEqual([{ integrity_check: 'ok' }]);
  again.close();
});

test('migrates a ledger of the first version, also when it lacks a step in the middle', async () => {
  const io = await sandboxIo();
  const [first, ...later] = MIGRATIONS;
  const path = ledgerPath(io);
  await io.files.createPrivate(path, '');
  const oldLedger = new Database(path);
  oldLedger.exec(`${first?.sql}; PRAGMA user_version = 1`);
  oldLedger.exec(
    `CREATE TABLE steps (number INTEGER PRIMARY KEY) STRICT; INSERT INTO steps VALUES (${later[1]?.number})`,
  );
  oldLedger.exec(later[1]?.sql ?? '');
  oldLedger.close();
  closeLedgerFile(await openLedgerFile(io, path));
  const file = await openLedgerFile(io, path);
  const numbers = file.prepare('SELECT number FROM steps ORDER BY number').all([]) as { number: number }[];
  expect(numbers.map(({ number }) => number)).toEqual(later.map(({ number }) => number));
  expect(file.prepare('SELECT count(*) AS orders FROM orders').all([])).toEqual([{ orders: 0 }]);
  closeLedgerFile(file);
});
