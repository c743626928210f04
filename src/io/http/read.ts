import type { IncomingHttpHeaders } from 'node:http';

/** A request without a body. */
type Reading = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** What happens to one exchange, in the terms of undici. */
export type Exchange = {
  /** Called before the first byte of the request leaves. */
  readonly onRequestStart: () => void;
  readonly onResponseStart: (_: unknown, status: number, headers: IncomingHttpHeaders) => void;
  readonly onResponseData: (_: unknown, chunk: Buffer) => void;
  readonly onResponseEnd: () => void;
  readonly onResponseError: (_: unknown, error: unknown) => void;
};

/**
 * Sends a request that only reads, by Node's own HTTP: it loads in less time than undici. `ended` destroys the connection.
 */
export const readByNode = async (
  { url, method, headers }: Reading,
  exchange: Exchange,
  { ended, maxHeaderSize }: { readonly ended: AbortSignal; readonly maxHeaderSize: number },
): Promise<void> => {
  const isSecure = new URL(url).protocol === 'https:';
  const { request } = isSecure ? await import('node:https') : await import('node:http');
  const own = { ...headers, 'accept-encoding': 'identity' };
  const outgoing = request(url, { method, headers: own, agent: false, maxHeaderSize, signal: ended });
  outgoing.on('error', (error) => exchange.onResponseError(undefined, error));
  outgoing.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', exchange.onRequestStart));
  outgoing.once('response', (response) => {
    exchange.onResponseStart(undefined, response.statusCode ?? 0, response.headers);
    response.on('data', (chunk: Buffer) => exchange.onResponseData(undefined, chunk));
    response.on('error', (error) => exchange.onResponseError(undefined, error));
    response.once('close', () => {
      if (response.complete) exchange.onResponseEnd();
      else exchange.onResponseError(undefined, new Error('the connection was closed'));
    });
  });
  outgoing.end();
};
