import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type Client, call, dataOf } from '../../src/client/call.ts';
import { checkBaseUrl } from '../../src/client/envelope.ts';
import type { Endpoint } from '../../src/contract/define.ts';
import { errorEntry } from '../../src/contract/errors.ts';
import { execute } from '../../src/contract/pay/execute.ts';
import { status } from '../../src/contract/pay/status.ts';
import { EXIT, FAILURES, Failure } from '../../src/core/failure.ts';
import { digitsOf } from '../../src/core/json.ts';
import { secret } from '../../src/core/secret.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import { testIo } from '../support/io.ts';
import { envelope, type Responder, raw, startServer } from '../support/server.ts';

const KEY = 'key-of-the-test';

const clientOf = async (url: string, timeoutMs = 5000): Promise<Client> => {
  const random = { bytes: (count: number) => new Uint8Array(count), fraction: () => 0 };
  const { io } = await testIo({ io: { http: systemHttp(new AbortController().signal), random } });
  const service = { profile: 'test', kind: 'live', baseUrl: checkBaseUrl(url), apiKey: secret(KEY) } as const;
  return { io, service, deadline: io.clock.monotonic() + timeoutMs };
};

const STATUS_INPUT = { id: 'pay_1' };
const EXECUTE_INPUT = { executor_id: 'api_transaction', payment_id: 'pay_1', signed_transaction: '0x02' };

/** The failure of a call to a server. Throws when the call succeeds. */
const failureOf = async (responder: Responder, endpoint: Endpoint, input: object, timeoutMs?: number) => {
  const { url } = await startServer(responder);
  const error = await call(await clientOf(url, timeoutMs), endpoint, { ...input }).catch((caught: unknown) => caught);
  if (!(error instanceof Failure)) throw new Error(`the call did not fail: ${JSON.stringify(error)}`);
  return error;
};

const exitOf = (failure: Failure): number => FAILURES[failure.code];

