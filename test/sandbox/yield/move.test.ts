import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { SANDBOX_SOLANA } from '../../../src/contract/chains.ts';
import { digitsOf } from '../../../src/core/json.ts';
import { wrongFields } from '../sandbox.ts';
import {
  balancesOf,
  broadcast,
  deposit,
  newWallet,
  positionOf,
  rebalance,
  refusal,
  sendOff,
  sign,
  startYield,
  withdraw,
} from './wallet.ts';

const HOUR = 3_600_000;
const sizeOf = (transaction: string) => Buffer.from(transaction, 'base64').length;

test('deposits with the documented fee, shows the position, and withdraws all of it', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const { data } = (await deposit(sandbox, key)).body;
  expect([
    digitsOf(data.charged_platform_fee_amount),
    digitsOf(data.charged_whitelabel_fee_amount),
    digitsOf(data.platform_fee_percentage_applied),
    data.used_yield_platform_custom_fee,
  ]).toEqual(['0.1', '0', '0.1', false]);
  expect(sizeOf(data.transaction)).toBeLessThan(700);
  const sent = await broadcast(sandbox, sign(key, data.transaction));
  expect([sent.http, sent.body.status, sent.body.data.status]).toEqual([
    200,
    'broadcast_operation_yield_strategy_ok',
    1,
  ]);
  expect([await positionOf(sandbox, key), (await balancesOf(sandbox, key))['USDC']]).toEqual(['99.9', '9900']);
  expect(await sendOff(sandbox, key, await withdraw(sandbox, key, { amount: '99.9' }))).toMatchObject({ status: 1 });
  expect((await balancesOf(sandbox, key))['USDC']).toBe('9999.9');
  expect(Number(await positionOf(sandbox, key))).toBeLessThan(0.001);
});

test('builds a v0 transaction with the wallet as fee payer, signed by the vault only', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const { transaction } = (await deposit(sandbox, key)).body.data;
  const read = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  expect([read.version, read.message.staticAccountKeys[0]?.toBase58()]).toEqual([0, key.publicKey.toBase58()]);
  const isZero = read.signatures.map((signature) => signature.every((byte) => byte === 0));
  expect(isZero).toEqual([true, false]);
});

test.each([
  ['provider', { provider: 'provider_c' }],
  ['chain_name', { chain_name: 'polygon' }],
  ['chain_name', { chain_name: 'Solana' }],
  ['asset', { asset: 'DOGE' }],
  ['wallet', { wallet: 'not a key' }],
  ['wallet', { wallet: '0x1111111111111111111111111111111111111111' }],
  ['amount', { amount: '0' }],
  ['amount', { amount: '0.0000001' }],
  ['amount', { amount: '99999999999999999999' }],
  ['amount', { amount: '-1' }],
])('invalid_parameters: names a wrong %s in deposit and in withdraw (%j)', async (field, more) => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox, null);
  expect(refusal(await deposit(sandbox, key, more))).toEqual([400, 'invalid_parameters', field]);
  expect(refusal(await withdraw(sandbox, key, more))).toEqual([400, 'invalid_parameters', field]);
});

test('invalid_parameters: names all wrong fields, a switched-off chain, and an amount above the position', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const several = await deposit(sandbox, key, { provider: 'x', chain_name: 'x', asset: 'x' });
  expect(wrongFields(several)).toEqual(['chain_name', 'provider', 'asset']);
  expect(refusal(await withdraw(sandbox, key))).toEqual([400, 'invalid_parameters', 'amount']);
  await sandbox.control('POST', 'chain', { name: 'solana', enabled: false });
  expect(refusal(await deposit(sandbox, key))).toEqual([400, 'invalid_parameters', 'chain_name']);
  expect(refusal(await broadcast(sandbox, 'AAAA'))).toEqual([400, 'invalid_parameters', 'chain_name']);
});

test('returns status 0 for a deposit that the wallet cannot pay, and takes the fee', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox, { token: 'USDC', amount: '99' });
  const sent = await sendOff(sandbox, key, await deposit(sandbox, key));
  expect([sent.status, typeof sent.transactionHash]).toEqual([0, 'string']);
  const { USDC, SOL } = await balancesOf(sandbox, key);
  expect([USDC, Number(SOL) < 10, Number(SOL) > 9.99]).toEqual(['99', true, true]);
});

test('rejects a broadcast of a wallet that cannot pay the fee', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox, null);
  const built = await deposit(sandbox, key);
  const sent = await broadcast(sandbox, sign(key, built.body.data.transaction));
  expect(refusal(sent)).toEqual([400, 'invalid_parameters', 'op_signed']);
});

test('grows a position with the clock by the listed rates', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  await sendOff(sandbox, key, await deposit(sandbox, key, { amount: '1000' }));
  const before = Number(await positionOf(sandbox, key));
  sandbox.advance(24 * HOUR);
  const after = Number(await positionOf(sandbox, key));
  expect([before, after > before]).toEqual([999, true]);
  sandbox.advance(364 * 24 * HOUR);
  const year = Number(await positionOf(sandbox, key));
  expect(year / before).toBeGreaterThan(1.0549);
  expect(year / before).toBeLessThan(1.0551);
  expect(await sendOff(sandbox, key, await withdraw(sandbox, key, { amount: String(year) }))).toMatchObject({
    status: 1,
  });
});

