import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { AT_ONCE_MS } from '../../support/at-once.ts';
import { startEphemeral, type TestSandbox } from '../sandbox.ts';
import { expectEnvelope } from './expect.ts';
import { answersIn, exchange } from './raw.ts';

const alive = async ({ get }: TestSandbox): Promise<void> => {
  expect((await get('/config/products')).body.status).toBe('products_listed');
};

const READ = '/config/products';
const WRITE = '/payment/register/intents-create-order';
const JSON_TYPE = 'content-type: application/json';

/** A request as bytes; `HOST` and `KEY` are filled in with the sandbox's own. */
const bytesOf = ({ address }: TestSandbox, lines: readonly string[], body = ''): string =>
  `${lines.join('\r\n')}\r\n\r\n${body}`
    .replaceAll('HOST', new URL(address.url).host)
    .replaceAll('KEY', address.api_key);

const HEAD = ['host: HOST', 'x-api-key: KEY'];

const get = (...more: readonly string[]): readonly string[] => [`GET ${READ} HTTP/1.1`, ...HEAD, ...more];
const post = (...more: readonly string[]): readonly string[] => [`POST ${WRITE} HTTP/1.1`, ...HEAD, JSON_TYPE, ...more];

/** What is sent, and the HTTP status that comes first; each is an envelope. */
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
  ['a method that there is not', 400, [`FOO ${READ} HTTP/1.1`, ...HEAD]],
  ['a body on GET', 200, get(JSON_TYPE, 'content-length: 4'), '{"a"'],
  ['a body shorter than it says', 400, post('content-length: 5'), '{"a":1}'],
  ['a length below zero', 400, post('content-length: -1'), '{}'],
  ['a length that is no number', 400, post('content-length: abc'), '{}'],
  ['two lengths', 400, post('content-length: 2', 'content-length: 3'), '{}'],
  ['a length beyond all numbers', 400, post('content-length: 99999999999999999999'), '{}'],
  ['a length beyond what is taken', 400, post('content-length: 999999999'), '{}'],
  ['length and chunks', 400, post('content-length: 2', 'transfer-encoding: chunked'), '2\r\n{}\r\n0\r\n\r\n'],
  ['chunks that are none', 400, post('transfer-encoding: chunked'), 'ZZ\r\n{}\r\n0\r\n\r\n'],
  ['an encoding that is not known', 400, post('transfer-encoding: gzip'), '{}'],
  ['an expectation that is not known', 400, post('expect: tea', 'content-length: 2'), '{}'],
  ['a WebSocket that is none', 400, get('connection: upgrade', 'upgrade: websocket', 'sec-websocket-key: x')],
  ['a header of 1 MB', 400, get(`x: ${'y'.repeat(1024 * 1024)}`)],
  ['5,000 headers', 200, get(...Array<string>(5000).fill('x: y'))],
  ['an address of 1 MB', 400, [`GET /${'y'.repeat(1024 * 1024)} HTTP/1.1`, ...HEAD]],
  ['a NUL in a header', 400, get('x: a\0b')],
  ['a folded header', 400, get('x: a\r\n b')],
  ['a NUL in the path', 400, ['GET /a\0b HTTP/1.1', ...HEAD]],
  ['a backslash in the path', 400, ['GET /payment\\x HTTP/1.1', ...HEAD]],
  ['a path that is no path', 400, ['GET payment HTTP/1.1', ...HEAD]],
  ['another host in the path', 404, ['GET //evil.example/config/products HTTP/1.1', ...HEAD]],
  ['TLS', 400, ['\x16\x03\x01\x00\xa5']],
  ['nonsense', 400, ['NONSENSE']],
];

const CASES = REQUESTS.map(([name, http, lines, body = '']) => ({ name, http, lines, body }));

test.each(CASES)('$name: $http and an envelope', async ({ name, http, lines, body }) => {
  const sandbox = await startEphemeral();
  const got = answersIn(await exchange(sandbox.address.url, bytesOf(sandbox, lines, body)));
  expect([name, got[0]?.http]).toEqual([name, http]);
  for (const answer of got) expectEnvelope(answer.http, answer.body, name);
  await alive(sandbox);
});

test('HEAD has the head of GET and no body', async () => {
  const sandbox = await startEphemeral();
  const { text } = await exchange(sandbox.address.url, bytesOf(sandbox, [`HEAD ${READ} HTTP/1.1`, ...HEAD]));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^{]*\r\n\r\n$/s);
});

test('two requests sent at once are answered in their order; a bad one behind a good one does not spoil it', async () => {
  const sandbox = await startEphemeral();
  const nope = bytesOf(sandbox, ['GET /nope HTTP/1.1', ...HEAD]);
  const good = bytesOf(sandbox, get());
  const both = answersIn(await exchange(sandbox.address.url, good + nope + good));
  expect(both.map(({ http }) => http)).toEqual([200, 404, 200]);
  const spoilt = answersIn(await exchange(sandbox.address.url, `${good}NONSENSE\r\n\r\n`));
  expect(spoilt[0]?.http === 200 || spoilt[0]?.http === 400).toBe(true);
  for (const { http, body } of spoilt) expectEnvelope(http, body, 'spoilt');
  await alive(sandbox);
});

test('bodies that never end hold up nobody, nor the end of the sandbox', async () => {
  const sandbox = await startEphemeral();
  const { port } = new URL(sandbox.address.url);
  const sockets = Array.from({ length: 50 }, (_, at) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const kind = at % 2 ? 'transfer-encoding: chunked' : 'content-length: 500';
    socket.write(bytesOf(sandbox, post(kind), at % 2 ? '2\r\n{"\r\n' : '{"'));
    return socket;
  });
  const begun = Date.now();
  await alive(sandbox);
  expect(Date.now() - begun).toBeLessThan(AT_ONCE_MS);
  await sandbox.stop();
  for (const socket of sockets) socket.destroy();
}, 20_000);

test('a body without end that is too large is answered while it is still being sent', async () => {
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
  await alive(sandbox);
});

test('two thousand connections that say nothing cost nobody an answer', async () => {
  const sandbox = await startEphemeral();
  const port = Number(new URL(sandbox.address.url).port);
  const sockets = Array.from({ length: 2000 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await alive(sandbox);
  for (const socket of sockets) socket.destroy();
});
