import { Agent, request } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** One call of JSON-RPC; its id is unique on its link. */
export type Request = {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
};

/** A node's reply to one call; `id` is `null` where the node could not read the call. */
export type Reply = {
  readonly id: number | null;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly code: number; readonly data?: unknown };
};

/** Sends a list of calls in one message and resolves with the replies to it, in any order. Rejects when none come. */
export type Link = (calls: readonly Request[]) => Promise<readonly Reply[]>;

/** A node on this machine that is silent for so long hangs. Dumping a long history takes seconds. */
const SILENCE_MS = 60_000;

const silence = (): Error => new Error(`no answer within ${SILENCE_MS / 1000} s`);

const repliesIn = (message: string): readonly Reply[] => {
  const value = JSON.parse(message) as Reply | readonly Reply[];
  return [value].flat();
};

/** Where a node listens on this machine's loopback. */
export type Place = { readonly host: string; readonly port: number };

const post = (agent: Agent, place: Place, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request({ ...place, method: 'POST', agent, headers, timeout: SILENCE_MS });
    call.once('timeout', () => call.destroy(silence()));
    call.once('response', (answer) => void text(answer).then(resolve, reject));
    call.once('error', reject);
    call.end(body);
  });

/** A link over HTTP with kept connections. `node:http` takes half the time of `fetch` for such small calls. */
export const httpLink = (place: Place): Link => {
  const agent = new Agent({ keepAlive: true });
  return async (calls) => repliesIn(await post(agent, place, JSON.stringify(calls)));
};

const CONNECT_MS = 2_000;
const RETRY_MS = 5;

const connectOnce = (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(path, () => resolve(socket));
    socket.once('error', reject);
  });

/** The node makes its socket while it starts. */
const connect = async (path: string): Promise<Socket> => {
  const deadline = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      return await connectOnce(path);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
};

type Waiting = { readonly done: (replies: readonly Reply[]) => void; readonly fail: (error: Error) => void };

/** Hands each whole line to `onLine`. */
const splitLines = (onLine: (line: string) => void): ((chunk: string) => void) => {
  let parts: string[] = [];
  return (chunk) => {
    const [first = '', ...rest] = chunk.split('\n');
    parts.push(first);
    for (const next of rest) {
      onLine(parts.join(''));
      parts = [next];
    }
  };
};

/** A link over a Unix socket, and the end of its connection. One line is one message, each way. */
export type SocketLink = { readonly link: Link; readonly closed: Promise<void> };

/** Connects to the Unix socket of a node that starts. The path is not needed any more once it is connected. */
export const socketLink = async (path: string): Promise<SocketLink> => {
  const socket = await connect(path);
  const waiting = new Map<number, Waiting>();
  let reason = new Error('its connection was closed');
  const failAll = (): void => {
    for (const { fail } of waiting.values()) fail(reason);
    waiting.clear();
  };
  /** A reply without an id belongs to an unknown call that the node could not read. */
  const take = (replies: readonly Reply[]): void => {
    const known = replies.flatMap(({ id }) => (id === null ? [] : (waiting.get(id) ?? [])));
    if (known.length === 0) failAll();
    for (const { id } of replies) waiting.delete(id ?? 0);
    known[0]?.done(replies);
  };
  socket.setEncoding('utf8').on(
    'data',
    splitLines((line) => take(repliesIn(line))),
  );
  socket.setTimeout(SILENCE_MS, () => {
    if (waiting.size > 0) socket.destroy(silence());
  });
  socket.on('error', (error) => {
    reason = error;
  });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      failAll();
      resolve();
    });
  });
  const link: Link = (calls) =>
    new Promise((done, fail) => {
      if (socket.destroyed) return fail(reason);
      for (const { id } of calls) waiting.set(id, { done, fail });
      socket.write(`${JSON.stringify(calls)}\n`);
    });
  return { link, closed };
};
