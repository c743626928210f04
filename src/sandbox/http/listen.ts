import { once } from 'node:events';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { Failure, hasCode } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { type Answer, envelopeText, refusal } from './envelope.ts';

/** The time that open calls have to end when the server stops. */
const LAST_CALLS_MS = 5_000;
const LOOK_EVERY_MS = 20;

const isTaken = (error: unknown): boolean => hasCode(error, 'EADDRINUSE', 'EACCES');

/** Listens on a port of loopback, 0 for a free one; resolves with the port. */
export const listenOn = async (server: Server, port: number): Promise<number> => {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
};

/**
 * Listens on loopback: on the port that was asked for, or else on the last one, or else on a free one.
 * Throws `sandbox_unavailable` when the port that was asked for is taken.
 */
export const listen = async (server: Server, asked: number | undefined, last: number): Promise<number> => {
  try {
    return await listenOn(server, asked ?? last);
  } catch (error) {
    if (!isTaken(error)) throw error;
    if (asked === undefined) return listenOn(server, 0);
    throw new Failure('sandbox_unavailable', `port ${asked} is taken or not allowed`, {
      hint: 'Choose another --port, or leave --port out.',
    });
  }
};

/** Takes no new calls, lets those under way end, and cuts off what takes too long. */
export const closeServer = async (io: Io, server: Server): Promise<void> => {
  let isClosed = false;
  server.close(() => {
    isClosed = true;
  });
  const deadline = io.clock.monotonic() + LAST_CALLS_MS;
  while (!isClosed) {
    server.closeIdleConnections();
    if (io.clock.monotonic() > deadline) server.closeAllConnections();
    await io.clock.sleep(LOOK_EVERY_MS);
  }
};

/** Where there is nothing in it that could be answered otherwise. */
export const BAD_REQUEST = refusal(400, 'bad_request', 'This is not a usable HTTP request.');
const NO_PROXY = refusal(405, 'method_not_allowed', 'The sandbox is no proxy.');

/** An answer to bytes that are no HTTP request; the connection ends with it. */
export const endWith = (socket: Duplex, answer: Answer): void => {
  const body = envelopeText(answer);
  const head = [
    `HTTP/1.1 ${answer.http} ${STATUS_CODES[answer.http]}`,
    ...['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, 'connection: close'],
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  else socket.destroy();
};

/** Bytes that are no request still get an envelope. */
export const answerGarbage = (server: Server): void => {
  server.on('clientError', (_, socket) => endWith(socket, BAD_REQUEST));
  server.on('connect', (_, socket) => endWith(socket, NO_PROXY));
};

/** Names of this machine's loopback. Anything else in a Host header is a web page that was pointed at it. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a request was meant for this server: one Host, a loopback name with the server's own port. */
export const isOwnHost = ({ headersDistinct, socket }: IncomingMessage): boolean => {
  const [host, other] = headersDistinct['host'] ?? [];
  if (host === undefined || other !== undefined) return false;
  return NAMES.some((name) => host.toLowerCase() === `${name}:${socket.localPort}`);
};

/** A page of this machine. A program that is no browser names no origin. */
const OWN_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** Whether no page of another site sent a request: a browser names the page's origin. */
export const isOwnOrigin = ({ headers: { origin } }: IncomingMessage): boolean =>
  origin === undefined || OWN_ORIGIN.test(origin);
