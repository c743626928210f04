import { describe, expect, it } from 'vitest';
import { call } from '../../src/client/call.ts';
import { ENDPOINTS } from '../../src/contract/index.ts';
import { OUTCOMES, outcomeOf } from '../../src/contract/outcomes.ts';
import { TRANSACTION_TYPES } from '../../src/contract/pay/shared.ts';
import { status } from '../../src/contract/pay/status.ts';
import { transaction } from '../../src/contract/pay/transaction.ts';
import { market } from '../../src/contract/quote/market.ts';
import { EXIT, FAILURES } from '../../src/core/failure.ts';
import { envelope, type Responder, raw, startServer } from '../support/server.ts';
import { failureIn, patientClient } from './client.ts';

/** The endpoints that may be retried without the user's consent. Stated again here, so that the table does not grow by accident. */
const RETRIED: readonly string[] = [
  ...ENDPOINTS.filter(({ method }) => method === 'GET').map(({ id }) => id),
  ...['yield.deposit', 'yield.rebalance', 'yield.withdraw'],
];

const MONEY = ['pay.execute', 'yield.broadcast'];

const ADDRESS = Object.fromEntries(
  ['country', 'state', 'city', 'neighborhood', 'street', 'street_number'].map((name) => [name, 'x']),
);
const CARD = {
  payer_name: 'A B',
  payer_document: '1',
  payer_document_type: 'CPF',
  card_data: {
    installments: 1,
    statement_descriptor: 'S',
    card: { number: '4111111111111111' },
    address: { ...ADDRESS, zipcode: '01000000' },
  },
};
const PAYER_FIELDS = { crypto: {}, pixcrypto: { payer_cpf: '52998224725' }, fiatcrypto: { payer_cpf: '52998224725' } };

const inputOfType = (type: (typeof TRANSACTION_TYPES)[number]) => ({
  ...transaction.example,
  transaction_type: type,
  ...(type in PAYER_FIELDS ? PAYER_FIELDS[type as 'crypto'] : CARD),
});

/** Responds `times` times with the bad response, then with success. */
const failsTimes = (times: number, bad: Responder): Responder => {
  let remaining = times;
  return (received, response) => (remaining-- > 0 ? bad : envelope(200, 'fine', { data: {} }))(received, response);
};

const FAULTS: readonly (readonly [string, Responder])[] = [
  ['an HTTP 500', envelope(500, 'server_failed')],
  ['an HTML 502', raw(502, '<html>', { 'content-type': 'text/html' })],
  ['half a JSON', raw(200, '{"statusCode":200,"su', { 'content-type': 'application/json' })],
  [
    'a statusCode that differs from the HTTP status',
    raw(200, '{"statusCode":500,"success":true,"status":"x","message":""}'),
  ],
  ['a lost connection', (_, response) => void response.socket?.destroy()],
  ['too many requests', envelope(429, 'slow_down')],
  ['a request timeout', envelope(408, 'timeout')],
];

describe('the outcome after a lost response', () => {
  it('is described in a sentence for every endpoint that changes something', () => {
    const changing = ENDPOINTS.filter(({ effect }) => effect !== 'reads').map(({ id }) => id as string);
    expect(Object.keys(OUTCOMES).sort()).toEqual(changing.sort());
    for (const endpoint of ENDPOINTS) expect(outcomeOf(endpoint, {}).description).toMatch(/^[A-Z].{20,}\.$/);
  });

  it('names only endpoints that read for reading the state back', () => {
    const reads = ENDPOINTS.filter(({ effect }) => effect === 'reads').map(({ id }) => id);
    for (const { by } of Object.values(OUTCOMES)) if (by) expect(reads).toContain(by);
  });

  it('depends on the transaction type, and an unknown type has the outcome of a card', () => {
    const lost = (type: unknown) => outcomeOf(transaction, { transaction_type: type });
    expect(lost('crypto')).toMatchObject({ after: 'read_back' });
    expect(lost('pixcrypto')).toMatchObject({ after: 'read_back', by: 'pay.status' });
    for (const type of ['cardcrypto', 'cardfiat', 'toString', undefined]) {
      expect(lost(type)).toMatchObject({ after: 'never', movesMoney: true });
    }
  });
});

describe.each(FAULTS)('after %s', (_, bad) => {
  it.each(ENDPOINTS)('$id is retried only if the endpoint reads or builds, at most three times', async (endpoint) => {
    const { url, received } = await startServer(failsTimes(9, bad));
    const { client, paused } = await patientClient(url);
    const failure = await failureIn(call(client, endpoint, endpoint.example));
    expect(received).toHaveLength(RETRIED.includes(endpoint.id) ? 4 : 1);
    expect(paused).toHaveLength(received.length - 1);
    const lost = !failure.details.http || failure.details.http !== 429;
    if (MONEY.includes(endpoint.id) && lost) expect(FAILURES[failure.code]).toBe(EXIT.outcomeUnknown);
  });

  it.each(TRANSACTION_TYPES)('pay transaction of type %s is sent only once', async (type) => {
    const { url, received } = await startServer(failsTimes(9, bad));
    const { client } = await patientClient(url);
    const failure = await failureIn(call(client, transaction, inputOfType(type)));
    expect(received).toHaveLength(1);
    const isCard = type.startsWith('card') && failure.details.http !== 429;
    expect(FAILURES[failure.code] === EXIT.outcomeUnknown).toBe(isCard);
  });

  it('a read succeeds on the third attempt and prints a line for each retry', async () => {
    const { url, received } = await startServer(failsTimes(2, bad));
    const { client, noted } = await patientClient(url);
    expect(await call(client, status, status.example)).toMatchObject({ status: 'fine' });
    expect(received).toHaveLength(3);
    expect(noted).toHaveLength(2);
    expect(noted[1]).toMatch(/retry 2 of 3 in \d\.\d s$/);
  });
});

