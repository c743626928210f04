import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** What happens to a request that was read whole: before it is forwarded, or when its whole answer is there. */
export type Fault =
  | 'drop before'
  | 'drop after'
  | 'hang before'
  | 'hang after'
  | 'reset after'
  | 'truncate'
  | 'HTML 502 before'
  | 'HTML 502 after'
  | '500 before'
  | '429 before';

export type Seen = { readonly method: string; readonly path: string };

type Settings = {
  /** The fault of a request; `undefined` passes it on. */
  readonly faultOf?: (seen: Seen) => Fault | undefined;
  /** Awaited when a request was read whole, and before anything becomes of it. */
  readonly onRequest?: (seen: Seen) => void | Promise<void>;
};

/** A TCP proxy before a service. Each connection carries one request, as bursar makes them. */
export type FaultProxy = {
  readonly url: string;
  /** Requests in the order in which they came. */
  readonly seen: Seen[];
  readonly set: (settings: Settings) => void;
  readonly close: () => void;
};

const HEAD_END = '\r\n\r\n';

/** Whether an HTTP/1.1 message with a length, or without a body, is whole. */
const isWhole = (bytes: Buffer): boolean => {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return false;
  const head = bytes.subarray(0, end).toString('latin1');
  const body = bytes.subarray(end + HEAD_END.length);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) return body.length >= Number(length);
  return !/^transfer-encoding: *chunked/im.test(head) || body.includes('0\r\n\r\n');
};

const readWhole = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (isWhole(bytes)) end();
    };
    const end = () => {
      socket.off('data', take).off('end', end);
      resolve(bytes);
    };
    socket.on('data', take).on('end', end);
  });

/** The sandbox answers to its own address alone. */
const addressedTo = (host: string, request: Buffer): Buffer =>
  Buffer.from(request.toString('latin1').replace(/^host: .*$/im, `host: ${host}`), 'latin1');

const seenIn = (request: Buffer): Seen => {
  const [method = '', path = ''] = request.subarray(0, request.indexOf('\r\n')).toString('latin1').split(' ');
  return { method, path };
};

const page = (status: string, type: string, body: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close${HEAD_END}${body}`;

const envelope = (statusCode: number, status: string): string =>
  JSON.stringify({ statusCode, success: false, status, message: `a gateway says ${status}` });

const BAD_GATEWAY = page('502 Bad Gateway', 'text/html', '<html><h1>Bad Gateway</h1></html>');
const SERVER_ERROR = page('500 Internal Server Error', 'application/json', envelope(500, 'internal_error'));
const TOO_MANY = page('429 Too Many Requests', 'application/json', envelope(429, 'too_many_requests'));

const INSTEAD: Partial<Record<Fault, string | undefined>> = {
  'HTML 502 before': BAD_GATEWAY,
  '500 before': SERVER_ERROR,
  '429 before': TOO_MANY,
};

/** A fault that keeps the request from the service. */
const failBefore = (fault: Fault, socket: Socket): void => {
  if (fault === 'hang before') return;
  const answer = INSTEAD[fault];
  if (answer === undefined) socket.destroy();
  else socket.end(answer);
};

/** What becomes of an answer of the service. */
const passBack = (fault: Fault | undefined, socket: Socket, answer: Buffer): void => {
  if (fault === 'hang after') return;
  if (fault === 'drop after') socket.destroy();
  else if (fault === 'reset after') socket.resetAndDestroy();
  else if (fault === 'truncate') socket.end(answer.subarray(0, answer.length - 20));
  else socket.end(fault === 'HTML 502 after' ? BAD_GATEWAY : answer);
};

/** Answers that are always the same, by their path: they need no service. */
type Fixed = Readonly<Record<string, string>>;

/** Starts a proxy before the service at a URL. Without settings it passes everything on. */
export const startFaultProxy = async (target: string, fixed: Fixed = {}): Promise<FaultProxy> => {
  const { hostname, port } = new URL(target);
  const seen: Seen[] = [];
  const open = new Set<Socket>();
  let settings: Settings = {};
  const handle = async (socket: Socket): Promise<void> => {
    const request = await readWhole(socket);
    if (request.length === 0) return;
    const one = seenIn(request);
    const known = fixed[one.path];
    if (known !== undefined) return void socket.end(page('200 OK', 'application/json', known));
    seen.push(one);
    await settings.onRequest?.(one);
    const fault = settings.faultOf?.(one);
    if (fault?.endsWith('before')) return failBefore(fault, socket);
    const upstream = connect(Number(port), hostname);
    open.add(upstream.on('error', () => socket.destroy()));
    upstream.write(addressedTo(`${hostname}:${port}`, request));
    passBack(fault, socket, await readWhole(upstream));
    upstream.destroy();
  };
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined));
    void handle(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    set: (next) => {
      settings = next;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
};
