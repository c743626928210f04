import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { create } from '../../src/contract/order/create.ts';
import { HANDLERS } from '../../src/sandbox/handlers/table.ts';
import { logPath } from '../../src/sandbox/log.ts';
import { sandboxIo, startEphemeral, startTestSandbox } from './sandbox.ts';

const REGISTER = '/payment/register/intents-create-order';

/** Sends a request with the Host header of the test; fetch does not allow this header. */
const withHost = (url: string, host: string): Promise<{ http: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/config/products`, { headers: { host } }, (response) => {
      const http = response.statusCode ?? 0;
      text(response).then((body) => resolve({ http, text: body }), reject);
    });
    sent.on('error', reject).end();
  });

test('rejects a request with a foreign Host header (DNS rebinding)', async () => {
  const { address } = await startEphemeral();
  const port = new URL(address.url).port;
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `localhost:${Number(port) + 1}`, 'a b']) {
    const { http, text } = await withHost(address.url, host);
    expect([host, [400, 403].includes(http), JSON.parse(text).success]).toEqual([host, true, false]);
  }
  for (const host of [`127.0.0.1:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
    expect(JSON.parse((await withHost(address.url, host)).text).status).toBe('unauthorized');
  }
});

test.each([
  ['/kyc/prepare', { email: 'nobody' }, 'missing_params', 'email is malformed: must be an e-mail address.'],
  ['/security/email/send-otp', { email: 7 }, 'missing_params', 'email is malformed: must be text.'],
  ['/security/email/verify-otp', { email: 'a@b.cd', code: 1 }, 'missing_params', 'code is malformed: must be text.'],
  ['/kyc/create/verify_public_kyc', { email: 'x' }, 'missing_params', 'email is malformed: must be an e-mail address.'],
  ['/security/wallet/challenge', { wallet: '0x12' }, 'invalid_wallet', /^wallet is malformed: /],
  ['/security/wallet/challenge', { wallet: 12 }, 'invalid_wallet', 'wallet is malformed: must be text.'],
  ['/kyc/prepare', [], 'missing_params', /^body is malformed: /],
] as const)(
  '%s with %j returns its documented 400 and names the malformed value',
  async (path, body, status, message) => {
    const { post } = await startEphemeral();
    const answer = await post(path, body);
    expect([answer.http, answer.body.status]).toEqual([400, status]);
    if (typeof message === 'string') expect(answer.body.message).toBe(message);
    else expect(answer.body.message).toMatch(message);
  },
);

test('returns missing_params, without "malformed", for a missing value', async () => {
  const { post, get } = await startEphemeral();
  for (const { http, body } of [await post('/kyc/prepare', {}), await get('/kyc/status')]) {
    expect([http, body.status, body.message.includes('malformed')]).toEqual([400, 'missing_params', false]);
  }
  expect((await get('/kyc/status?email=nobody')).body.message).toBe('email is malformed: must be an e-mail address.');
});

test('sends errors[] only with validation_error, and names the fields in the message of other statuses', async () => {
  const { post, get, call } = await startEphemeral();
  const [bare, listed] = [await get('/payment/a%20b/status'), await post('/quote', {})];
  expect([bare.body.status, bare.body.errors]).toEqual(['payment_not_found', undefined]);
  expect(listed.body.errors).toBeUndefined();
  const order = await call('PATCH', '/order/cmb1x2y3z0000abcd1234efgh', { body: {} });
  expect([order.body.status, order.body.errors]).toEqual(['no_fields_to_update', undefined]);
  const wrong = await post('/order/create', {});
  expect([wrong.body.status, wrong.body.errors]).toEqual(['invalid_parameters', undefined]);
  expect(wrong.body.message).toMatch(/^\d+ fields are wrong\. executor_id: required; .*on_ramp: required; .*\.$/);
  const refused = await post('/order/create', { ...create.example, from_currency_symbol: 'XYZ' });
  expect([refused.body.status, refused.body.errors]).toEqual(['invalid_parameters', undefined]);
  expect(refused.body.message).toMatch(/^The order cannot be stored\. from_currency_symbol: /);
  const registered = await post(REGISTER, {});
  expect(registered.body.status).toBe('validation_error');
  expect(registered.body.errors).toContainEqual({ field: 'executor_id', message: 'required' });
});

test('rejects an empty or wrong API key at every endpoint with 401 unauthorized', async () => {
  const { call } = await startEphemeral();
  for (const { method, path } of ENDPOINTS) {
    for (const key of ['', 'sandbox_wrong', "' OR 1=1 --"]) {
      const { http, body } = await call(method, path.replaceAll(/\{\w+\}/g, 'x'), { key });
      expect([path, key, http, body.status, body.statusCode]).toEqual([path, key, 401, 'unauthorized', 401]);
    }
  }
});

test('has a handler for every endpoint of the contract', () => {
  expect(Object.keys(HANDLERS).toSorted()).toEqual(ENDPOINTS.map(({ id }) => id as string).toSorted());
});

test('returns 404 for an unknown path, and 405 with Allow for a wrong method', async () => {
  const { call } = await startEphemeral();
  for (const path of ['/nope', '/payment', '/pay', '/../etc/passwd', '/%ff', '/_sandboxx']) {
    const { http, body } = await call('GET', path);
    expect([path, http, body.status]).toEqual([path, 404, 'route_not_found']);
  }
  const wrong = await call('DELETE', REGISTER);
  expect([wrong.http, wrong.body.status, wrong.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'POST']);
});

test('returns internal_error without a stack when a handler throws, and logs the stack without keys', async () => {
  const io = await sandboxIo();
  const broken = {
    ...io.random,
    bytes: () => {
      throw new Error(`no entropy for sandbox_${'k'.repeat(32)}`);
    },
  };
  const ready = await startTestSandbox(io);
  await ready.stop();
  const { call } = await startTestSandbox({ ...io, random: broken });
  const { example } = ENDPOINTS.find(({ id }) => id === 'pay.register') ?? { example: {} };
  const { http, body } = await call('POST', REGISTER, { body: example });
  expect([http, body.status, JSON.stringify(body).includes('entropy')]).toEqual([500, 'internal_error', false]);
  const log = new TextDecoder().decode(await io.files.read(logPath(io)));
  expect(log).toContain('no entropy for [key]');
  expect(log).toContain('handlers/pay.ts');
});
