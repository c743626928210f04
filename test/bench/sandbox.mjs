import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Transaction, Wallet } from 'ethers';
import { cleanEnv, median } from './measure.mjs';

const PROGRAM = fileURLToPath(new URL('../../bin/bursar.js', import.meta.url));
const RUNS = 5;

const start = async (home) => {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'sandbox', 'start', '--foreground', '--ephemeral', '--json'], {
    env: cleanEnv({ BURSAR_HOME: home }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: line } = await lines.next();
  return { child, address: JSON.parse(line), ready: performance.now() - began, began };
};

const post = async (url, headers, body) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const envelope = await answer.json();
  if (!envelope.success) throw new Error(`${url}: ${envelope.status}: ${envelope.message}`);
  return envelope.data;
};

const signed = async (wallet, { transactionRequest }) => {
  const fields = { ...transactionRequest, type: 2, from: null, value: BigInt(transactionRequest.value) };
  return wallet.signTransaction(Transaction.from(fields));
};

/** One payment over HTTP, from funding its payer to its confirmation. */
const pay = async ({ url, api_key, control_key }, wallet) => {
  const key = { 'x-api-key': api_key };
  const control = { 'x-control-key': control_key };
  const polygon = { address: wallet.address, chain: 'polygon', token: 'USDT', amount: '25' };
  await post(`${url}/_sandbox/fund`, control, polygon);
  const { payment_id } = await post(`${url}/payment/register/intents-create-order`, key, {
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
  });
  const { crypto_tx } = await post(`${url}/payment/register/intents-create-transaction`, key, {
    payment_id,
    transaction_type: 'crypto',
    payer_email: 'payer@example.com',
    payer_wallet: wallet.address,
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
  });
  const signed_transaction = await signed(wallet, crypto_tx);
  await post(`${url}/payment/execute/on-chain`, key, {
    executor_id: 'api_transaction',
    payment_id,
    signed_transaction,
  });
};

/** From the start of the process: until it answers, and until the first payment is confirmed on its chain. */
export const benchSandbox = async () => {
  const wallet = Wallet.createRandom();
  const [readies, firsts] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    const home = await mkdtemp(join(tmpdir(), 'bursar-bench-sandbox-'));
    const { child, address, ready, began } = await start(home);
    try {
      readies.push(ready);
      await pay(address, wallet);
      firsts.push(performance.now() - began);
    } finally {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
      await rm(home, { recursive: true, force: true });
    }
  }
  const row = (what, values, budget) => ({
    what,
    own: `${Math.round(median(values))} ms`,
    other: `median of ${RUNS}`,
    value: median(values),
    budget,
    unit: 'ms',
  });
  return [
    row('sandbox: HTTP ready, from its start', readies, 400),
    row('sandbox: first payment confirmed, from its start', firsts, 1000),
  ];
};
