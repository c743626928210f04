import { expect, test } from 'vitest';
import { status as statusEndpoint } from '../../src/contract/pay/status.ts';
import { transaction as transactionEndpoint } from '../../src/contract/pay/transaction.ts';
import { digitsOf } from '../../src/core/json.ts';
import { whenStatus } from './money.ts';
import {
  balancesOf,
  createTransaction,
  execute,
  type Fields,
  fund,
  newPayer,
  ON_SOLANA,
  prepare,
  RECEIVERS,
  register,
  SOLANA_WALLET,
  statusOf,
} from './payer.ts';
import { startEphemeral } from './sandbox.ts';

test('moves exactly the amount of a payment, by its split, from registration to success', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer);
  const { id, raw, crypto_tx } = await prepare(sandbox, { payer });
  expect(crypto_tx).toMatchObject({ schema_version: 1, family: 'evm', chain_name: 'polygon' });
  expect(crypto_tx.transactionRequest).toMatchObject({
    chainId: 1_000_137,
    nonce: 0,
    gasLimit: expect.stringMatching(/^\d+$/),
  });
  expect((await statusOf(sandbox, id)).status).toBe('registered');

  const { http, body } = await execute(sandbox, id, raw);
  expect([http, body.status, body.data.id]).toEqual([200, 'payment_confirmed', id]);
  const payment = statusEndpoint.success.payment_found.data.parse(await statusOf(sandbox, id));
  expect(payment).toMatchObject({
    status: 'success',
    tid_hash: body.data.tid_hash,
    signed_tx: raw,
    data_error: null,
    amount_from: '10',
    amount_to: '10',
    payer_wallet: payer.address,
    from_chain: 'polygon',
    global_payment_data: { message: expect.any(String) },
  });
  const { meta: _, ...unsigned } = crypto_tx;
  expect(payment.unsigned_tx).toEqual(unsigned);
  expect(await balancesOf(sandbox, payer.address)).toMatchObject({ USDT: '9990' });
  expect(await balancesOf(sandbox, RECEIVERS[0])).toMatchObject({ USDT: '7' });
  expect(await balancesOf(sandbox, RECEIVERS[1])).toMatchObject({ USDT: '3' });
});

test('shows payer fields of a registered payment as empty text, and null only in fields that allow it', async () => {
  const sandbox = await startEphemeral();
  const { body } = await register(sandbox);
  const payment = statusEndpoint.success.payment_found.data.parse(await statusOf(sandbox, body.data.payment_id));
  const empty = ['payer_email', 'payer_wallet', 'chain_name', 'from_chain'] as const;
  expect(empty.map((name) => payment[name])).toEqual(['', '', '', '']);
  const nullFields = Object.entries(payment).flatMap(([name, value]) => (value === null ? [name] : []));
  expect(nullFields.toSorted()).toEqual([
    ...['data_error', 'metadata', 'order_code', 'payer_cpf', 'payer_token_symbol', 'signed_tx', 'tid_hash'],
    ...['transaction_type', 'unsigned_tx'],
  ]);
});

test('shows "only for fiat payments" in the details only when crypto is the only allowed method', async () => {
  const sandbox = await startEphemeral();
  const methods = { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true };
  const messageWith = async (more: Fields) => {
    const { body } = await register(sandbox, { payment_method_allowed: { ...methods, ...more } });
    return (await statusOf(sandbox, body.data.payment_id)).global_payment_data.message;
  };
  expect(await messageWith({})).toContain('only for fiat payments');
  expect(await messageWith({ pixcrypto: true })).toBe('There are no payment details before the payer transaction.');
});

test.each([
  ['ethereum', 'ETH', 'ETH', '1.000000000000000001', '1000000000000000001'],
  ['bsc', 'USDT', 'USDT', '0.123456789012345678', '0'],
  ['base', 'USDC', 'USDC', '1.5', '0'],
])('pays on %s in %s the exact amount to the last unit', async (chain, token, currency, amount, value) => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer, chain, token);
  const one = [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100 }];
  const order = { to_chain: chain, from_currency_symbol: currency, amount_from: amount, split_payment_config: one };
  const transaction = { chain_name: chain, payer_token_symbol: token };
  const { id, raw, crypto_tx } = await prepare(sandbox, { payer, order, transaction });
  expect(digitsOf(crypto_tx.transactionRequest.value)).toBe(value);
  expect((await execute(sandbox, id, raw)).body.status).toBe('payment_confirmed');
  expect((await balancesOf(sandbox, RECEIVERS[0], chain))[token]).toBe(amount);
});

