import type { IncomingMessage } from 'node:http';

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
