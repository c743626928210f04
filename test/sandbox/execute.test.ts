import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transaction } from 'ethers/transaction';
import { expect, test } from 'vitest';
import { chainsFolder, ledgerPath } from '../../src/sandbox/address.ts';
import { closeLedgerFile, openLedgerFile } from '../../src/sandbox/ledger/file.ts';
import { connect } from '../../src/sandbox/ledger/ledger.ts';
import { putTenant } from '../../src/sandbox/ledger/tenants.ts';
import {
  balancesOf,
  createTransaction,
  execute,
  fund,
  newPayer,
  payable,
  prepare,
  RECEIVERS,
  register,
  statusOf,
  toSign,
} from './payer.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from './sandbox.ts';

/** Executes a payment; returns the HTTP status and status of the answer, and the payment's status afterwards. */
const outcome = async (sandbox: TestSandbox, id: string, raw: string) => {
  const { http, body } = await execute(sandbox, id, raw);
  return [http, body.status, (await statusOf(sandbox, id))?.status];
};

test('invalid_parameters: a missing or wrong field leaves the payment registered', async () => {
  const sandbox = await startEphemeral();
  const { id, raw } = await payable(sandbox);
  const right = { executor_id: 'api_transaction', payment_id: id, signed_transaction: raw };
  for (const body of [{}, { ...right, executor_id: 'order_transaction' }, { ...right, signed_transaction: 7 }]) {
    const answer = await sandbox.post('/payment/execute/on-chain', body);
    expect([answer.http, answer.body.status]).toEqual([400, 'invalid_parameters']);
  }
  expect((await statusOf(sandbox, id)).status).toBe('registered');
});

test('payment_not_found: rejects an unknown payment id, and hides the payment from another tenant', async () => {
  const io = await sandboxIo();
  const sandbox = await startTestSandbox(io);
  const { id, raw } = await payable(sandbox);
  expect(await outcome(sandbox, 'pay_unknown', raw)).toEqual([404, 'payment_not_found', undefined]);
  const file = await openLedgerFile(io, ledgerPath(io));
  await putTenant(await connect(file), 'tenant_2', 'the key of another', '2026-01-01T00:00:00.000Z');
  closeLedgerFile(file);
  const body = { executor_id: 'api_transaction', payment_id: id, signed_transaction: raw };
  const key = 'the key of another';
  const answer = await sandbox.call('POST', '/payment/execute/on-chain', { key, body });
  expect([answer.http, answer.body.status]).toEqual([404, 'payment_not_found']);
  const read = await sandbox.call('GET', `/payment/${id}/status`, { key });
  expect([read.http, read.body.status, read.body.data]).toEqual([404, 'payment_not_found', undefined]);
});

test('missing_unsigned_transaction: rejects execute before a payer transaction is created', async () => {
  const sandbox = await startEphemeral();
  const { payment_id } = (await register(sandbox)).body.data;
  expect(await outcome(sandbox, payment_id, '0x02')).toEqual([409, 'missing_unsigned_transaction', 'registered']);
});

test('invalid_payment_status: does not execute a paid payment again', async () => {
  const sandbox = await startEphemeral();
  const { id, raw } = await payable(sandbox);
  expect(await outcome(sandbox, id, raw)).toEqual([200, 'payment_confirmed', 'success']);
  expect(await outcome(sandbox, id, raw)).toEqual([409, 'invalid_payment_status', 'success']);
  const again = await createTransaction(sandbox, { payment_id: id, payer_wallet: newPayer().address });
  expect([again.http, again.body.errors?.[0]?.field]).toEqual([400, 'payment_id']);
});

test('invalid_chain: rejects execute while the chain is switched off, and pays after it is switched on', async () => {
  const sandbox = await startEphemeral();
  const { id, raw } = await payable(sandbox);
  await sandbox.control('POST', 'chain', { name: 'polygon', enabled: false });
  expect(await outcome(sandbox, id, raw)).toEqual([400, 'invalid_chain', 'registered']);
  await sandbox.control('POST', 'chain', { name: 'polygon', enabled: true });
  expect(await outcome(sandbox, id, raw)).toEqual([200, 'payment_confirmed', 'success']);
});

test('invalid_chain: rejects execute while the chain of the order is switched off', async () => {
  const sandbox = await startEphemeral();
  const { id, raw } = await payable(sandbox, { order: { to_chain: 'base' } });
  await sandbox.control('POST', 'chain', { name: 'base', enabled: false });
  expect(await outcome(sandbox, id, raw)).toEqual([400, 'invalid_chain', 'registered']);
});

