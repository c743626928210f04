import type { IncomingMessage, Server } from 'node:http';
import type { Answer } from './envelope.ts';
import { endWith } from './garbage.ts';
import { isWebSocket, type Upgrade } from './websocket.ts';

/** Names of headers by which a client offers another protocol. */
const OFFERS = /^(?:upgrade|http2-settings)$/i;

/** A request's head without its offer to go on in another protocol. */
const plainHead = ({ method, url, rawHeaders }: IncomingMessage): string => {
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
  const kept = lines
    .filter(([name]) => !OFFERS.test(name))
    .map(([name, value]) =>
      /^connection$/i.test(name) ? [name, value.replaceAll(/upgrade|http2-settings/gi, '')] : [name, value],
    );
  return [`${method} ${url} HTTP/1.1`, ...kept.map((line) => line.join(': ')), '', ''].join('\r\n');
};

const NO_WEBSOCKET: Answer = {
  http: 400,
  status: 'bad_request',
  message: 'This is no WebSocket of version 13.',
};

/**
 * Answers what asks for a WebSocket by `welcome`, which gives the answer to those that are not let in. Anything else
 * that a client offers, such as HTTP/2, is declined: the request is read once more, as one without the offer.
 */
export const takeUpgrades = (server: Server, welcome: (upgrade: Upgrade) => Answer | undefined): void => {
  server.on('upgrade', (request, socket, head) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      socket.unshift(Buffer.concat([Buffer.from(plainHead(request), 'latin1'), head]));
      server.emit('connection', socket);
      return;
    }
    const refused = isWebSocket(request) ? welcome({ request, socket, head }) : NO_WEBSOCKET;
    if (refused) endWith(socket, refused);
  });
};
