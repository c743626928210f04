import { Transaction } from 'ethers/transaction';
import { expect, test } from 'vitest';
import { SANDBOX_SOLANA } from '../../src/contract/chains.ts';
import { addFault, listFaults } from '../../src/contract/control/faults.ts';
import { reset } from '../../src/contract/control/process.ts';
import type { Endpoint } from '../../src/contract/define.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { control as controlClient } from '../../src/sandbox/control-client.ts';
import { balancesOf, execute, payable, register, statusOf } from './payer.ts';
import { type Client, sandboxIo, startEphemeral, startTestSandbox } from './sandbox.ts';

const QUOTE = '/quote/market?from=ETH&to=USDT';

const fault = (client: Client, kind: string | number, more: object = {}) =>
  client.control('POST', 'fault', { endpoint: 'quote.market', kind, ...more });

/** Calls an endpoint without valid input: an injected fault comes before all checks. */
const callOf = (client: Client, { method, path }: Endpoint) =>
  client.call(method, path.replaceAll(/\{\w+\}/g, 'one'), method === 'GET' ? {} : { body: {} });

test('injects every error of every endpoint once, with its documented HTTP status', async () => {
  const sandbox = await startEphemeral();
  for (const endpoint of ENDPOINTS) {
    for (const [status, http] of Object.entries(endpoint.errors)) {
      const added = await sandbox.control('POST', 'fault', { endpoint: endpoint.id, kind: status });
      expect([endpoint.id, status, added.http]).toEqual([endpoint.id, status, 200]);
      const answer = await callOf(sandbox, endpoint);
      expect([endpoint.id, answer.body.status, answer.http]).toEqual([endpoint.id, status, http ?? 403]);
      expect([answer.body.success, answer.body.statusCode]).toEqual([false, answer.http]);
      if (status === 'validation_error') expect(answer.body.errors?.length).toBe(1);
      if (status === 'get_rebalance_opportunities_failed') {
        expect(answer.body.data).toEqual({ opportunities: [], sources: null });
      }
    }
  }
  expect((await sandbox.control('GET', 'fault')).body.data).toEqual({ faults: [] });
  expect((await sandbox.get(QUOTE)).http).toBe(200);
});

test('injects an HTTP status with Retry-After for the next calls of one endpoint', async () => {
  const sandbox = await startEphemeral();
  await fault(sandbox, 429, { count: 2, retry_after: 7 });
  expect((await sandbox.get('/config/products')).http).toBe(200);
  for (const left of [1, undefined]) {
    const { http, headers } = await sandbox.get(QUOTE);
    expect([http, headers.get('retry-after')]).toEqual([429, '7']);
    expect((await sandbox.control('GET', 'fault')).body.data.faults[0]?.count).toBe(left);
  }
  const { http, headers } = await sandbox.get(QUOTE);
  expect([http, headers.get('retry-after')]).toEqual([200, null]);
});

test.each([200, 204, 205, 301, 304, 400, 418, 500, 503, 599])(
  'injects HTTP %i, with a body where HTTP allows one',
  async (kind) => {
    const sandbox = await startEphemeral();
    await fault(sandbox, kind);
    const headers = { 'x-api-key': sandbox.address.api_key };
    const answer = await fetch(sandbox.address.url + QUOTE, { headers, redirect: 'manual' });
    expect(answer.status).toBe(kind);
    const text = await answer.text();
    expect([204, 205, 304].includes(kind) ? text : JSON.parse(text).status).toBe(
      [204, 205, 304].includes(kind) ? '' : 'injected_fault',
    );
    expect((await sandbox.get(QUOTE)).http).toBe(200);
  },
);

test('injects several faults of an endpoint in the order of the requests, and none after a clear', async () => {
  const sandbox = await startEphemeral();
  for (const kind of [500, 'pair_not_found', 503]) await fault(sandbox, kind);
  expect((await sandbox.get(QUOTE)).http).toBe(500);
  expect((await sandbox.get(QUOTE)).body.status).toBe('pair_not_found');
  const { http } = await sandbox.call('DELETE', '/_sandbox/fault', {
    headers: { 'x-control-key': sandbox.address.control_key },
  });
  expect(http).toBe(200);
  expect((await sandbox.get(QUOTE)).http).toBe(200);
});

/** Prepares a payment; `after` returns its status and the payer's USDT balance. */
const preparePayment = async (client: Client) => {
  const { id, raw, payer } = await payable(client);
  const after = async () => [(await statusOf(client, id)).status, (await balancesOf(client, payer.address)).USDT];
  return { id, raw, after };
};

