import { expect, test } from 'vitest';
import { SANDBOX_CONTRACTS } from '../../src/contract/chains.ts';
import { TREASURY } from '../../src/sandbox/payouts/worker.ts';
import { whenStatus, withLedger } from './money.ts';
import {
  balancesOf,
  createTransaction,
  execute,
  type Fields,
  newPayer,
  ON_SOLANA,
  payable,
  RECEIVERS,
  register,
  statusOf,
} from './payer.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from './sandbox.ts';

/** A payment from polygon to base, ready to be executed. */
const bridged = (sandbox: TestSandbox, order: Fields = {}, transaction: Fields = {}, token = 'USDT') =>
  payable(sandbox, { order: { to_chain: 'base', ...order }, transaction, token });

const receiverBalances = async (sandbox: TestSandbox, chain = 'base', token = 'USDT') =>
  Promise.all(RECEIVERS.map(async (wallet) => (await balancesOf(sandbox, wallet, chain))[token]));

test('receives a payment on one chain, escrows it in the bridge, and pays out by the split on another chain', async () => {
  const sandbox = await startEphemeral();
  const { id, raw, payer } = await bridged(sandbox);
  const { http, body } = await execute(sandbox, id, raw);
  expect([http, body.status, body.data.id]).toEqual([200, 'payment_received', id]);
  expect(await statusOf(sandbox, id)).toMatchObject({
    status: 'received',
    tid_hash: body.data.tx_hash,
    from_chain: 'polygon',
    to_chain: 'base',
  });
  const payment = await whenStatus(sandbox, id, 'success');
  expect(payment.tid_hash).toBe(body.data.tx_hash);
  expect(payment.metadata).toEqual({
    bridge: { chain_name: 'base', transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  });
  expect((await balancesOf(sandbox, payer.address)).USDT).toBe('9990');
  expect((await balancesOf(sandbox, SANDBOX_CONTRACTS.bridge)).USDT).toBe('10');
  expect(await receiverBalances(sandbox)).toEqual(['7', '3']);
  expect((await execute(sandbox, id, raw)).body.status).toBe('invalid_payment_status');
});

test('pays out in another token with other decimals, and in the native coin', async () => {
  const sandbox = await startEphemeral();
  const other = await bridged(sandbox, { to_chain: 'bsc', to_currency_symbol: 'USDC' });
  await execute(sandbox, other.id, other.raw);
  await whenStatus(sandbox, other.id, 'success');
  expect(await receiverBalances(sandbox, 'bsc', 'USDC')).toEqual(['7.0014', '3.0006']);
  const coin = await bridged(sandbox, { to_chain: 'bsc', to_currency_symbol: 'BNB', amount_from: '600' });
  await execute(sandbox, coin.id, coin.raw);
  await whenStatus(sandbox, coin.id, 'success');
  // The inverse of the listed price is cut, so that `amount_to` is 0.99999999.
  expect((await statusOf(sandbox, coin.id)).amount_to).toBe('0.99999999');
  expect(await receiverBalances(sandbox, 'bsc', 'BNB')).toEqual(['0.699999993', '0.299999997']);
});

test('rejects a payment that the bridge cannot pay out, before the payer signs', async () => {
  const sandbox = await startEphemeral();
  const refusalOf = async (order: Fields) => {
    const { payment_id } = (await register(sandbox, order)).body.data;
    const { body } = await createTransaction(sandbox, { payment_id, payer_wallet: newPayer().address });
    return [body.status, body.errors?.map(({ field }) => field)];
  };
  expect(await refusalOf(ON_SOLANA)).toEqual(['validation_error', ['to_chain']]);
  expect(await refusalOf({ to_chain: 'base', to_currency_symbol: 'BRL' })).toEqual([
    'validation_error',
    ['to_currency_symbol'],
  ]);
  const tiny = { to_chain: 'base', from_currency_symbol: 'BRL', amount_from: '0.000001' };
  expect(await refusalOf(tiny)).toEqual(['validation_error', ['amount_from']]);
  await sandbox.control('POST', 'chain', { name: 'base', enabled: false });
  expect(await refusalOf({ to_chain: 'base' })).toEqual(['validation_error', ['to_chain']]);
});

test('ends in error and pays out nothing when the payer lacks the token', async () => {
  const sandbox = await startEphemeral();
  const { id, raw } = await bridged(sandbox, {}, {}, 'POL');
  expect((await execute(sandbox, id, raw)).body.status).toBe('payment_failed');
  expect((await statusOf(sandbox, id)).status).toBe('error');
  await sandbox.io.clock.sleep(100);
  expect(await receiverBalances(sandbox)).toEqual(['0', '0']);
});

test('finds the mined payout after a kill before it was recorded, and does not pay again', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const { id, raw } = await bridged(before);
  await execute(before, id, raw);
  const { metadata } = await whenStatus(before, id, 'success');
  await before.stop();
  await withLedger(io, async (ledger) => {
    await ledger.updateTable('payments').set({ status: 'received', metadata: null }).where('id', '=', id).execute();
    await ledger.updateTable('payouts').set({ is_done: 0 }).execute();
  });
  const after = await startTestSandbox(io);
  expect((await whenStatus(after, id, 'success')).metadata).toEqual(metadata);
  expect(await receiverBalances(after)).toEqual(['7', '3']);
});