test('writes every digit of an amount in wei to the JSON of the answer', async () => {
  const sandbox = await startEphemeral();
  const order = { to_chain: 'ethereum', from_currency_symbol: 'ETH', amount_from: '1.000000000000000001' };
  const { id } = await prepare(sandbox, { order, transaction: { chain_name: 'ethereum', payer_token_symbol: 'ETH' } });
  const answer = await fetch(`${sandbox.address.url}/payment/${id}/status`, {
    headers: { 'x-api-key': sandbox.address.api_key },
  });
  expect(await answer.text()).toContain('"value":1000000000000000001,');
});

const ONE_RECEIVER = [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100 }];

test.each(['polygon', 'bsc'])(
  'pays exactly amount_to when the payer pays in the target currency on %s',
  async (chain) => {
    const sandbox = await startEphemeral();
    const payer = newPayer();
    await fund(sandbox, payer, chain);
    const order = {
      from_currency_symbol: 'BRL',
      amount_from: '100',
      to_chain: chain,
      split_payment_config: ONE_RECEIVER,
    };
    const { id, raw } = await prepare(sandbox, { payer, order, transaction: { chain_name: chain } });
    expect((await statusOf(sandbox, id)).amount_to).toBe('19.047619');
    await execute(sandbox, id, raw);
    expect((await balancesOf(sandbox, RECEIVERS[0], chain)).USDT).toBe('19.047619');
  },
);

test('converts an amount in a third currency by the quote, rounded up to a unit of the token', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer);
  const order = { from_currency_symbol: 'BRL', amount_from: '100', to_currency_symbol: 'USDC' };
  const { id, raw } = await prepare(sandbox, { payer, order: { ...order, split_payment_config: ONE_RECEIVER } });
  await execute(sandbox, id, raw);
  expect((await balancesOf(sandbox, RECEIVERS[0])).USDT).toBe('19.04762');
});

test('cuts amount_to to the decimals of the token on its chain, and the bridge pays out exactly amount_to', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer, 'bsc');
  const order = { amount_from: '1.1234567', split_payment_config: ONE_RECEIVER };
  const { id, raw } = await prepare(sandbox, { payer, order, transaction: { chain_name: 'bsc' } });
  expect((await statusOf(sandbox, id)).amount_to).toBe('1.123456');
  expect((await execute(sandbox, id, raw)).body.status).toBe('payment_received');
  await whenStatus(sandbox, id, 'success');
  expect((await balancesOf(sandbox, RECEIVERS[0])).USDT).toBe('1.123456');
});

test('rejects an amount below the smallest unit of the target currency', async () => {
  const sandbox = await startEphemeral();
  const order = { from_currency_symbol: 'BRL', amount_from: '0.000001' };
  const { payment_id } = (await register(sandbox, order)).body.data;
  const { http, body } = await createTransaction(sandbox, { payment_id, payer_wallet: newPayer().address });
  expect([http, body.errors?.map(({ field }) => field)]).toEqual([400, ['amount_from']]);
});

test('splits an amount that does not divide evenly into shares that sum to the amount', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer);
  const split = [33.34, 33.33, 33.33].map((receiver_percent, index) => ({
    receiver_wallet: `0x${String(index + 5).repeat(40)}`,
    receiver_percent,
  }));
  const { id, raw } = await prepare(sandbox, {
    payer,
    order: { split_payment_config: split, amount_from: '0.000101' },
  });
  await execute(sandbox, id, raw);
  const balances = await Promise.all(split.map(({ receiver_wallet }) => balancesOf(sandbox, receiver_wallet)));
  expect(balances.map(({ USDT }) => USDT)).toEqual(['0.000035', '0.000033', '0.000033']);
});