test.each([
  ['drop_before', ['registered', '10000']],
  ['drop_after', ['success', '9990']],
])(
  '%s: cuts the connection without an answer; payment status and payer balance are then %s',
  async (kind, expected) => {
    const sandbox = await startEphemeral();
    const { id, raw, after } = await preparePayment(sandbox);
    await sandbox.control('POST', 'fault', { endpoint: 'pay.execute', kind });
    await expect(execute(sandbox, id, raw)).rejects.toThrow('fetch failed');
    expect(await after()).toEqual(expected);
  },
);

const injectAtExecute = (client: Client, kind: string) =>
  client.control('POST', 'fault', { endpoint: 'pay.execute', kind });

/** The payment statuses in the webhook events of a payment, oldest first. */
const webhookStatuses = async ({ control }: Client, id: string): Promise<readonly string[]> =>
  (await control('GET', `events?payment_id=${id}`)).body.data.events
    .map(({ payment_status }: { payment_status: string }) => payment_status)
    .toReversed();

test.each(['payment_failed', 'finalizer_payment_order_on_chain_failed'])(
  '%s at execute: leaves the payment in error with data_error like the real error, and sends nothing',
  async (kind) => {
    const sandbox = await startEphemeral();
    const real = await payable(sandbox, { token: 'POL' });
    await execute(sandbox, real.id, real.raw);
    const { id, raw, after } = await preparePayment(sandbox);
    await injectAtExecute(sandbox, kind);
    expect((await execute(sandbox, id, raw)).body.status).toBe(kind);
    expect(await after()).toEqual(['error', '10000']);
    const [injected, reverted] = [await statusOf(sandbox, id), await statusOf(sandbox, real.id)];
    expect(Object.keys(injected.data_error)).toEqual(Object.keys(reverted.data_error));
    expect(injected).toMatchObject({
      signed_tx: raw,
      tid_hash: null,
      data_error: { code: 500, status: kind, details: { payment_id: id, hash: Transaction.from(raw).hash } },
    });
    expect(await webhookStatuses(sandbox, id)).toEqual(await webhookStatuses(sandbox, real.id));
    expect((await execute(sandbox, id, raw)).body.status).toBe('invalid_payment_status');
  },
);

test('stale_transaction_nonce at execute: moves the payment to retry, and the next execute pays', async () => {
  const sandbox = await startEphemeral();
  const { id, raw, after } = await preparePayment(sandbox);
  await injectAtExecute(sandbox, 'stale_transaction_nonce');
  expect((await execute(sandbox, id, raw)).body.status).toBe('stale_transaction_nonce');
  expect(await after()).toEqual(['retry', '10000']);
  expect((await execute(sandbox, id, raw)).body.status).toBe('payment_confirmed');
});

test('leaves the payment registered when an injected error of execute comes before the bytes are saved', async () => {
  const sandbox = await startEphemeral();
  const { id, raw, after } = await preparePayment(sandbox);
  const before = ['invalid_parameters', 'invalid_chain', 'missing_unsigned_transaction', 'invalid_signed_transaction'];
  for (const kind of [...before, 'blockchain_transaction_failed', 'unauthorized', '500']) {
    await injectAtExecute(sandbox, kind);
    await execute(sandbox, id, raw);
    expect([kind, ...(await after())]).toEqual([kind, 'registered', '10000']);
  }
});

test('changes no payment by an injected error when the call could not execute that payment', async () => {
  const sandbox = await startEphemeral();
  const { id, raw, after } = await preparePayment(sandbox);
  const { api_key: key } = (await sandbox.control('POST', 'tenant', {})).body.data;
  const body = { executor_id: 'api_transaction', payment_id: id, signed_transaction: raw };
  const { payment_id: bare } = (await register(sandbox)).body.data;
  for (const send of [
    () => sandbox.call('POST', '/payment/execute/on-chain', { key, body }),
    () => sandbox.call('POST', '/payment/execute/on-chain', { key: 'wrong', body }),
    () => execute(sandbox, id, 'no hex'),
    () => execute(sandbox, bare, raw),
  ]) {
    await injectAtExecute(sandbox, 'payment_failed');
    expect((await send()).body.status).toBe('payment_failed');
  }
  expect(await after()).toEqual(['registered', '10000']);
  expect((await statusOf(sandbox, bare)).status).toBe('registered');
});

