import { createClient } from 'bursar/client';
import { startSandbox } from 'bursar/sandbox';
import { Wallet } from 'ethers';
import { afterAll, beforeAll, expect, it } from 'vitest';

const RECEIVER = '0x1111111111111111111111111111111111111111';

let sandbox;
let client;

beforeAll(async () => {
  sandbox = await startSandbox({ chains: ['polygon'] });
  client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
});

afterAll(() => sandbox?.stop());

/** The data of a successful call. */
const dataOf = (result) => {
  if (result.ok) return result.data;
  throw new Error(`${result.error.code} ${result.error.status}: ${result.error.message}`);
};

/** Registers a payment of 10 USDT, signs its transaction and sends it. */
const pay = async (wallet) => {
  const { payment_id } = dataOf(
    await client.pay.register({
      executor_id: 'api_transaction',
      tenant_data: {
        public_client_id: `client_${'0'.repeat(32)}`,
        webhook_url: 'https://shop.example/webhook',
      },
      payment_method_allowed: { crypto: true },
      split_payment_config: [{ receiver_wallet: RECEIVER, receiver_percent: 100 }],
      gateway_method: 'direct',
      from_currency_symbol: 'USDT',
      amount_from: '10',
      to_currency_symbol: 'USDT',
      to_chain: 'polygon',
      on_ramp: false,
    }),
  );
  const { crypto_tx } = dataOf(
    await client.pay.transaction({
      payment_id,
      transaction_type: 'crypto',
      payer_email: 'payer@example.com',
      payer_wallet: wallet.address,
      chain_name: 'polygon',
      payer_token_symbol: 'USDT',
    }),
  );
  // `value` is a bigint, so no wei is lost.
  const { from: _, ...fields } = crypto_tx.transactionRequest;
  const signed_transaction = await wallet.signTransaction({ type: 2, ...fields });
  const { tid_hash } = dataOf(
    await client.pay.execute({ executor_id: 'api_transaction', payment_id, signed_transaction }),
  );
  return { payment_id, nonce: fields.nonce, tid_hash };
};

const usdtOf = async (address) => {
  const { balances } = await sandbox.balances({ address, chain: 'polygon' });
  return balances.find(({ symbol }) => symbol === 'USDT').amount;
};

it('pays 10 USDT, and pays the same again from a snapshot', async () => {
  const wallet = Wallet.createRandom();
  await sandbox.fund({ address: wallet.address, chain: 'polygon', token: 'USDT', amount: '25' });
  await sandbox.snapshot({ name: 'funded' });

  const first = await pay(wallet);
  expect([await usdtOf(wallet.address), await usdtOf(RECEIVER)]).toEqual(['15', '10']);

  await sandbox.restore({ name: 'funded' });
  expect([await usdtOf(wallet.address), await usdtOf(RECEIVER)]).toEqual(['25', '0']);
  expect(await pay(wallet)).toEqual(first);
});

it('gets a failure as a value, with the status of the service', async () => {
  await sandbox.fault({ endpoint: 'quote.market', kind: 'pair_not_found' });
  const quote = await client.quote.market({ from: 'ETH', to: 'USDT' });
  expect(quote).toMatchObject({ ok: false, error: { status: 'pair_not_found', http: 400 } });
});