test('invalid_signed_transaction: rejects a changed field, another signer, another type and damaged bytes', async () => {
  const sandbox = await startEphemeral();
  const { id, raw, payer, crypto_tx } = await payable(sandbox);
  const request = crypto_tx.transactionRequest;
  const changes = [
    { to: RECEIVERS[0] },
    { value: 1n },
    { data: `${request.data}00` },
    { chainId: 137 },
    { gasLimit: BigInt(request.gasLimit) + 1n },
    { maxFeePerGas: BigInt(request.maxFeePerGas) + 1n },
    { maxPriorityFeePerGas: BigInt(request.maxPriorityFeePerGas) + 1n },
    { nonce: request.nonce + 1 },
    { accessList: [{ address: RECEIVERS[0], storageKeys: [] }] },
    { type: 0, gasPrice: BigInt(request.maxFeePerGas), maxFeePerGas: null, maxPriorityFeePerGas: null },
  ];
  const signed = await Promise.all(changes.map((change) => payer.signTransaction(toSign(request, change))));
  const stranger = await newPayer().signTransaction(toSign(request));
  const unsigned = Transaction.from(toSign(request)).unsignedSerialized;
  const flipped = `${raw.slice(0, -1)}${raw.endsWith('0') ? '1' : '0'}`;
  for (const wrong of [...signed, stranger, unsigned, flipped, `${raw}00`, raw.slice(0, -2), '0x02', '0x']) {
    const [, status, after] = await outcome(sandbox, id, wrong);
    expect([wrong.length, status === 'invalid_parameters' ? wrong : status, after]).toEqual([
      wrong.length,
      wrong === '0x' ? expect.stringMatching(/^(?:0x|invalid_signed_transaction)$/) : 'invalid_signed_transaction',
      'registered',
    ]);
  }
  expect(await outcome(sandbox, id, raw.toUpperCase().replace('0X', '0x'))).toEqual([
    200,
    'payment_confirmed',
    'success',
  ]);
});

test('accepts signed_transaction without 0x, and shows it with 0x', async () => {
  const sandbox = await startEphemeral();
  const { id, raw } = await payable(sandbox);
  expect(await outcome(sandbox, id, raw.slice(2))).toEqual([200, 'payment_confirmed', 'success']);
  expect((await statusOf(sandbox, id)).signed_tx).toBe(raw);
});

test('stale_transaction_nonce: moves the second payment with one nonce to retry, and accepts a new transaction', async () => {
  const sandbox = await startEphemeral();
  const first = await payable(sandbox);
  const second = await prepare(sandbox, { payer: first.payer });
  expect(await outcome(sandbox, first.id, first.raw)).toEqual([200, 'payment_confirmed', 'success']);
  expect(await outcome(sandbox, second.id, second.raw)).toEqual([400, 'stale_transaction_nonce', 'retry']);
  const again = await createTransaction(sandbox, { payment_id: second.id, payer_wallet: first.payer.address });
  const raw = await first.payer.signTransaction(toSign(again.body.data.crypto_tx.transactionRequest));
  expect((await statusOf(sandbox, second.id)).status).toBe('retry');
  expect(await outcome(sandbox, second.id, raw)).toEqual([200, 'payment_confirmed', 'success']);
  expect((await balancesOf(sandbox, first.payer.address)).USDT).toBe('9980');
});

test('payment_failed: ends in error when the transaction reverts because the payer lacks the token', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer, 'polygon', 'POL');
  const { id, raw } = await prepare(sandbox, { payer });
  expect(await outcome(sandbox, id, raw)).toEqual([500, 'payment_failed', 'error']);
  const { data_error, tid_hash, signed_tx } = await statusOf(sandbox, id);
  expect(data_error).toMatchObject({ status: 'payment_failed', details: { hash: Transaction.from(raw).hash } });
  expect([tid_hash, signed_tx]).toEqual([null, raw]);
  expect(await outcome(sandbox, id, raw)).toEqual([409, 'invalid_payment_status', 'error']);
});

test('finalizer_payment_order_on_chain_failed: ends in error when the node refuses a payer without the fee', async () => {
  const sandbox = await startEphemeral();
  const { id, raw } = await prepare(sandbox);
  expect(await outcome(sandbox, id, raw)).toEqual([500, 'finalizer_payment_order_on_chain_failed', 'error']);
  expect((await statusOf(sandbox, id)).data_error).toMatchObject({
    code: 500,
    status: 'finalizer_payment_order_on_chain_failed',
    message: expect.stringMatching(/refused.*insufficient funds.*bursar sandbox fund fills a wallet/i),
  });
});

test('blockchain_transaction_failed: saves and sends nothing when the node does not start', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const { id, raw } = await payable(before);
  await before.stop();
  for (const name of await readdir(chainsFolder(io))) await writeFile(join(chainsFolder(io), name), 'damage\n');
  const sandbox = await startTestSandbox(io);
  expect(await outcome(sandbox, id, raw)).toEqual([500, 'blockchain_transaction_failed', 'registered']);
  expect((await statusOf(sandbox, id)).signed_tx).toBeNull();
});

test('pays once for ten concurrent executes of a payment; the others return invalid_payment_status', async () => {
  const sandbox = await startEphemeral();
  const { id, raw, payer } = await payable(sandbox);
  const all = await Promise.all(Array.from({ length: 10 }, () => execute(sandbox, id, raw)));
  const statuses = all.map(({ body }) => body.status).toSorted();
  expect(statuses).toEqual([...Array(9).fill('invalid_payment_status'), 'payment_confirmed']);
  expect((await balancesOf(sandbox, payer.address)).USDT).toBe('9990');
});

test('pays one of six concurrent payments with one nonce, and moves the others to retry', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer);
  const payments = await Promise.all(Array.from({ length: 6 }, () => prepare(sandbox, { payer })));
  await Promise.all(payments.map(({ id, raw }) => execute(sandbox, id, raw)));
  const after = await Promise.all(payments.map(({ id }) => statusOf(sandbox, id)));
  expect(after.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill('retry'), 'success']);
  expect((await balancesOf(sandbox, payer.address)).USDT).toBe('9990');
});