describe('a request to the service', () => {
  it('sends the API key in x-api-key and requests no compression', async () => {
    const { url, received } = await startServer(envelope(200, 'payment_found', { data: {} }));
    await call(await clientOf(url), status, STATUS_INPUT);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: 'GET', path: '/payment/pay_1/status' });
    expect(received[0]?.headers).toMatchObject({ 'x-api-key': KEY, 'accept-encoding': 'identity' });
  });

  it('escapes path parameters and rejects a parameter that would change the path', async () => {
    const { url, received } = await startServer(envelope(200, 'payment_found', { data: {} }));
    await call(await clientOf(url), status, { id: 'é&=;' });
    expect(received[0]?.path).toBe('/payment/%C3%A9%26%3D%3B/status');
    await expect(call(await clientOf(url), status, { id: '../keys' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('does not follow a redirect, so that the API key does not leave the service', async () => {
    const other = await startServer(envelope(200, 'payment_found', { data: {} }));
    const redirect = raw(302, '', { location: `${other.url}/payment/pay_1/status` });
    const failure = await failureOf(redirect, status, STATUS_INPUT);
    expect(failure.message).toContain('redirect');
    expect(other.received).toHaveLength(0);
  });

  it('is not sent when the input is invalid', async () => {
    const { url, received } = await startServer(envelope(200, 'x'));
    await expect(call(await clientOf(url), execute, { payment_id: 'pay_1' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(received).toHaveLength(0);
  });

  it('accepts only an https base URL, or http on loopback', () => {
    expect(checkBaseUrl('https://api.example/v/')).toBe('https://api.example/v');
    expect(checkBaseUrl('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080');
    expect(checkBaseUrl('http://[::1]:8080/')).toBe('http://[::1]:8080');
    // With another spelling of one address a repeated payment would look like one of another service.
    for (const spelling of ['https://API.example./v1', 'https://api.example//v1//', 'https://api.example/%76%31'])
      expect(checkBaseUrl(spelling), spelling).toBe('https://api.example/v1');
    expect(checkBaseUrl('https://api.example:8443/a%2fb')).toBe('https://api.example:8443/a%2Fb');
    for (const bad of [
      'http://api.example',
      'ftp://localhost',
      'localhost:80',
      'https://u:p@api.example',
      'https://a?b=1',
    ]) {
      expect(() => checkBaseUrl(bad), bad).toThrow(Failure);
    }
  });
});

describe('a response of the service', () => {
  it('keeps every digit of its numbers', async () => {
    const { url } = await startServer(
      raw(
        200,
        '{"statusCode":200,"success":true,"status":"payment_found","message":"","data":{"a":1000000000000000001,"b":1.10,"c":7}}',
      ),
    );
    const { data } = await call(await clientOf(url), status, STATUS_INPUT);
    const { a, b, c } = data as Record<string, unknown>;
    expect([digitsOf(a), digitsOf(b), c]).toEqual(['1000000000000000001', '1.10', 7]);
  });

  it('is returned with unknown statuses and fields unchanged', async () => {
    const { url } = await startServer(envelope(200, 'payment_parked', { data: { new_field: 1 } }));
    const answer = await call(await clientOf(url), status, STATUS_INPUT);
    expect(answer).toMatchObject({ status: 'payment_parked', data: { new_field: 1 } });
  });

  it('without a required field is rejected with the name of the field', async () => {
    const { url } = await startServer(envelope(200, 'payment_confirmed', { data: { id: 'pay_1' } }));
    const answer = await call(await clientOf(url), execute, EXECUTE_INPUT);
    expect(() => dataOf(execute, 'payment_confirmed', answer)).toThrow(/tid_hash/);
  });

  it.each([
    ['unauthorized', 401, EXIT.refusedKey],
    ['anything_not_found', 400, EXIT.notFound],
    ['something_new', 404, EXIT.notFound],
    ['slow_down', 429, EXIT.limitReached],
    ['kyc_not_approved', 400, EXIT.identityGate],
    ['kyc_not_approved', 403, EXIT.identityGate],
    ['teapot', 418, EXIT.rejected],
    ['boom', 500, EXIT.unavailable],
    ['payment_failed', 500, EXIT.endedInError],
  ])('with status %s and HTTP %i makes a read exit with %i', async (code, http, exit) => {
    const failure = await failureOf(envelope(http, code), status, STATUS_INPUT);
    expect(exitOf(failure)).toBe(exit);
    expect(failure.details).toMatchObject({ status: code, http });
  });

  it.each([
    ['boom', 500],
    ['finalizer_payment_order_on_chain_failed', 500],
    ['blockchain_transaction_failed', 500],
  ])('with status %s and HTTP %i leaves the outcome of pay execute unknown', async (code, http) => {
    expect(exitOf(await failureOf(envelope(http, code), execute, EXECUTE_INPUT))).toBe(EXIT.outcomeUnknown);
  });
});

const INVALID_RESPONSES: readonly (readonly [string, Responder])[] = [
  ['an HTML page', raw(502, '<html>bad gateway</html>', { 'content-type': 'text/html' })],
  ['half a JSON document', raw(200, '{"statusCode":200,"success":true,"sta')],
  ['JSON without the envelope', raw(200, '{"ok":true}')],
  [
    'an envelope whose statusCode differs from the HTTP status',
    raw(200, '{"statusCode":201,"success":true,"status":"x","message":""}'),
  ],
  ['an HTTP 500 with success true', raw(500, '{"statusCode":500,"success":true,"status":"x","message":""}')],
  [
    'an envelope with a duplicate key and different values',
    raw(200, '{"statusCode":200,"success":true,"success":false,"status":"x","message":""}'),
  ],
  ['a compressed body', raw(200, '\u001f\u008b\u0008', { 'content-encoding': 'gzip' })],
];

describe.each(INVALID_RESPONSES)('the response is %s', (_, responder) => {
  it('makes a read exit as unavailable', async () => {
    expect(exitOf(await failureOf(responder, status, STATUS_INPUT))).toBe(EXIT.unavailable);
  });

  it('leaves the outcome of pay execute unknown', async () => {
    expect(exitOf(await failureOf(responder, execute, EXECUTE_INPUT))).toBe(EXIT.outcomeUnknown);
  });
});

describe('a service that sends no usable response', () => {
  const reset: Responder = (_, response) => void response.socket?.destroy();
  const silent: Responder = () => undefined;
  const drip: Responder = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  };

  it.each([
    ['closes the connection', reset],
    ['sends nothing', silent],
    ['sends an endless body in small pieces', drip],
  ])('%s: before the deadline a read exits as unavailable and pay execute as unknown', async (_, responder) => {
    const start = performance.now();
    expect(exitOf(await failureOf(responder, status, STATUS_INPUT, 400))).toBe(EXIT.unavailable);
    expect(exitOf(await failureOf(responder, execute, EXECUTE_INPUT, 400))).toBe(EXIT.outcomeUnknown);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('sends an endless body: the call fails once the body exceeds the size limit', async () => {
    const endless: Responder = (_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, 32);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      response.writeHead(200);
      more();
    };
    const failure = await failureOf(endless, status, STATUS_INPUT, 20_000);
    expect(failure.message).toContain('too large');
  });

  it('does not listen: the failure of pay execute states that the request was not sent', async () => {
    const { url } = await startServer(silent);
    const { port } = new URL(url);
    const free = Number(port) === 65_535 ? 1 : 65_535;
    const probe = connect(free, '127.0.0.1');
    await new Promise((resolve) => probe.once('error', resolve));
    const error = await call(await clientOf(`http://127.0.0.1:${free}`), execute, EXECUTE_INPUT).catch(
      (caught) => caught,
    );
    expect(error).toMatchObject({ code: 'unavailable', details: { hint: 'The request was not sent.' } });
  });

  it('the hint of an error omits the meaning when the message or a field error states the meaning', async () => {
    const meaning = errorEntry('invalid_signed_transaction')?.meaning ?? '';
    const hintOf = async (rest: object) =>
      (await failureOf(envelope(400, 'invalid_signed_transaction', { ...rest }), execute, EXECUTE_INPUT)).details.hint;
    const advice = errorEntry('invalid_signed_transaction')?.advice;
    expect(await hintOf({ message: 'tx malformed' })).toBe(`${meaning} ${advice}`);
    expect(await hintOf({ message: meaning })).toBe(advice);
    expect(await hintOf({ errors: [{ field: 'signed_transaction', message: 'is short' }] })).toBe(advice);
  });

  it('has a host name that does not resolve: the message states that', async () => {
    const error = await call(await clientOf('https://no-such-host.invalid'), status, STATUS_INPUT).catch(
      (caught) => caught,
    );
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(error.message).toContain('does not resolve');
  });
});