/** The required signers of a transaction, and those that have signed. */
const signersOf = (transaction: string) => {
  const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
  const required = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures).map(String);
  return { required, signed: required.filter((_, at) => signatures[at]?.some((byte) => byte !== 0)) };
};

test('builds transactions with the signatures of all required vaults, and no other', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  const [owner, { vaults }] = [key.publicKey.toBase58(), SANDBOX_SOLANA];
  const builtAnswers = [await deposit(sandbox, key)];
  for (const built of builtAnswers) await sendOff(sandbox, key, built);
  await sendOff(sandbox, key, await deposit(sandbox, key, { asset: 'EURC' }));
  builtAnswers.push(await withdraw(sandbox, key, { amount: '5' }), await rebalance(sandbox, key, { amount: '5' }));
  const dual = (await rebalance(sandbox, key, { asset: 'EURC', amount: '5' })).body.data.transactions;
  const all = [...builtAnswers.map(({ body }) => body.data.transaction), ...dual].map(signersOf);
  for (const { required, signed } of all) {
    expect(required[0]).toBe(owner);
    expect(signed).toEqual(required.slice(1));
    for (const signer of signed) expect(Object.values(vaults)).toContain(signer);
  }
  expect(all.map(({ signed }) => signed.length)).toEqual([1, 1, 2, 1, 1]);
});

test.each([
  ['1e1', '10'],
  [' 5 ', '5'],
  ['.5', '0.5'],
  ['25e-1', '2.5'],
])('reads the rebalance amount %j as exactly %s', async (amount, units) => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  await sendOff(sandbox, key, await deposit(sandbox, key));
  await sendOff(sandbox, key, await rebalance(sandbox, key, { amount }));
  expect(await positionOf(sandbox, key, 'provider_b')).toBe(units);
});

test('rebalances in one transaction, with every alias of the fields', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  await sendOff(sandbox, key, await deposit(sandbox, key));
  const built = await rebalance(sandbox, key, { amount: '40' });
  expect([built.http, built.body.status, built.body.data.mode]).toEqual([
    200,
    'rebalance_yield_strategy_ok',
    'single_transaction',
  ]);
  expect(sizeOf(built.body.data.transaction)).toBeLessThan(1000);
  await sendOff(sandbox, key, built);
  expect([await positionOf(sandbox, key), await positionOf(sandbox, key, 'provider_b')]).toEqual(['59.9', '40']);
  const mint = SANDBOX_SOLANA.mints.USDC;
  const signer = key.publicKey.toBase58();
  for (const names of [{ symbol: 'usdc' }, { token_mint: mint }, { mint }]) {
    const body = { chain_name: 'solana', amount: '1', signer, provider: 'provider_b', ...names };
    const { http } = await sandbox.call('PATCH', '/yield/rebalance', { body });
    expect([names, http]).toEqual([names, 200]);
  }
});

test.each([
  ['provider', { provider_out: undefined, provider_in: undefined }],
  ['provider_in', { provider_in: undefined }],
  ['provider_in', { provider: 'provider_a' }],
  ['provider_out', { provider_out: 'provider_c' }],
  ['asset', { asset: 'DOGE' }],
  ['asset', { symbol: 'USDT' }],
  ['wallet', { signer: Keypair.generate().publicKey.toBase58() }],
  ['amount', { amount: '0' }],
  ['amount', { amount: 'Infinity' }],
  ['amount', { amount: '100000' }],
  ['chain_name', { chain_name: 'base' }],
])('invalid_parameters: names a wrong %s of a rebalance (%j)', async (field, more) => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox, null);
  expect(refusal(await rebalance(sandbox, key, more))).toEqual([400, 'invalid_parameters', field]);
});

test('rebalances EURC in two transactions that are broadcast together', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  await sendOff(sandbox, key, await deposit(sandbox, key, { asset: 'EURC' }));
  const { data } = (await rebalance(sandbox, key, { asset: 'EURC', amount: '50' })).body;
  expect([data.mode, data.transactions.length, data.transaction]).toEqual(['dual_transaction', 2, undefined]);
  for (const one of data.transactions) expect(sizeOf(one)).toBeLessThanOrEqual(1232);
  const signed = data.transactions.map((one: string) => sign(key, one));
  const sent = await broadcast(sandbox, signed);
  expect([sent.http, sent.body.data.status]).toEqual([200, 1]);
  expect([
    await positionOf(sandbox, key, 'provider_a', 'EURC'),
    await positionOf(sandbox, key, 'provider_b', 'EURC'),
  ]).toEqual(['49.9', '50']);
  expect(refusal(await broadcast(sandbox, signed))).toEqual([400, 'invalid_parameters', 'op_signed.0']);
});

test('rebalance_transaction_too_large: rejects a rebalance whose price reports do not fit into two transactions', async () => {
  const sandbox = await startYield();
  const key = await newWallet(sandbox);
  await sendOff(sandbox, key, await deposit(sandbox, key, { asset: 'XAUT', amount: '1' }));
  expect(refusal(await rebalance(sandbox, key, { asset: 'XAUT', amount: '0.5' }))).toEqual([
    413,
    'rebalance_transaction_too_large',
    undefined,
  ]);
});
