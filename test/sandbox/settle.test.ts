import { expect, test } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import { ledgerPath } from '../../src/sandbox/address.ts';
import { closeLedgerFile, openLedgerFile } from '../../src/sandbox/ledger/file.ts';
import type { PaymentTable } from '../../src/sandbox/ledger/ledger.ts';
import { connect } from '../../src/sandbox/ledger/ledger.ts';
import { historyOf } from '../../src/sandbox/ledger/payments.ts';
import { balancesOf, execute, fund, newPayer, payable, prepare, statusOf } from './payer.ts';
import { sandboxIo, startTestSandbox, type TestSandbox } from './sandbox.ts';

/** Writes the state that a killed server leaves in the ledger. */
const writeKilledState = async (
  io: Io,
  id: string,
  row: Partial<Pick<PaymentTable, 'status' | 'signed_tx' | 'tid_hash'>>,
) => {
  const file = await openLedgerFile(io, ledgerPath(io));
  await (await connect(file)).updateTable('payments').set(row).where('id', '=', id).execute();
  closeLedgerFile(file);
};

const history = async (io: Io, id: string): Promise<readonly string[]> => {
  const file = await openLedgerFile(io, ledgerPath(io));
  const entries = await historyOf(await connect(file), id);
  closeLedgerFile(file);
  return entries.map(({ status }) => status);
};

const waitUntilSettled = async (sandbox: TestSandbox, id: string) => {
  for (;;) {
    const payment = await statusOf(sandbox, id);
    if (payment.status !== 'processing') return payment;
    await sandbox.io.clock.sleep(20);
  }
};

test('sends the saved transaction once after a kill between save and send', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const { id, raw, payer } = await payable(before);
  await before.stop();
  await writeKilledState(io, id, { status: 'processing', signed_tx: raw });
  const after = await startTestSandbox(io);
  expect(await waitUntilSettled(after, id)).toMatchObject({
    status: 'success',
    tid_hash: expect.stringMatching(/^0x/),
  });
  expect((await balancesOf(after, payer.address)).USDT).toBe('9990');
});

test('finds the transaction on the chain after a kill between mining and recording, and does not send it again', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const { id, raw, payer } = await payable(before);
  const { tid_hash } = (await execute(before, id, raw)).body.data;
  await before.stop();
  await writeKilledState(io, id, { status: 'processing', tid_hash: null });
  const after = await startTestSandbox(io);
  expect(await waitUntilSettled(after, id)).toMatchObject({ status: 'success', tid_hash });
  expect((await balancesOf(after, payer.address)).USDT).toBe('9990');
});

test('ends the payment in error after a kill when the mined transaction reverted', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const payer = newPayer();
  await fund(before, payer, 'polygon', 'POL');
  const { id, raw } = await prepare(before, { payer });
  await execute(before, id, raw);
  await before.stop();
  await writeKilledState(io, id, { status: 'processing' });
  const after = await startTestSandbox(io);
  expect(await waitUntilSettled(after, id)).toMatchObject({
    status: 'error',
    data_error: { status: 'payment_failed' },
  });
});

test.each([
  ['of another amount', '11'],
  ['with the very same bytes', '10'],
])(
  'ends the payment in error after a kill before the send when a payment %s used its nonce',
  async (_, amount_from) => {
    const io = await sandboxIo();
    const before = await startTestSandbox(io);
    const first = await payable(before);
    const second = await prepare(before, { payer: first.payer, order: { amount_from } });
    await execute(before, first.id, first.raw);
    await before.stop();
    await writeKilledState(io, second.id, { status: 'processing', signed_tx: second.raw });
    const after = await startTestSandbox(io);
    expect(await waitUntilSettled(after, second.id)).toMatchObject({
      status: 'error',
      data_error: { status: 'finalizer_payment_order_on_chain_failed' },
    });
  },
);

test('keeps a payment, its history and the balances across a restart', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const { id, raw, payer } = await payable(before);
  await execute(before, id, raw);
  const paid = await statusOf(before, id);
  await before.stop();
  expect(await history(io, id)).toEqual(['registered', 'processing', 'success']);
  const after = await startTestSandbox(io);
  expect(await statusOf(after, id)).toEqual(paid);
  expect((await balancesOf(after, payer.address)).USDT).toBe('9990');
  const next = await prepare(after, { payer });
  expect((await execute(after, next.id, next.raw)).body.status).toBe('payment_confirmed');
});
