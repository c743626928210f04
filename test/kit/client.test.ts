import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../src/contract/outcomes.ts';
import { EXAMPLE_EVM_TRANSACTION } from '../../src/contract/pay/shared.ts';
import { Failure } from '../../src/core/failure.ts';
import { type ClientOptions, createClient } from '../../src/kit/client.ts';
import { asKitError } from '../../src/kit/control.ts';
import { envelope, type Responder, raw, startServer } from '../support/server.ts';

const KEY = 'key_0123456789abcdef0123456789abcdef';

const clientOf = async (respond: Responder) => {
  const server = await startServer(respond);
  return { ...server, client: createClient({ baseUrl: server.url, apiKey: KEY, timeoutMs: 5_000 }) };
};

const call = (client: ReturnType<typeof createClient>, area: string, name: string) => {
  const found = client[area]?.[name];
  if (!found) throw new Error(`no function ${area}.${name}`);
  return found;
};

const created = (value: string): string =>
  JSON.stringify({
    statusCode: 201,
    success: true,
    status: 'payment_registered',
    message: 'ok',
    data: {
      payment_id: 'pay_1',
      session_payment: 'https://pay.example.com/1',
      crypto_tx: { ...EXAMPLE_EVM_TRANSACTION, meta: { source: 'service' } },
      fiat_tx: { message: 'none', big: 'BIG', fraction: 'FRACTION', half: 'HALF' },
    },
  })
    .replace('"value":0', `"value":${value}`)
    .replace('"BIG"', '123456789012345678901234567890')
    .replace('"FRACTION"', '0.12345678901234567890123')
    .replace('"HALF"', '33.50');

const CREATE = {
  payment_id: 'pay_1',
  transaction_type: 'crypto',
  payer_email: 'payer@example.com',
  payer_wallet: '0x3333333333333333333333333333333333333333',
  chain_name: 'polygon',
  payer_token_symbol: 'USDT',
};

const ORDER = {
  executor_id: 'order_transaction',
  from_currency_symbol: 'BRL',
  amount_from: '59.90',
  to_currency_symbol: 'USDT',
  on_ramp: false,
  gateway_method: 'direct',
};

it.each(['it ended', 'it ended.', 'has it ended?'])(
  'an error of the kit ends its sentence before the hint: %s',
  (text) => {
    const error = asKitError(new Failure('sandbox_unavailable', text, { hint: 'Start it again.' }));
    expect((error as Error).message).toBe(`${text === 'it ended' ? 'it ended.' : text} Start it again.`);
  },
);

