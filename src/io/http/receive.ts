import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure, hasCode } from '../../core/failure.ts';

/** A whole request that arrived; names of headers are in lower case. */
export type Incoming = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** What a receiver accepts, and its answer to each request: an HTTP status. */
export type Receiving = {
  /** 0 is any free port. */
  readonly port: number;
  /** The largest body of one request. A larger one is answered with 413. */
  readonly maxBytes: number;
  /** The largest sum of bodies that arrive or wait for their answer. Beyond it a request is answered with 503. */
  readonly maxBytesAtOnce: number;
  /** The status for a request that is not read, such as 404; `undefined` for one that is. */
  readonly refusal: (request: Pick<Incoming, 'method' | 'path'>) => number | undefined;
  readonly answer: (incoming: Incoming) => Promise<number>;
};

/** A receiver that listens. `close` waits for the answers to what has arrived. */
export type Receiver = { readonly port: number; readonly close: () => Promise<void> };

/** Receives HTTP requests on loopback. Throws `invalid_input` if the port is taken. */
export type Receive = (receiving: Receiving) => Promise<Receiver>;

/** The connection of a slower sender is closed. */
const SLOWEST_MS = 10_000;

/** When the receiver closes, open calls have this time to end. */
const LAST_CALLS_MS = 2_000;

/** More connections are closed unanswered. Each costs memory, also one that sends nothing. */
const MAX_CONNECTIONS = 4096;

/** Counts the bytes of all bodies that are read, or wait for their answer. */
type Room = { used: number };

/** Reads a body within the limits, or returns the status of the answer beyond them. */
const readBody = async (
  request: IncomingMessage,
  { maxBytes, maxBytesAtOnce }: Receiving,
  room: Room,
  take: (bytes: number) => void,
): Promise<Uint8Array | number> => {
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays open for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    take(chunk.length);
    if (size > maxBytes) return 413;
    if (room.used > maxBytesAtOnce) return 503;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const textHeaders = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const statusFor = async (request: IncomingMessage, receiving: Receiving, room: Room): Promise<number> => {
  const { method = '', url: path = '' } = request;
  const refused = receiving.refusal({ method, path });
  if (refused !== undefined) return refused;
  let taken = 0;
  const take = (bytes: number) => {
    taken += bytes;
    room.used += bytes;
  };
  try {
    const body = await readBody(request, receiving, room, take);
    if (typeof body === 'number') return body;
    return await receiving.answer({ method, path, headers: textHeaders(request), body });
  } finally {
    room.used -= taken;
  }
};

/** Receives by Node's server. */
export const systemReceive: Receive = async (receiving) => {
  const room: Room = { used: 0 };
  const limits = { requestTimeout: SLOWEST_MS, headersTimeout: SLOWEST_MS, connectionsCheckingInterval: 1_000 };
  const server = createServer(limits, (request, response) => {
    const work = statusFor(request, receiving, room).catch(() => 500);
    void work.then((status) => {
      // What was not read to its end cannot be followed by another request.
      response.writeHead(status, { connection: 'close' }).end();
      if (!request.complete) request.resume();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  try {
    await once(server.listen(receiving.port, '127.0.0.1'), 'listening');
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE', 'EACCES')) throw error;
    throw new Failure('invalid_input', `--port: port ${receiving.port} is taken or not allowed`, {
      hint: 'Choose another port, or leave --port out.',
    });
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cutting = setTimeout(() => server.closeAllConnections(), LAST_CALLS_MS);
      await closed;
      clearTimeout(cutting);
    },
  };
};
