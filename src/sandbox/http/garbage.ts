import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Answer, envelopeText } from './envelope.ts';

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