describe('a response that a retry cannot change', () => {
  it.each([
    ['a documented error', envelope(400, 'pair_not_found')],
    ['an HTML 404', raw(404, '<html>', { 'content-type': 'text/html' })],
    ['a rejected API key', envelope(401, 'unauthorized')],
    ['a redirect', raw(307, '', { location: 'https://other.example/x?token=secret' })],
  ])('%s is not retried', async (_, bad) => {
    const { url, received } = await startServer(bad);
    const { client } = await patientClient(url);
    const { message } = await failureIn(call(client, market, market.example));
    expect(received).toHaveLength(1);
    if (message.includes('redirect')) expect(message).toContain('a redirect to https://other.example (HTTP 307)');
    expect(message).not.toContain('token');
  });
});

describe('the pauses before retries', () => {
  it.each([0, 0.5, 0.999])('have full jitter: a random share of a limit that doubles (share %d)', async (draw) => {
    const { url } = await startServer(failsTimes(9, envelope(500, 'server_failed')));
    const { client, paused } = await patientClient(url);
    const io = { ...client.io, random: { ...client.io.random, fraction: () => draw } };
    await failureIn(call({ ...client, io }, market, market.example));
    expect(paused).toEqual([250 * draw, 500 * draw, 1000 * draw]);
  });

  it('do not start when they would last beyond the deadline of the command', async () => {
    const { url, received } = await startServer(failsTimes(9, envelope(500, 'server_failed')));
    const { client, paused } = await patientClient(url, 300);
    await failureIn(call(client, market, market.example));
    expect(paused.length).toBeLessThan(2);
    expect(received).toHaveLength(paused.length + 1);
  });
});

describe('Retry-After', () => {
  const limited =
    (retryAfter: string, http = 429): Responder =>
    (received, response) => {
      response.setHeader('retry-after', retryAfter);
      return envelope(http, 'slow_down')(received, response);
    };
  /** A number of seconds becomes a date, counted from the time of the test. */
  const headerFor = (wait: string | number) =>
    typeof wait === 'string' ? wait : new Date(Date.now() + wait * 1000).toUTCString();

  it.each([
    ['2', 2000],
    ['0', 0],
    [3, 1900],
  ])('of %j (text: as it is; number: a date that many seconds ahead) is waited for', async (wait, atLeast) => {
    const { url, received } = await startServer(failsTimes(1, limited(headerFor(wait))));
    const { client, paused } = await patientClient(url, 20_000);
    await call(client, market, market.example);
    expect(received).toHaveLength(2);
    expect(paused[0]).toBeGreaterThanOrEqual(atLeast);
    expect(paused[0]).toBeLessThan(atLeast + 2000);
  });

  it.each(['600', 600, '999999999'])('of %j ends the call at once when the wait exceeds --timeout', async (wait) => {
    const { url, received } = await startServer(limited(headerFor(wait), 503));
    const { client, paused } = await patientClient(url);
    const { details } = await failureIn(call(client, market, market.example));
    expect({ calls: received.length, paused }).toEqual({ calls: 1, paused: [] });
    expect(details.hint).toMatch(/requests a wait of \d+\.0 s \(--timeout leaves \d\.\d s\)\. Retry after 2/);
  });

  it.each(['-1', 'soon', '1e3', ''])('of "%s" is invalid and ignored', async (text) => {
    const { url, received } = await startServer(limited(text));
    const { client } = await patientClient(url);
    const { details } = await failureIn(call(client, market, market.example));
    expect(received).toHaveLength(4);
    expect(details.hint ?? '').not.toContain('requests a wait');
  });

  it('is printed, not waited for, when the endpoint is not retried', async () => {
    const endpoint = ENDPOINTS.find(({ id }) => id === 'kyc.send-otp');
    if (!endpoint) throw new Error('the contract has no endpoint kyc.send-otp');
    const { url, received } = await startServer(limited('30'));
    const { client, paused } = await patientClient(url, 120_000);
    const failure = await failureIn(call(client, endpoint, endpoint.example));
    expect({ calls: received.length, paused, code: failure.code }).toEqual({
      calls: 1,
      paused: [],
      code: 'limit_reached',
    });
    expect(failure.details.hint).toMatch(/requests a wait of 30\.0 s\. Retry after 2/);
  });
});
