import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../../src/client/call.ts';
import { execute } from '../../src/contract/pay/execute.ts';
import { status } from '../../src/contract/pay/status.ts';
import { EXIT, FAILURES } from '../../src/core/failure.ts';
import { raw, startServer } from '../support/server.ts';
import { failureIn, patientClient } from './client.ts';

/** A TCP server that calls `respond` when a request arrives, to send any bytes. */
const startRaw = async (respond: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => respond(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const EXECUTE_INPUT = { executor_id: 'api_transaction', payment_id: 'pay_1', signed_transaction: '0x02' };
const DEADLINE_MS = 600;

/** Expects that a read fails as unavailable and pay execute as unknown, both before the deadline. */
const expectNoUsableResponse = async (url: string, words: RegExp): Promise<void> => {
  const read = await patientClient(url, DEADLINE_MS);
  const money = await patientClient(url, DEADLINE_MS);
  const start = performance.now();
  const [ofRead, ofMoney] = await Promise.all([
    failureIn(call(read.client, status, { id: 'pay_1' })),
    failureIn(call(money.client, execute, EXECUTE_INPUT)),
  ]);
  expect(performance.now() - start).toBeLessThan(DEADLINE_MS + 3000);
  expect(ofMoney.message).toMatch(words);
  expect(FAILURES[ofMoney.code]).toBe(EXIT.outcomeUnknown);
  expect(FAILURES[ofRead.code]).toBe(EXIT.unavailable);
};

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const DOCUMENT = '{"statusCode":200,"success":true,"status":"payment_found","message":"","data":{}}';

const forever = (socket: Socket, text: string, everyMs: number): void => {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
};

const flood = (socket: Socket, text: string): void => {
  const bytes = text.repeat(Math.ceil(65_536 / text.length));
  const writeMore = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', writeMore);
  writeMore();
};

/** Writes the start of a response, then calls `go` to continue without end. */
const startThen = <T extends readonly unknown[]>(
  socket: Socket,
  first: string,
  continueWith: (socket: Socket, text: string, ...rest: T) => void,
  text: string,
  ...rest: T
): void => {
  socket.write(first);
  continueWith(socket, text, ...rest);
};

describe('a response with invalid or endless bytes', () => {
  it.each<readonly [string, (socket: Socket) => void, RegExp]>([
    [
      'an incomplete chunk',
      (s) => s.end(`${HEAD}transfer-encoding: chunked\r\n\r\nff\r\n{"status`),
      /connection was lost/,
    ],
    [
      'a content-length larger than the body',
      (s) => s.end(`${HEAD}content-length: 999\r\n\r\n${DOCUMENT}`),
      /connection was lost/,
    ],
    [
      'a content-length smaller than the body',
      (s) => s.end(`${HEAD}content-length: 20\r\n\r\n${DOCUMENT}`),
      /invalid JSON/,
    ],
    ['half a body without content-length', (s) => s.end(`${HEAD}\r\n${DOCUMENT.slice(0, 30)}`), /invalid JSON/],
    [
      'two content-lengths',
      (s) => s.end(`${HEAD}content-length: 5\r\ncontent-length: 6\r\n\r\n${DOCUMENT}`),
      /connection was lost/,
    ],
    ['another protocol', (s) => s.end('SSH-2.0-OpenSSH_9.2\r\n'), /connection was lost/],
    ['no bytes', (s) => s.end(), /connection was lost/],
    [
      'a protocol upgrade',
      (s) => s.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      /connection was lost/,
    ],
    [
      'endless headers',
      (s) => startThen(s, HEAD, flood, 'x-header: yyyyyyyyyyyyyyyyyyyyyyyyy\r\n'),
      /too large|did not answer in time/,
    ],
    [
      'a large header',
      (s) => s.write(`${HEAD}x: ${'y'.repeat(1024 * 1024)}\r\n\r\n${DOCUMENT}`),
      /too large|connection was lost/,
    ],
    [
      'endless early hints',
      (s) => flood(s, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
      /did not answer in time/,
    ],
    ['a slow endless header', (s) => forever(s, 'x', 30), /did not answer in time|connection was lost/],
    [
      'a slow endless status line',
      (s) => startThen(s, 'HTTP/1.1 2', forever, '0', 50),
      /did not answer in time|connection was lost/,
    ],
    ['a slow endless body', (s) => startThen(s, `${HEAD}\r\n`, forever, ' ', 30), /did not answer in time/],
    [
      'slow endless chunks',
      (s) => startThen(s, `${HEAD}transfer-encoding: chunked\r\n\r\n`, forever, '1\r\n \r\n', 30),
      /did not answer in time/,
    ],
  ])('%s: before the deadline a read fails as unavailable and pay execute as unknown', async (_, respond, words) => {
    await expectNoUsableResponse(await startRaw(respond), words);
  });

  it('is accepted with trailers, early hints and a byte order mark', async () => {
    const chunk = `\u{feff}${DOCUMENT}`;
    const body = `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n0\r\nx-trailer: 1\r\n\r\n`;
    const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(20);
    const url = await startRaw((socket) =>
      socket.write(`${hints}${HEAD}trailer: x-trailer\r\ntransfer-encoding: chunked\r\n\r\n${body}`),
    );
    const { client } = await patientClient(url);
    expect(await call(client, status, { id: 'pay_1' })).toMatchObject({ status: 'payment_found' });
  });
});

describe('a connection that the service keeps open', () => {
  it('is not reused, because the service may close it during the next request', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      let requests = 0;
      socket
        .on('error', () => undefined)
        .on('data', () => {
          requests += 1;
          // The server reads a second request on one connection and closes the connection without a response.
          if (requests > 1) return void socket.destroy();
          socket.write(`${HEAD}connection: keep-alive\r\ncontent-length: ${DOCUMENT.length}\r\n\r\n${DOCUMENT}`);
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { client } = await patientClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await call(client, status, { id: 'pay_1' })).toMatchObject({ status: 'payment_found' });
    expect(await call(client, execute, EXECUTE_INPUT)).toMatchObject({ status: 'payment_found' });
    expect(connections).toBe(2);
  });
});

describe('a response that is not from the service', () => {
  it.each([
    ['an empty 204', raw(204, ''), /an empty body \(HTTP 204/],
    ['an empty 200', raw(200, '', { 'content-type': 'application/json' }), /an empty body \(HTTP 200/],
    [
      'an envelope with an HTML content type',
      raw(200, DOCUMENT, { 'content-type': 'text/html' }),
      /a body that is not JSON \(HTTP 200, text\/html/,
    ],
    [
      'an envelope with a content type that is not JSON',
      raw(200, DOCUMENT, { 'content-type': 'application/jsonp' }),
      /a body that is not JSON/,
    ],
    [
      'bytes that are not UTF-8',
      (_: unknown, r: { end: (b: Buffer) => unknown }) => void r.end(Buffer.from([0xff, 0xfe, 0x7b])),
      /invalid JSON/,
    ],
    ['a JSON array', raw(200, '[]'), /without the service's envelope/],
    [
      'a redirect to a script',
      raw(302, '', { location: 'javascript:alert(1)' }),
      /a redirect to an address of javascript:/,
    ],
    ['a redirect without a location', raw(301, ''), /a redirect to nowhere/],
    [
      'a redirect to another path of the service',
      raw(308, '', { location: '/login?token=t0k3n' }),
      /a redirect to another path of its own/,
    ],
  ] as const)('%s: a read fails as unavailable and pay execute as unknown', async (_, responder, words) => {
    const { url } = await startServer(responder as never);
    await expectNoUsableResponse(url, words);
  });

  it.each(['application/json; charset=utf-8', 'application/problem+json', 'text/json'])(
    'content type %s is accepted as JSON',
    async (type) => {
      const { url } = await startServer(raw(200, DOCUMENT, { 'content-type': type }));
      const { client } = await patientClient(url);
      expect(await call(client, status, { id: 'pay_1' })).toMatchObject({ status: 'payment_found' });
    },
  );
});

describe('a response that a proxy compressed', () => {
  const sendCompressed =
    (body: Buffer, encoding: string) => (_: unknown, response: import('node:http').ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);

  it.each([
    ['gzip', gzipSync(DOCUMENT)],
    ['x-gzip', gzipSync(DOCUMENT)],
    ['deflate', deflateSync(DOCUMENT)],
    ['br', brotliCompressSync(DOCUMENT)],
    ['identity', Buffer.from(DOCUMENT)],
  ])('with %s is decompressed', async (encoding, body) => {
    const { url } = await startServer(sendCompressed(body, encoding));
    const { client } = await patientClient(url);
    expect(await call(client, status, { id: 'pay_1' })).toMatchObject({ status: 'payment_found' });
  });

  it.each([
    [
      'incomplete gzip data',
      gzipSync(DOCUMENT).subarray(0, 40),
      'gzip',
      /compressed and cannot be read \(it is not complete gzip data/,
    ],
    ['gzip declared for plain data', Buffer.from(DOCUMENT), 'gzip', /compressed and cannot be read/],
    ['an unsupported encoding', Buffer.from(DOCUMENT), 'zstd', /compressed and cannot be read/],
    ['two encodings', gzipSync(gzipSync(DOCUMENT)), 'gzip, gzip', /compressed and cannot be read/],
  ])('with %s: a read fails as unavailable and pay execute as unknown', async (_, body, encoding, words) => {
    const { url } = await startServer(sendCompressed(body, encoding));
    await expectNoUsableResponse(url, words);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)(
    'with 200 MB of blanks in a small %s is rejected, and costs less than 50 MB of memory',
    async (encoding, compress) => {
      const body = compress(Buffer.alloc(200 * 1024 * 1024, 32));
      global.gc?.();
      const before = process.memoryUsage().rss;
      let peak = before;
      const timer = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 1);
      const { url } = await startServer(sendCompressed(body, encoding));
      const { client } = await patientClient(url);
      const failure = await failureIn(call(client, execute, EXECUTE_INPUT));
      clearInterval(timer);
      expect(failure.message).toMatch(/too large \(decompressed it exceeds 4194304 bytes/);
      expect(FAILURES[failure.code]).toBe(EXIT.outcomeUnknown);
      expect(Math.max(peak, process.memoryUsage().rss) - before).toBeLessThan(50 * 1024 * 1024);
    },
  );
});
