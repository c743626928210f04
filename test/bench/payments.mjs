import { Transaction, Wallet } from 'ethers';
import { connectTo } from './connection.mjs';
import { rateOf } from './load.mjs';
import { childrenOf, memoryOf, startSandbox } from './running.mjs';

const CLIENTS = 16;
/** Payments before those that are timed, so that the code is compiled. */
const WARM = 300;
const PAYMENTS = 2_000;

const ORDER = {
  executor_id: 'api_transaction',
  tenant_data: { public_client_id: `bench_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
  payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
  split_payment_config: [
    { receiver_wallet: `0x${'1'.repeat(40)}`, receiver_percent: 70 },
    { receiver_wallet: `0x${'2'.repeat(40)}`, receiver_percent: 30 },
  ],
  gateway_method: 'direct',
  from_currency_symbol: 'USDT',
  amount_from: '10',
  to_currency_symbol: 'USDT',
  to_chain: 'polygon',
  on_ramp: false,
};

const sign = ({ signingKey }, { transactionRequest }) => {
  const transaction = Transaction.from({ ...transactionRequest, from: null, type: 2 });
  transaction.signature = signingKey.sign(transaction.unsignedHash);
  return transaction.serialized;
};

/** A payer with money for all its payments. */
export const fundedPayer = async ({ ask }) => {
  const wallet = Wallet.createRandom();
  const polygon = { address: wallet.address, chain: 'polygon' };
  await ask('POST', '/_sandbox/fund', { ...polygon, token: 'USDT', amount: '1000000' });
  await ask('POST', '/_sandbox/fund', { ...polygon, amount: '1000' });
  return wallet;
};

/** A whole payment: register, create the transaction, sign, execute, read it back. */
export const pay = async ({ ask }, wallet) => {
  const { payment_id } = await ask('POST', '/payment/register/intents-create-order', ORDER);
  const { crypto_tx } = await ask('POST', '/payment/register/intents-create-transaction', {
    payment_id,
    transaction_type: 'crypto',
    payer_email: 'payer@example.com',
    payer_wallet: wallet.address,
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
  });
  const signed_transaction = sign(wallet, crypto_tx);
  await ask('POST', '/payment/execute/on-chain', {
    executor_id: 'api_transaction',
    payment_id,
    signed_transaction,
  });
  const { status } = await ask('GET', `/payment/${payment_id}/status`);
  if (status !== 'success') throw new Error(`payment ${payment_id} is ${status}`);
};

const openPayer = async (address) => {
  const connection = connectTo(address);
  const wallet = await fundedPayer(connection);
  return { work: () => pay(connection, wallet), close: connection.close };
};

/** Whole payments by many clients at once, and the memory that is left in use after them. */
export const benchPayments = async () => {
  const { pid, address, end } = await startSandbox();
  try {
    const payers = [];
    for (let count = 0; count < CLIENTS; count += 1) payers.push(await openPayer(address));
    const { rate, each } = await rateOf(
      pid,
      payers.map(({ work }) => work),
      { warm: WARM, times: PAYMENTS - WARM },
    );
    const nodes = childrenOf(pid).map((node) => Math.round(memoryOf(node)));
    for (const { close } of payers) close();
    return [
      { what: `whole crypto payments, ${CLIENTS} clients`, other: each, value: rate, unit: '/s', least: 100 },
      {
        what: `memory of the sandbox's process after ${PAYMENTS} payments`,
        other: `its anvil beside it: ${nodes.join(', ')} MB`,
        value: memoryOf(pid),
        unit: 'MB',
        budget: 150,
      },
    ];
  } finally {
    await end();
  }
};
