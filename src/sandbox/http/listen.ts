import { once } from 'node:events';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure, hasCode } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { type Answer, envelopeText, refusal } from './envelope.ts';

/** When the server stops, open calls have this time to end. */
export const LAST_CALLS_MS = 5_000;
/** The same time for a server whose program may have been killed: it promises to end within two seconds. */
export const LAST_BOUND_CALLS_MS = 500;
const LOOK_EVERY_MS = 20;

const isTaken = (error: unknown): boolean => hasCode(error, 'EADDRINUSE', 'EACCES');

/** Listens on a port of loopback, 0 for a free one; resolves with the port. */
export const listenOn = async (server: Server, port: number): Promise<number> => {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

/**
 * Listens on loopback and resolves with the port. Without a requested port it tries the last port, then a free one.
 * Throws `sandbox_unavailable` when the requested port is taken.
 */
export const listen = async (server: Server, requested: number | undefined, last: number): Promise<number> => {
  try {
    return await listenOn(server, requested ?? last);
  } catch (error) {
    if (!isTaken(error)) throw error;
    if (requested === undefined) return listenOn(server, 0);
    throw new Failure('sandbox_unavailable', `port ${requested} is taken or not allowed`, {
      hint: 'Choose another port, or none for a free one.',
    });
  }
};

/** Closes a server: it accepts no new calls, waits for open calls, and cuts them off after `limitMs`. */
export const closeServer = async (io: Io, server: Server, limitMs: number): Promise<void> => {
  let isClosed = false;
  server.close(() => {
    isClosed = true;
  });
  const deadline = io.clock.monotonic() + limitMs;
  while (!isClosed) {
    server.closeIdleConnections();
    if (io.clock.monotonic() > deadline) server.closeAllConnections();
    await io.clock.sleep(LOOK_EVERY_MS);
  }
};

/** The answer to bytes that are no HTTP request. */
export const BAD_REQUEST = refusal(400, 'bad_request', 'This is not a usable HTTP request.');
const NO_PROXY = refusal(405, 'method_not_allowed', 'The sandbox is no proxy.');

/** Writes an answer to a raw connection and ends it. */
export const endWith = (socket: Duplex, answer: Answer): void => {
  const body = envelopeText(answer);
  const head = [
    `HTTP/1.1 ${answer.http} ${STATUS_CODES[answer.http]}`,
    ...['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, 'connection: close'],
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  else socket.destroy();
};

/** Answers bytes that are no HTTP request, and proxy requests, with an envelope. */
export const answerGarbage = (server: Server): void => {
  server.on('clientError', (_, socket) => endWith(socket, BAD_REQUEST));
  server.on('connect', (_, socket) => endWith(socket, NO_PROXY));
};

/** The names of this machine's loopback. Another Host may come from a web page by DNS rebinding. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a request has one Host header, with a loopback name and the server's own port. */
export const isOwnHost = ({ headersDistinct, socket }: IncomingMessage): boolean => {
  const [host, other] = headersDistinct['host'] ?? [];
  if (host === undefined || other !== undefined) return false;
  return NAMES.some((name) => host.toLowerCase() === `${name}:${socket.localPort}`);
};

/** The origin of a page of this machine. */
const OWN_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Whether a request is not from a page of another site. Browsers send the origin of a page; other programs send none. */
export const isOwnOrigin = ({ headers: { origin } }: IncomingMessage): boolean =>
  origin === undefined || OWN_ORIGIN.test(origin);
