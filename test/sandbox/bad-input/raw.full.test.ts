import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { AT_ONCE_MS } from '../../support/at-once.ts';
import { startEphemeral, type TestSandbox } from '../sandbox.ts';
import { expectEnvelope } from './expect.ts';
import { answersIn, exchange } from './raw.ts';

const expectAlive = async ({ get }: TestSandbox): Promise<void> => {
  expect((await get('/config/products')).body.status).toBe('products_listed');
};

const READ = '/config/products';
const WRITE = '/payment/register/intents-create-order';
const JSON_TYPE = 'content-type: application/json';

/** A request as bytes; the host and the API key of the sandbox replace `HOST` and `KEY`. */
const bytesOf = ({ address }: TestSandbox, lines: readonly string[], body = ''): string =>
  `${lines.join('\r\n')}\r\n\r\n${body}`
    .replaceAll('HOST', new URL(address.url).host)
    .replaceAll('KEY', address.api_key);

const HEAD = ['host: HOST', 'x-api-key: KEY'];

const get = (...more: readonly string[]): readonly string[] => [`GET ${READ} HTTP/1.1`, ...HEAD, ...more];
const post = (...more: readonly string[]): readonly string[] => [`POST ${WRITE} HTTP/1.1`, ...HEAD, JSON_TYPE, ...more];

/** Requests with the HTTP status of the first answer. */
const REQUESTS: readonly (readonly [string, number, readonly string[], string?])[] = [
  ['no Host', 400, [`GET ${READ} HTTP/1.1`]],
  ['HTTP/1.0 without Host', 400, [`GET ${READ} HTTP/1.0`]],
  ['HTTP/1.0', 200, [`GET ${READ} HTTP/1.0`, ...HEAD]],
  ['HTTP/2', 400, ['PRI * HTTP/2.0', '', 'SM']],
  ['HTTP/9.9', 400, [`GET ${READ} HTTP/9.9`, ...HEAD]],
  ['two Hosts', 403, get('host: evil.example')],
  ['another Host', 403, [`GET ${READ} HTTP/1.1`, 'host: evil.example', 'x-api-key: KEY']],
  ['OPTIONS *', 400, ['OPTIONS * HTTP/1.1', ...HEAD]],
  ['CONNECT', 405, ['CONNECT evil.example:443 HTTP/1.1', ...HEAD]],
  ['TRACE', 405, [`TRACE ${READ} HTTP/1.1`, ...HEAD]],
  ['OPTIONS', 405, [`OPTIONS ${READ} HTTP/1.1`, ...HEAD]],
  ['an unknown method', 400, [`FOO ${READ} HTTP/1.1`, ...HEAD]],
  ['a body on GET', 200, get(JSON_TYPE, 'content-length: 4'), '{"a"'],
  ['a body longer than its content-length', 400, post('content-length: 5'), '{"a":1}'],
  ['a negative content-length', 400, post('content-length: -1'), '{}'],
  ['a content-length that is no number', 400, post('content-length: abc'), '{}'],
  ['two content-lengths', 400, post('content-length: 2', 'content-length: 3'), '{}'],
  ['a content-length of 20 digits', 400, post('content-length: 99999999999999999999'), '{}'],
  ['a content-length above the limit', 400, post('content-length: 999999999'), '{}'],
  [
    'content-length and chunked encoding',
    400,
    post('content-length: 2', 'transfer-encoding: chunked'),
    '2\r\n{}\r\n0\r\n\r\n',
  ],
  ['malformed chunks', 400, post('transfer-encoding: chunked'), 'ZZ\r\n{}\r\n0\r\n\r\n'],
  ['an unknown transfer encoding', 400, post('transfer-encoding: gzip'), '{}'],
  ['an unknown expectation', 400, post('expect: tea', 'content-length: 2'), '{}'],
  [
    'an upgrade to a WebSocket without its key',
    400,
    get('connection: upgrade', 'upgrade: websocket', 'sec-websocket-key: x'),
  ],
  ['a header of 1 MB', 400, get(`x: ${'y'.repeat(1024 * 1024)}`)],
  ['5,000 headers', 200, get(...Array<string>(5000).fill('x: y'))],
  ['a URL of 1 MB', 400, [`GET /${'y'.repeat(1024 * 1024)} HTTP/1.1`, ...HEAD]],
  ['a NUL in a header', 400, get('x: a\0b')],
  ['a folded header', 400, get('x: a\r\n b')],
  ['a NUL in the path', 400, ['GET /a\0b HTTP/1.1', ...HEAD]],
  ['a backslash in the path', 400, ['GET /payment\\x HTTP/1.1', ...HEAD]],
  ['a path without a leading slash', 400, ['GET payment HTTP/1.1', ...HEAD]],
  ['another host in the path', 404, ['GET //evil.example/config/products HTTP/1.1', ...HEAD]],
  ['TLS', 400, ['\x16\x03\x01\x00\xa5']],
  ['a request line of one word', 400, ['NONSENSE']],
];

