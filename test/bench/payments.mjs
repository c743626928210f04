import { Transaction, Wallet } from 'ethers';
import { openBareAnvil } from './anvil.mjs';
import { connectTo } from './connection.mjs';
import { compareRates, rateRow, share } from './load.mjs';
import { RUNS } from './measure.mjs';
import { childrenOf, memoryOf, startSandbox } from './running.mjs';

const CLIENTS = 16;
/** Payments before those that are timed, so that the code is compiled. */
const WARM = 300;
/** Payments of a round, on each side. */
const PAYMENTS = 120;

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

/** A new wallet with money for all its payments. */
export const fundedPayer = async ({ ask }) => {
  const wallet = Wallet.createRandom();
  const polygon = { address: wallet.address, chain: 'polygon' };
  await ask('POST', '/_sandbox/fund', { ...polygon, token: 'USDT', amount: '1000000' });
  await ask('POST', '/_sandbox/fund', { ...polygon, amount: '1000' });
  return wallet;
};

/** Makes a whole payment: registers, creates the transaction, signs, executes, and reads the status. */
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

/** Twice as many as a client sends on average, because faster clients take more of the work. */
const SIGNED_PER_CLIENT = Math.ceil((2 * (RUNS + 1) * PAYMENTS) / CLIENTS);

/**
 * Whole payments by many clients at once, against the same contract calls, signed before, on bare anvil. Both chains have the
 * same number of transactions, because anvil becomes slower with each block.
 */
export const benchPayments = async (home) => {
  const { pid, address, end } = await startSandbox();
  const openBare = (method) => openBareAnvil(home, { method, clients: CLIENTS, payments: SIGNED_PER_CLIENT });
  const bares = [await openBare('atOnce'), await openBare('mined')];
  const payers = [];
  for (let count = 0; count < CLIENTS; count += 1) payers.push(await openPayer(address));
  const works = payers.map(({ work }) => work);
  await share(works, WARM);
  const { rates, processor } = await compareRates(
    pid,
    PAYMENTS,
    () => share(works, PAYMENTS),
    ...bares.map(
      ({ send }) =>
        () =>
          send(PAYMENTS),
    ),
  );
  const memory = memoryOf(pid);
  const nodes = childrenOf(pid).map((node) => Math.round(memoryOf(node)));
  for (const { close } of payers) close();
  for (const bare of bares) await bare.end();
  await end();
  const [own, atOnce, mined] = rates;
  const total = WARM + (RUNS + 1) * PAYMENTS;
  return [
    rateRow(`whole payments, ${CLIENTS} clients`, 'raw transactions to bare anvil', [own, atOnce], 0.15),
    rateRow('– the same', 'bare anvil, each client waits for its receipt', [own, mined]),
    { label: '– processor of a payment', other: processor },
    {
      label: `memory of the sandbox after ${total} payments`,
      other: `its anvil: ${nodes.join(', ')} MB`,
      value: memory,
      unit: 'MB',
      budget: 150,
    },
  ];
};