test('earnings_lookup_failed: returns the position with this earnings_status and without details, once', async () => {
  const sandbox = await startEphemeral();
  const query = { wallet: SANDBOX_SOLANA.fees, asset: 'USDC', provider: 'provider_a', chain_name: 'solana' };
  const read = async () => (await sandbox.get(`/yield/earnings?${new URLSearchParams(query)}`)).body;
  const added = await sandbox.control('POST', 'fault', { endpoint: 'yield.earnings', kind: 'earnings_lookup_failed' });
  expect(added.http).toBe(200);
  const { status, data } = await read();
  expect(status).toBe('get_earnings_position');
  expect(data.earnings).toEqual([
    { ...query, position_on_protocol: 0, earnings_status: 'earnings_lookup_failed', earnings_details: null },
  ]);
  expect((await read()).data.earnings).toEqual([
    expect.objectContaining({ earnings_status: 'ok', earnings_details: expect.anything() }),
  ]);
});

test('truncate: executes the payment, and sends a truncated JSON body', async () => {
  const sandbox = await startEphemeral();
  const { id, raw, after } = await preparePayment(sandbox);
  await sandbox.control('POST', 'fault', { endpoint: 'pay.execute', kind: 'truncate' });
  await expect(execute(sandbox, id, raw)).rejects.toThrow();
  expect(await after()).toEqual(['success', '9990']);
});

test('html: returns an HTML page with HTTP 502, like a proxy, and does nothing', async () => {
  const sandbox = await startEphemeral();
  await sandbox.control('POST', 'fault', { endpoint: 'pay.register', kind: 'html' });
  const answer = await fetch(`${sandbox.address.url}/payment/register/intents-create-order`, { method: 'POST' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
  expect(await answer.text()).toMatch(/^<!doctype html>/);
  expect((await register(sandbox)).http).toBe(201);
});

test('hang: sends no answer; other calls are answered, and the sandbox still stops', async () => {
  const sandbox = await startEphemeral();
  await fault(sandbox, 'hang', { count: 2 });
  const signal = AbortSignal.timeout(300);
  const headers = { 'x-api-key': sandbox.address.api_key };
  await expect(fetch(sandbox.address.url + QUOTE, { headers, signal })).rejects.toThrow('timeout');
  const hanging = expect(sandbox.get(QUOTE)).rejects.toThrow('fetch failed');
  expect((await sandbox.get('/config/products')).http).toBe(200);
  await sandbox.stop();
  await hanging;
}, 20_000);

test('names the wrong field of a fault', async () => {
  const sandbox = await startEphemeral();
  for (const [body, field] of [
    [{ endpoint: 'quote.nope', kind: 500 }, 'endpoint'],
    [{ endpoint: 'quote.market', kind: 'order_not_found' }, 'kind'],
    [{ endpoint: 'quote.market', kind: 'earnings_lookup_failed' }, 'kind'],
    [{ endpoint: 'quote.market', kind: 199 }, 'kind'],
    [{ endpoint: 'quote.market', kind: 600 }, 'kind'],
    [{ endpoint: 'quote.market', kind: 'constructor' }, 'kind'],
    [{ endpoint: 'quote.market', kind: {} }, 'kind'],
    [{ endpoint: 'quote.market' }, 'kind'],
    [{ endpoint: 'quote.market', kind: 500, count: 0 }, 'count'],
    [{ endpoint: 'quote.market', kind: 500, retry_after: -1 }, 'retry_after'],
  ] as const) {
    const { http, body: answer } = await sandbox.control('POST', 'fault', body);
    expect([http, answer.status, answer.errors?.[0]?.field]).toEqual([400, 'invalid_parameters', field]);
  }
  expect((await sandbox.control('GET', 'fault')).body.data.faults).toEqual([]);
});

test('removes faults on reset and when the server stops', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const client = controlClient(io, before.address);
  expect((await client(addFault, { endpoint: 'quote.market', kind: 'pair_not_found', count: 3 })).faults).toEqual([
    { endpoint: 'quote.market', kind: 'pair_not_found', count: 3 },
  ]);
  await client(reset);
  expect((await client(listFaults)).faults).toEqual([]);
  await client(addFault, { endpoint: 'quote.market', kind: 500 });
  await before.stop();
  const after = await startTestSandbox(io);
  expect((await after.get(QUOTE)).http).toBe(200);
});