test('pays out once after a kill between the payment of the payer and its recording', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const { id, raw } = await bridged(before);
  await execute(before, id, raw);
  await before.stop();
  await withLedger(io, async (ledger) => {
    await ledger.deleteFrom('payouts').execute();
    await ledger.updateTable('payments').set({ status: 'processing', tid_hash: null }).where('id', '=', id).execute();
  });
  const after = await startTestSandbox(io);
  await whenStatus(after, id, 'success');
  expect(await receiverBalances(after)).toEqual(['7', '3']);
});

test('signs a payout again, once, when another transaction used its nonce', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const first = await bridged(before);
  await execute(before, first.id, first.raw);
  await whenStatus(before, first.id, 'success');
  const second = await bridged(before, { amount_from: '20' });
  await execute(before, second.id, second.raw);
  await whenStatus(before, second.id, 'success');
  expect(await receiverBalances(before)).toEqual(['21', '9']);
  const third = await bridged(before, { amount_from: '30' });
  await execute(before, third.id, third.raw);
  await before.stop();
  await withLedger(io, async (ledger) => {
    // The third payout gets the nonce of the second, as after a restored backup.
    const { raw } = await ledger
      .selectFrom('payouts')
      .select('raw')
      .where('payment_id', '=', second.id)
      .executeTakeFirstOrThrow();
    const { Transaction } = await import('ethers/transaction');
    const { signTransfer } = await import('../../src/sandbox/payouts/worker.ts');
    const { to, data, value, chainId, gasLimit, maxFeePerGas, maxPriorityFeePerGas, nonce } = Transaction.from(
      raw ?? '',
    );
    const stale = await signTransfer({
      from: TREASURY,
      to: to ?? '',
      data,
      value: value + 1n,
      chainId: Number(chainId),
      gasLimit,
      maxFeePerGas: maxFeePerGas ?? 0n,
      maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n,
      nonce,
    });
    await ledger.updateTable('payouts').set({ raw: stale, is_done: 0 }).where('payment_id', '=', third.id).execute();
    await ledger.updateTable('payments').set({ status: 'received' }).where('id', '=', third.id).execute();
  });
  const after = await startTestSandbox(io);
  await whenStatus(after, third.id, 'success');
  const [firstBalance] = await receiverBalances(after);
  expect(Number(firstBalance)).toBe(42);
});

test('pays out each of twenty concurrent bridged payments once', async () => {
  const sandbox = await startEphemeral();
  const all = await Promise.all(Array.from({ length: 20 }, () => bridged(sandbox)));
  await Promise.all(all.map(({ id, raw }) => execute(sandbox, id, raw)));
  for (const { id } of all) await whenStatus(sandbox, id, 'success');
  expect(await receiverBalances(sandbox)).toEqual(['140', '60']);
});