const CASES = REQUESTS.map(([name, http, lines, body = '']) => ({ name, http, lines, body }));

test.each(CASES)('returns $http and an envelope for: $name', async ({ name, http, lines, body }) => {
  const sandbox = await startEphemeral();
  const answers = answersIn(await exchange(sandbox.address.url, bytesOf(sandbox, lines, body)));
  expect([name, answers[0]?.http]).toEqual([name, http]);
  for (const answer of answers) expectEnvelope(answer.http, answer.body, name);
  await expectAlive(sandbox);
});

test('returns a status line and headers without a body for HEAD', async () => {
  const sandbox = await startEphemeral();
  const { text } = await exchange(sandbox.address.url, bytesOf(sandbox, [`HEAD ${READ} HTTP/1.1`, ...HEAD]));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^{]*\r\n\r\n$/s);
});

test('answers pipelined requests in their order, also when a malformed request follows', async () => {
  const sandbox = await startEphemeral();
  const nope = bytesOf(sandbox, ['GET /nope HTTP/1.1', ...HEAD]);
  const good = bytesOf(sandbox, get());
  const both = answersIn(await exchange(sandbox.address.url, good + nope + good));
  expect(both.map(({ http }) => http)).toEqual([200, 404, 200]);
  const mixed = answersIn(await exchange(sandbox.address.url, `${good}NONSENSE\r\n\r\n`));
  expect(mixed[0]?.http === 200 || mixed[0]?.http === 400).toBe(true);
  for (const { http, body } of mixed) expectEnvelope(http, body, 'a malformed request after a good one');
  await expectAlive(sandbox);
});

test('answers other requests and stops while 50 bodies never end', async () => {
  const sandbox = await startEphemeral();
  const { port } = new URL(sandbox.address.url);
  const sockets = Array.from({ length: 50 }, (_, at) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const kind = at % 2 ? 'transfer-encoding: chunked' : 'content-length: 500';
    socket.write(bytesOf(sandbox, post(kind), at % 2 ? '2\r\n{"\r\n' : '{"'));
    return socket;
  });
  const startedAt = Date.now();
  await expectAlive(sandbox);
  expect(Date.now() - startedAt).toBeLessThan(AT_ONCE_MS);
  await sandbox.stop();
  for (const socket of sockets) socket.destroy();
}, 20_000);

test('returns 400 for an endless body while it is still being sent', async () => {
  const sandbox = await startEphemeral();
  const http = await new Promise<number>((resolve, reject) => {
    const headers = { 'x-api-key': sandbox.address.api_key, 'content-type': 'application/json' };
    const sending = request(`${sandbox.address.url}${WRITE}`, { method: 'POST', headers }, (answer) => {
      resolve(answer.statusCode ?? 0);
      sending.destroy();
    });
    sending.on('error', reject);
    const more = (): void => {
      while (!sending.destroyed && sending.write('x'.repeat(65_536)));
    };
    sending.on('drain', more);
    more();
  });
  expect(http).toBe(400);
  await expectAlive(sandbox);
});

test('answers requests while 2,000 connections are silent', async () => {
  const sandbox = await startEphemeral();
  const port = Number(new URL(sandbox.address.url).port);
  const sockets = Array.from({ length: 2000 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await expectAlive(sandbox);
  for (const socket of sockets) socket.destroy();
});
