import { describe, expect, it } from 'vitest';
import { newHome } from '../../support/bursar.ts';
import { runInProcess } from '../../support/in-process.ts';
import { envelope, type Responder, raw, startServer } from '../../support/server.ts';

const KEY = 'key-of-the-test-0123456789';

const against = async (responder: Responder, headers: Readonly<Record<string, string>>, words: readonly string[]) => {
  const { url } = await startServer((received, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return responder(received, response);
  });
  const { home } = await newHome();
  return runInProcess(home, words, { env: { BURSAR_BASE_URL: url, BURSAR_API_KEY: KEY } });
};

const TOGGLE = ['order', 'toggle', 'cmb1x2y3z0000abcd1234efgh'];
const REFUSES = envelope(404, 'order_not_found');

describe('the request id of an answer', () => {
  it.each(['X-Request-Id', 'Request-Id', 'X-Correlation-ID', 'x-amzn-RequestId', 'CF-Ray'])(
    'in %s is printed with the error',
    async (name) => {
      const { code, stderr } = await against(REFUSES, { [name]: 'req_8f14e45f-1' }, TOGGLE);
      expect(code).toBe(3);
      expect(stderr).toMatch(/^request: req_8f14e45f-1$/m);
      const { stdout } = await against(REFUSES, { [name]: 'req_8f14e45f-1' }, [...TOGGLE, '--json']);
      expect(JSON.parse(stdout).error).toMatchObject({ status: 'order_not_found', request_id: 'req_8f14e45f-1' });
    },
  );

  it('is printed for the page of a gateway too', async () => {
    const page = raw(502, '<html>', { 'content-type': 'text/html' });
    const { code, stderr } = await against(page, { 'x-request-id': 'gw-1' }, [...TOGGLE, '--timeout', '3']);
    expect(code).toBe(5);
    expect(stderr).toMatch(/^request: gw-1$/m);
  });

  it('is in the error of a payment that cannot be registered', async () => {
    const split = ['--split', `0x${'1'.repeat(40)}=100`, '--allow', 'crypto', '--to-chain', 'polygon'];
    const tenant = ['--public-client-id', `c_${'0'.repeat(32)}`, '--webhook-url', 'https://a.example/h'];
    const money = ['--from-currency-symbol', 'USDT', '--amount-from', '10', '--to-currency-symbol', 'USDT'];
    const words = ['pay', 'register', ...tenant, ...money, ...split, '--json'];
    const { stdout } = await against(envelope(400, 'validation_error'), { 'x-request-id': 'req_2' }, words);
    expect(JSON.parse(stdout).error.request_id).toBe('req_2');
  });

  it('is printed by --debug for a success too', async () => {
    const fine = envelope(200, 'quote_ok', { data: { price: '1' } });
    const { stdout, stderr } = await against(fine, { 'x-request-id': 'req_3' }, ['quote', 'A', 'B', '--debug']);
    expect(stderr).toMatch(/^< HTTP 200, .*, request req_3$/m);
    expect(stdout).not.toContain('req_3');
  });

  it.each([
    ['no word', 'a b c'],
    ['too long', 'x'.repeat(500)],
    ['empty', ''],
  ])('that is %s is not printed', async (_, value) => {
    const { stderr } = await against(REFUSES, { 'x-request-id': value }, TOGGLE);
    expect(stderr).not.toContain('request:');
  });

  it('is not printed when it contains the API key', async () => {
    for (const more of [[], ['--json'], ['--debug']]) {
      const { stdout, stderr } = await against(REFUSES, { 'x-request-id': `id-${KEY}` }, [...TOGGLE, ...more]);
      expect(stdout + stderr).not.toContain(KEY);
    }
  });
});