describe('a client of the kit', () => {
  it('has a function for every endpoint, by area and verb', () => {
    const client = createClient({ baseUrl: 'https://pay.example.com' });
    const names = Object.entries(client).flatMap(([area, functions]) =>
      Object.keys(functions).map((name) => `${area}.${name}`),
    );
    expect(names).toEqual(
      expect.arrayContaining(['pay.register', 'order.list', 'kyc.sendOtp', 'yield.opportunitiesOf']),
    );
    expect(names.length).toBeGreaterThan(Object.keys(OUTCOMES).length);
  });

  it.each([
    { value: '1000000000000000001', exact: 1_000_000_000_000_000_001n },
    { value: '10000000000000000.0', exact: 10_000_000_000_000_000n },
    { value: '1e18', exact: 1_000_000_000_000_000_000n },
    { value: '0', exact: 0n },
  ])('returns the wei of $value as a bigint, and other numbers without rounding', async ({ value, exact }) => {
    const { client } = await clientOf(raw(201, created(value), { 'content-type': 'application/json' }));
    const result = await call(client, 'pay', 'transaction')(CREATE);
    expect(result).toMatchObject({
      ok: true,
      status: 'payment_registered',
      data: {
        crypto_tx: { transactionRequest: { value: exact, chainId: 137, nonce: 7, gasLimit: '65000' } },
        fiat_tx: { big: 123456789012345678901234567890n, fraction: '0.12345678901234567890123', half: 33.5 },
      },
    });
  });

  it('sends bigint and decimal text as exact JSON numbers where the service has a number', async () => {
    const { client, received } = await clientOf(envelope(200, 'order_created', { data: { order_id: 'o1' } }));
    const split_payment_config = [
      { receiver_wallet: '0x1', receiver_percent: '33.33333333333333333333' },
      { receiver_wallet: '0x2', receiver_percent: '66.66666666666666666667' },
    ];
    await call(client, 'order', 'create')({ ...ORDER, split_payment_config });
    expect(received[0]?.body).toContain('"receiver_percent":33.33333333333333333333');
    expect(received[0]?.body).toContain('"amount_from":"59.90"');
  });

  it('returns a refusal of the service as a value with its status and its fields', async () => {
    const errors = [{ field: 'amount_from', message: 'is too small' }];
    const { client } = await clientOf(envelope(400, 'params_mismatch', { errors, data: { least: 2 } }));
    expect(await call(client, 'quote', 'market')({ from: 'ETH', to: 'USDT' })).toEqual({
      ok: false,
      error: {
        code: 'rejected',
        status: 'params_mismatch',
        http: 400,
        message: 'it is params_mismatch',
        errors,
        data: { least: 2 },
        isUnclear: false,
      },
    });
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'does not take the status %s for a documented one',
    async (status) => {
      const { client } = await clientOf(envelope(200, status, { data: { price: '1' } }));
      const execute = {
        executor_id: 'api_transaction',
        payment_id: 'pay_1',
        signed_transaction: `0x${'00'.repeat(20)}`,
      };
      expect(await call(client, 'pay', 'execute')(execute)).toMatchObject({
        ok: false,
        error: { code: 'outcome_unknown', status, isUnclear: true },
      });
    },
  );

  it('sends fields with the names of properties that every object has', async () => {
    const { client, received } = await clientOf(envelope(200, 'quote_ok'));
    const input = { from: 'ETH', to: 'USDT', constructor: 'x', toString: 'y' };
    await call(client, 'quote', 'market')(input);
    expect(received[0]?.path).toContain('constructor=x');
  });

  it.each(['', 'two words', `${KEY}\n`, 'key_é'])('refuses the API key %j, and does not show it', (apiKey) => {
    const make = () => createClient({ baseUrl: 'https://pay.example.com', apiKey });
    expect(make).toThrow(/^the API key is empty, or has characters that no key has$/);
  });

  it.each([undefined, null, {}])('refuses the options %j, without an address', (options) => {
    const thrown = () => createClient(options as unknown as ClientOptions);
    expect(thrown).toThrow(expect.objectContaining({ code: 'bad_settings', name: 'Failure' }));
    expect(thrown).toThrow(/^createClient needs an object with baseUrl/);
  });

  it.each([0, -1, Number.NaN])('refuses the time limit %s', (timeoutMs) => {
    expect(() => createClient({ baseUrl: 'https://pay.example.com', timeoutMs })).toThrow(/^timeoutMs must be/);
  });

  it('returns a number with thousands of digits as text', async () => {
    const digits = '9'.repeat(5_000);
    const body = JSON.stringify({ statusCode: 200, success: true, status: 'unknown', message: '', data: { n: 0 } });
    const { client } = await clientOf(raw(200, body.replace('"n":0', `"n":${digits}`)));
    const result = await call(client, 'quote', 'market')({ from: 'ETH', to: 'USDT' });
    expect(result).toMatchObject({ ok: false, error: { data: { n: digits } } });
  });

  it('one signal ends many calls without a warning of Node', async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => void warnings.push(message);
    process.on('warning', onWarning);
    const { client } = await clientOf(() => undefined);
    const controller = new AbortController();
    const quote = call(client, 'quote', 'market');
    const calls = Array.from({ length: 30 }, () => quote({ from: 'ETH', to: 'USDT' }, { signal: controller.signal }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    controller.abort();
    const codes = (await Promise.all(calls)).map((result) => !result.ok && result.error.code);
    process.off('warning', onWarning);
    expect([new Set(codes), warnings]).toEqual([new Set(['interrupted']), []]);
  });

  it('returns wrong fields as a value, and sends nothing', async () => {
    const { client, received } = await clientOf(envelope(200, 'quote_ok'));
    const result = await call(client, 'quote', 'market')({ from: 'ETH' });
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', errors: [{ field: 'to' }] } });
    expect(received).toEqual([]);
  });

  it('repeats a read after a temporary failure', async () => {
    let count = 0;
    const { client, received } = await clientOf((request, response) => {
      count += 1;
      return envelope(count < 3 ? 503 : 200, count < 3 ? 'busy' : 'config_found', { data: {} })(request, response);
    });
    await call(client, 'products', 'list')();
    expect(received).toHaveLength(3);
  });

  it('never repeats a call that moves money, and returns that its outcome is unknown', async () => {
    const { client, received } = await clientOf(envelope(503, 'busy'));
    const input = { executor_id: 'api_transaction', payment_id: 'pay_1', signed_transaction: '0x02' };
    const result = await call(client, 'pay', 'execute')(input);
    expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown', isUnclear: true } });
    expect(received).toHaveLength(1);
  });

  it('never repeats a call that spends a quota', async () => {
    const { client, received } = await clientOf(envelope(503, 'busy'));
    const result = await call(client, 'kyc', 'sendOtp')({ email: 'payer@example.com' });
    expect(result).toMatchObject({ ok: false, error: { code: 'unavailable', isUnclear: true } });
    expect(received).toHaveLength(1);
  });

  it('returns an undocumented success of a call that moves money as an unknown outcome', async () => {
    const { client } = await clientOf(envelope(200, 'payment_confirmed', { data: { id: 7 } }));
    const input = { executor_id: 'api_transaction', payment_id: 'pay_1', signed_transaction: '0x02' };
    expect(await call(client, 'pay', 'execute')(input)).toMatchObject({
      ok: false,
      error: { code: 'outcome_unknown', status: 'payment_confirmed', http: 200, data: { id: 7 }, isUnclear: true },
    });
  });

  it('sends the API key to its origin only: a redirect is a failure and is not followed', async () => {
    const other = await startServer(envelope(200, 'quote_ok'));
    const { client, received } = await clientOf(raw(307, '', { location: `${other.url}/quote/market` }));
    const result = await call(client, 'quote', 'market')({ from: 'ETH', to: 'USDT' });
    expect(result).toMatchObject({ ok: false, error: { code: 'unexpected_answer', http: 307 } });
    expect(received[0]?.headers['x-api-key']).toBe(KEY);
    expect(other.received).toEqual([]);
  });

  it('throws for a base URL that is neither https nor on this machine', () => {
    expect(() => createClient({ baseUrl: 'http://pay.example.com', apiKey: KEY })).toThrow(/not https/);
    expect(() => createClient({ baseUrl: 'https://user:word@pay.example.com' })).toThrow(/no user/);
  });

  it('ends a call by its signal, and by its time limit', async () => {
    const { client } = await clientOf(() => undefined);
    const signal = AbortSignal.timeout(50);
    const ended = await call(client, 'quote', 'market')({ from: 'ETH', to: 'USDT' }, { signal });
    expect(ended).toMatchObject({ ok: false, error: { code: 'interrupted' } });
    const late = await call(client, 'quote', 'market')({ from: 'ETH', to: 'USDT' }, { timeoutMs: 100 });
    expect(late).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });

  it('returns an error of an answer that is not JSON, and of a service that does not answer', async () => {
    const { client } = await clientOf(raw(200, '<html>', { 'content-type': 'text/html' }));
    const page = await call(client, 'quote', 'market')({ from: 'ETH', to: 'USDT' }, { timeoutMs: 500 });
    expect(page).toMatchObject({ ok: false, error: { code: 'unexpected_answer' } });
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: KEY, timeoutMs: 300 });
    expect(await call(nobody, 'quote', 'market')({ from: 'ETH', to: 'USDT' })).toMatchObject({
      ok: false,
      error: { code: 'unavailable', isUnclear: false },
    });
  });
});