test('names every wrong field of create-transaction in errors[], and stores nothing', async () => {
  const sandbox = await startEphemeral();
  const { payment_id } = (await register(sandbox)).body.data;
  const right = { payment_id, payer_wallet: newPayer().address };
  const cases: readonly (readonly [Fields, readonly string[]])[] = [
    [{ payment_id: 'pay_unknown' }, ['payment_id']],
    [{ transaction_type: 'nope' }, ['transaction_type']],
    [{ transaction_type: 'pixcrypto', payer_cpf: '1' }, ['transaction_type']],
    [{ payer_wallet: '0x12' }, ['payer_wallet']],
    [{ payer_wallet: '0x52908400098527886E0F7030069857D2E4169Ee7' }, ['payer_wallet']],
    [{ payer_wallet: `0x${'0'.repeat(40)}` }, ['payer_wallet']],
    [{ chain_name: 'solana' }, ['chain_name']],
    [{ chain_name: 'mars' }, ['chain_name']],
    [{ payer_token_symbol: 'DOGE' }, ['payer_token_symbol']],
    [{ payer_token_symbol: 'ETH', payer_wallet: 'me' }, ['payer_wallet', 'payer_token_symbol']],
    [{ payer_email: 'nobody' }, ['payer_email']],
    [{ payer_wallet: undefined, chain_name: undefined }, ['payer_wallet', 'chain_name']],
  ];
  for (const [more, fields] of cases) {
    const { http, body } = await createTransaction(sandbox, { ...right, ...more });
    expect([http, body.status, body.errors?.map(({ field }) => field)]).toEqual([400, 'validation_error', fields]);
  }
  expect(await statusOf(sandbox, payment_id)).toMatchObject({ unsigned_tx: null, transaction_type: null });
});

test('rejects a disabled method, an amount with more decimals than the token, and a chain that is switched off', async () => {
  const sandbox = await startEphemeral();
  const refused = async (order: Fields, more: Fields = {}) => {
    const { payment_id } = (await register(sandbox, order)).body.data;
    const { body } = await createTransaction(sandbox, { payment_id, payer_wallet: newPayer().address, ...more });
    return [body.status, body.errors?.map(({ field }) => field)];
  };
  expect(await refused({ payment_method_allowed: { pixcrypto: true } })).toEqual([
    'validation_error',
    ['transaction_type'],
  ]);
  expect(await refused({ amount_from: '0.0000001' })).toEqual(['validation_error', ['payer_token_symbol']]);
  await sandbox.control('POST', 'chain', { name: 'polygon', enabled: false });
  expect(await refused({})).toEqual(['validation_error', ['chain_name']]);
});

test('rejects a registration with an unknown currency, chain or order, a wrong amount or a wrong split', async () => {
  const sandbox = await startEphemeral();
  for (const [field, value] of [
    ['from_currency_symbol', 'NOPE'],
    ['to_currency_symbol', 'usdt'],
    ['to_chain', 'mars'],
    ['order_code', 'cmb1x2y3z0000abcd1234efgh'],
    ['amount_from', '0.00'],
    ['amount_from', '-1'],
    ['split_payment_config', [{ receiver_wallet: 'a', receiver_percent: 99.99 }]],
  ] as const) {
    const { http, body } = await register(sandbox, { [field]: value });
    expect([http, body.status, body.errors?.[0]?.field]).toEqual([400, 'validation_error', field]);
  }
});

test.each([
  ['polygon', 'someone'],
  ['polygon', SOLANA_WALLET],
  ['base', `0x${'0'.repeat(40)}`],
  ['bsc', '0x52908400098527886E0F7030069857D2E4169Ee7'],
  ['ethereum', ` ${RECEIVERS[0]}`],
  ['solana', RECEIVERS[0]],
  ['solana', 'someone'],
])(
  'rejects a registration for %s with the receiver %j, which is no address of that chain',
  async (to_chain, wallet) => {
    const sandbox = await startEphemeral();
    const split_payment_config = [
      { receiver_wallet: to_chain === 'solana' ? SOLANA_WALLET : RECEIVERS[1], receiver_percent: 50 },
      { receiver_wallet: wallet, receiver_percent: 50 },
    ];
    const { http, body } = await register(sandbox, { to_chain, split_payment_config });
    expect([http, body.status, body.errors?.map(({ field }) => field)]).toEqual([
      400,
      'validation_error',
      ['split_payment_config.1.receiver_wallet'],
    ]);
  },
);

test('accepts a registration for solana with Solana receivers', async () => {
  const sandbox = await startEphemeral();
  expect((await register(sandbox, ON_SOLANA)).http).toBe(201);
});

test('replaces the transaction of a payment when create-transaction is repeated', async () => {
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer);
  const { id, raw } = await prepare(sandbox, { payer });
  const other = newPayer();
  await fund(sandbox, other);
  const again = await createTransaction(sandbox, { payment_id: id, payer_wallet: other.address });
  expect(transactionEndpoint.success.payment_registered.data.safeParse(again.body.data).success).toBe(true);
  expect(again.body.data.session_payment).toMatch(new RegExp(`^${sandbox.address.url}/pay/${id}\\?token=[\\w-]{32}$`));
  expect((await statusOf(sandbox, id)).payer_wallet).toBe(other.address);
  expect((await execute(sandbox, id, raw)).body.status).toBe('invalid_signed_transaction');
});
