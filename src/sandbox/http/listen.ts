import { type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { hasCode } from '../../core/error-code.ts';
import { Failure } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { type Answer, envelopeText } from './envelope.ts';

/** How long calls that are under way may take to end when the server stops. */
const LAST_CALLS_MS = 5_000;
const LOOK_EVERY_MS = 20;

const isTaken = (error: unknown): boolean => hasCode(error, 'EADDRINUSE', 'EACCES');

const listenOn = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

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
export const BAD_REQUEST: Answer = {
  http: 400,
  status: 'bad_request',
  message: 'This is not a usable HTTP request.',
};
const NO_PROXY: Answer = { http: 405, status: 'method_not_allowed', message: 'The sandbox is no proxy.' };

/** An answer to what is no request to the routes, as bytes; the connection ends with it. */
export const endWith = (socket: Duplex, answer: Answer): void => {
  const body = envelopeText(answer);
  const head = [
    `HTTP/1.1 ${answer.http} ${STATUS_CODES[answer.http]}`,
    ...['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, 'connection: close'],
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  else socket.destroy();
};

/** What never becomes a request still gets an envelope. */
export const answerGarbage = (server: Server): void => {
  server.on('clientError', (_, socket) => endWith(socket, BAD_REQUEST));
  server.on('connect', (_, socket) => endWith(socket, NO_PROXY));
};
