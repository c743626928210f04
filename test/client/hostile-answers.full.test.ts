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

/** A server that says whatever bytes a test has, once a request is there. */
const startRaw = async (say: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => say(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const MONEY = { executor_id: 'api_transaction', payment_id: 'pay_1', signed_transaction: '0x02' };
const DEADLINE_MS = 600;

/** How a read and a call of money end with one server: within the deadline, and as the table of exits has it. */
const expectRefused = async (url: string, words: RegExp): Promise<void> => {
  const read = await patientClient(url, DEADLINE_MS);
  const money = await patientClient(url, DEADLINE_MS);
  const start = performance.now();
  const [ofRead, ofMoney] = await Promise.all([
    failureIn(call(read.client, status, { id: 'pay_1' })),
    failureIn(call(money.client, execute, MONEY)),
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
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
};

/** The beginning of an answer, and then what never ends. */
const beginning = <T extends readonly unknown[]>(
  socket: Socket,
  first: string,
  go: (socket: Socket, text: string, ...rest: T) => void,
  text: string,
  ...rest: T
): void => {
  socket.write(first);
  go(socket, text, ...rest);
};

describe('bytes that are no answer', () => {
  it.each<readonly [string, (socket: Socket) => void, RegExp]>([
    [
      'chunks that break off',
      (s) => s.end(`${HEAD}transfer-encoding: chunked\r\n\r\nff\r\n{"status`),
      /connection was lost/,
    ],
    [
      'a length larger than the body',
      (s) => s.end(`${HEAD}content-length: 999\r\n\r\n${DOCUMENT}`),
      /connection was lost/,
    ],
    ['a length smaller than the body', (s) => s.end(`${HEAD}content-length: 20\r\n\r\n${DOCUMENT}`), /invalid JSON/],
    ['half a body until the connection closes', (s) => s.end(`${HEAD}\r\n${DOCUMENT.slice(0, 30)}`), /invalid JSON/],
    [
      'two lengths',
      (s) => s.end(`${HEAD}content-length: 5\r\ncontent-length: 6\r\n\r\n${DOCUMENT}`),
      /connection was lost/,
    ],
    ['no HTTP', (s) => s.end('SSH-2.0-OpenSSH_9.2\r\n'), /connection was lost/],
    ['nothing', (s) => s.end(), /connection was lost/],
    [
      'an upgrade',
      (s) => s.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      /connection was lost/,
    ],
    [
      'headers without end',
      (s) => beginning(s, HEAD, flood, 'x-header: yyyyyyyyyyyyyyyyyyyyyyyyy\r\n'),
      /too large|did not answer in time/,
    ],
    [
      'a large header',
      (s) => s.write(`${HEAD}x: ${'y'.repeat(1024 * 1024)}\r\n\r\n${DOCUMENT}`),
      /too large|connection was lost/,
    ],
    [
      'early hints without end',
      (s) => flood(s, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
      /did not answer in time/,
    ],
    ['a header that drips', (s) => forever(s, 'x', 30), /did not answer in time|connection was lost/],
    [
      'a status line that drips',
      (s) => beginning(s, 'HTTP/1.1 2', forever, '0', 50),
      /did not answer in time|connection was lost/,
    ],
    ['a body that drips', (s) => beginning(s, `${HEAD}\r\n`, forever, ' ', 30), /did not answer in time/],
    [
      'chunks that drip',
      (s) => beginning(s, `${HEAD}transfer-encoding: chunked\r\n\r\n`, forever, '1\r\n \r\n', 30),
      /did not answer in time/,
    ],
  ])('%s: a read is not available, money unknown, in time', async (_, say, words) => {
    await expectRefused(await startRaw(say), words);
  });

  it('trailers, hints and a mark of byte order change nothing about a whole answer', async () => {
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

describe('a connection that a server keeps open', () => {
  it('is not used again: what is sent on it after the server gave it up would be lost, money too', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      let requests = 0;
      socket
        .on('error', () => undefined)
        .on('data', () => {
          requests += 1;
          // It reads the second request of a connection, and is gone before it answers.
          if (requests > 1) return void socket.destroy();
          socket.write(`${HEAD}connection: keep-alive\r\ncontent-length: ${DOCUMENT.length}\r\n\r\n${DOCUMENT}`);
        });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { client } = await patientClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await call(client, status, { id: 'pay_1' })).toMatchObject({ status: 'payment_found' });
    expect(await call(client, execute, MONEY)).toMatchObject({ status: 'payment_found' });
    expect(connections).toBe(2);
  });
});

describe('an answer that is not of the service', () => {
  it.each([
    ['nothing at all', raw(204, ''), /an empty body \(HTTP 204/],
    ['an empty 200', raw(200, '', { 'content-type': 'application/json' }), /an empty body \(HTTP 200/],
    [
      'an envelope as a page',
      raw(200, DOCUMENT, { 'content-type': 'text/html' }),
      /a body that is not JSON \(HTTP 200, text\/html/,
    ],
    [
      'an envelope as no JSON type',
      raw(200, DOCUMENT, { 'content-type': 'application/jsonp' }),
      /a body that is not JSON/,
    ],
    [
      'bytes that are no text',
      (_: unknown, r: { end: (b: Buffer) => unknown }) => void r.end(Buffer.from([0xff, 0xfe, 0x7b])),
      /invalid JSON/,
    ],
    ['a list', raw(200, '[]'), /without the service's envelope/],
    [
      'a redirect to a script',
      raw(302, '', { location: 'javascript:alert(1)' }),
      /a redirect to an address of javascript:/,
    ],
    ['a redirect to nowhere', raw(301, ''), /a redirect to nowhere/],
    ['a redirect to itself', raw(308, '', { location: '/login?token=t0k3n' }), /a redirect to another path of its own/],
  ] as const)('%s', async (_, responder, words) => {
    const { url } = await startServer(responder as never);
    await expectRefused(url, words);
  });

  it.each(['application/json; charset=utf-8', 'application/problem+json', 'text/json'])('%s is JSON', async (type) => {
    const { url } = await startServer(raw(200, DOCUMENT, { 'content-type': type }));
    const { client } = await patientClient(url);
    expect(await call(client, status, { id: 'pay_1' })).toMatchObject({ status: 'payment_found' });
  });
});

describe('an answer that something on the way compressed', () => {
  const packed = (body: Buffer, encoding: string) => (_: unknown, response: import('node:http').ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);

  it.each([
    ['gzip', gzipSync(DOCUMENT)],
    ['x-gzip', gzipSync(DOCUMENT)],
    ['deflate', deflateSync(DOCUMENT)],
    ['br', brotliCompressSync(DOCUMENT)],
    ['identity', Buffer.from(DOCUMENT)],
  ])('%s is read all the same', async (encoding, body) => {
    const { url } = await startServer(packed(body, encoding));
    const { client } = await patientClient(url);
    expect(await call(client, status, { id: 'pay_1' })).toMatchObject({ status: 'payment_found' });
  });

  it.each([
    [
      'half of it',
      gzipSync(DOCUMENT).subarray(0, 40),
      'gzip',
      /compressed and cannot be read \(it is not complete gzip data/,
    ],
    ['what is not', Buffer.from(DOCUMENT), 'gzip', /compressed and cannot be read/],
    ['in an unknown way', Buffer.from(DOCUMENT), 'zstd', /compressed and cannot be read/],
    ['twice', gzipSync(gzipSync(DOCUMENT)), 'gzip, gzip', /compressed and cannot be read/],
  ])('%s: a read is not available, money unknown', async (_, body, encoding, words) => {
    const { url } = await startServer(packed(body, encoding));
    await expectRefused(url, words);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)('200 MB of nothing in a %s of a few KB cost less than 50 MB', async (encoding, pack) => {
    const body = pack(Buffer.alloc(200 * 1024 * 1024, 32));
    global.gc?.();
    const before = process.memoryUsage().rss;
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 1);
    const { url } = await startServer(packed(body, encoding));
    const { client } = await patientClient(url);
    const failure = await failureIn(call(client, execute, MONEY));
    clearInterval(timer);
    expect(failure.message).toMatch(/too large \(decompressed it is larger than 4194304 bytes/);
    expect(FAILURES[failure.code]).toBe(EXIT.outcomeUnknown);
    expect(Math.max(most, process.memoryUsage().rss) - before).toBeLessThan(50 * 1024 * 1024);
  });
});
