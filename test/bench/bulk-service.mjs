import { createServer } from 'node:http';
import process from 'node:process';
import { keccak256 } from 'ethers';

// A live payment service without a chain, run by a process of its own: `node bulk-service.mjs LIMIT LATENCY LOSES`. It prints its
// address. `GET /_counts` has what it counted.
// - It allows `LIMIT` calls a second, and answers others with 429 and Retry-After. Each answer takes `LATENCY` milliseconds.
// - It executes every `LOSES`th payment without an answer. For some seconds no call about that payment gets one.

const SECOND_MS = 1000;
/** For how long there is no answer about a payment. */
const SILENT_MS = 5_000;
const USDT = '0xc2132D05D31c914a87C6611C10748AEb04B58e8F';
const DECIMALS = 6n;

const word = (hex) => hex.padStart(64, '0');
const unitsOf = (amount) => {
  const [whole, part = ''] = String(amount).split('.');
  return BigInt(whole) * 10n ** DECIMALS + BigInt(part.padEnd(Number(DECIMALS), '0'));
};

const transferOf = (payment, payer, nonce) => {
  const { receiver_wallet: to } = payment.split_payment_config[0];
  return {
    schema_version: 1,
    family: 'evm',
    chain_name: payment.to_chain,
    transactionRequest: {
      from: payer,
      to: USDT,
      data: `0xa9059cbb${word(to.slice(2).toLowerCase())}${word(unitsOf(payment.amount_from).toString(16))}`,
      value: 0,
      chainId: 137,
      gasLimit: '65000',
      maxPriorityFeePerGas: '1000000000',
      maxFeePerGas: '30000000000',
      nonce,
    },
    meta: {},
  };
};

const payments = new Map();
const nonces = new Map();
/** The receiver of each executed payment, with the times that it was executed: each row has a receiver of its own. */
const executed = new Map();
/** The receivers of payments that were executed without an answer, and the time at which each payment is answered again. */
const lost = [];
const silentUntil = new Map();
const counts = { calls: 0, refused: 0, firstAt: 0, lastAt: 0 };

const register = (body) => {
  const payment_id = `pay_${String(payments.size + 1).padStart(32, '0')}`;
  payments.set(payment_id, { ...body, status: 'registered', tid_hash: null });
  return [201, 'payment_registered', { payment_id }];
};

const create = ({ payment_id, payer_wallet, chain_name, payer_token_symbol }) => {
  const payment = payments.get(payment_id);
  const unsigned_tx = transferOf(payment, payer_wallet, nonces.get(payer_wallet) ?? 0);
  Object.assign(payment, { payer_wallet, chain_name, payer_token_symbol, transaction_type: 'crypto', unsigned_tx });
  return [201, 'payment_registered', { payment_id, session_payment: '', crypto_tx: unsigned_tx, fiat_tx: {} }];
};

const execute = ({ payment_id, signed_transaction }) => {
  const payment = payments.get(payment_id);
  const tid_hash = keccak256(signed_transaction);
  // The same bytes again take no second nonce.
  if (payment.tid_hash !== tid_hash) {
    const { payer_wallet } = payment;
    nonces.set(payer_wallet, (nonces.get(payer_wallet) ?? 0) + 1);
    const to = payment.split_payment_config[0].receiver_wallet;
    executed.set(to, (executed.get(to) ?? 0) + 1);
    if (executed.size % losesEvery === 0) {
      lost.push(to);
      silentUntil.set(payment_id, performance.now() + SILENT_MS);
    }
  }
  Object.assign(payment, { status: 'success', tid_hash });
  return [200, 'payment_confirmed', { id: payment_id, tid_hash }];
};

const isSilent = (path, { payment_id = path.split('/')[2] }) => performance.now() < (silentUntil.get(payment_id) ?? 0);

const read = (path) => {
  const id = path.split('/')[2];
  const { tenant_data: _tenant, ...payment } = payments.get(id);
  return [200, 'payment_found', { id, ...payment, data_error: null }];
};

const answerTo = (path, body) => {
  if (path.endsWith('intents-create-order')) return register(body);
  if (path.endsWith('intents-create-transaction')) return create(body);
  if (path.endsWith('on-chain')) return execute(body);
  return read(path);
};

/** A sliding second: the times of the last calls that were allowed. */
const newLimit = (limit) => {
  const starts = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  let count = 0;
  return (now) => {
    if (starts[count % limit] + SECOND_MS > now) return false;
    starts[count % limit] = now;
    count += 1;
    return true;
  };
};

const countsNow = () => ({
  ...counts,
  now: performance.now(),
  lost,
  paid: executed.size,
  twice: [...executed.values()].filter((times) => times > 1).length,
});

const mayStart = newLimit(Number(process.argv[2] ?? 1_000_000));
const latencyMs = Number(process.argv[3] ?? 0);
const losesEvery = Number(process.argv[4] ?? Number.POSITIVE_INFINITY);
const reply = (response, http, status, data, headers = {}) =>
  response
    .writeHead(http, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ statusCode: http, success: http < 300, status, message: status, data }));

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    const { url: path } = request;
    if (path === '/_counts') return reply(response, 200, 'counts', countsNow());
    const now = performance.now();
    if (!mayStart(now)) {
      counts.refused += 1;
      return reply(response, 429, 'too_many_requests', null, { 'retry-after': '1' });
    }
    counts.calls += 1;
    counts.firstAt ||= now;
    counts.lastAt = now;
    const body = text === '' ? {} : JSON.parse(text);
    const answer = answerTo(path, body);
    if (isSilent(path, body)) return request.destroy();
    if (latencyMs === 0) return reply(response, ...answer);
    return setTimeout(() => reply(response, ...answer), latencyMs);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
