import { Agent, request } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Failure, messageOf } from '../../core/failure.ts';

/** One JSON-RPC call. Its id is unique on its link. */
type Request = {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
};

/** A node's reply to one call; `id` is `null` if the node could not read the call. */
type Reply = {
  readonly id: number | null;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly code: number; readonly data?: unknown };
};

/** Sends calls in one message. Resolves with the replies, in any order. Rejects without a reply. */
export type Link = (calls: readonly Request[]) => Promise<readonly Reply[]>;

/** The time limit for a reply. To dump a large state takes seconds. */
const REPLY_TIMEOUT_MS = 60_000;

const timeoutError = (): Error => new Error(`no answer within ${REPLY_TIMEOUT_MS / 1000} s`);

const repliesIn = (message: string): readonly Reply[] => [JSON.parse(message) as Reply | readonly Reply[]].flat();

/** The address of a node on this machine's loopback. */
type Endpoint = { readonly host: string; readonly port: number };

const post = (agent: Agent, endpoint: Endpoint, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request({ ...endpoint, method: 'POST', agent, headers, timeout: REPLY_TIMEOUT_MS });
    call.once('timeout', () => call.destroy(timeoutError()));
    call.once('response', (answer) => void text(answer).then(resolve, reject));
    call.once('error', reject);
    call.end(body);
  });

/** A link over HTTP with kept-alive connections. For small calls, `node:http` takes half the time of `fetch`. */
export const httpLink = (endpoint: Endpoint): Link => {
  const agent = new Agent({ keepAlive: true });
  return async (calls) => repliesIn(await post(agent, endpoint, JSON.stringify(calls)));
};

const CONNECT_MS = 2_000;
const RETRY_MS = 5;

const connectOnce = (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(path, () => resolve(socket));
    socket.once('error', reject);
  });

/** Connects to a socket that the node creates while it starts. */
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

type PendingBatch = { readonly done: (replies: readonly Reply[]) => void; readonly fail: (error: Error) => void };

/** Calls `onLine` with each whole line. */
const splitLines = (onLine: (line: string) => void): ((chunk: string) => void) => {
  /** The parts of the line that has not ended yet. */
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

/**
 * Connects to the Unix socket of a starting node. Each message is one line. Resolves with the link and with `closed`, which
 * resolves when the connection ends. Once connected, the socket's file can be removed.
 */
export const socketLink = async (path: string) => {
  const socket = await connect(path);
  const pending = new Map<number, PendingBatch>();
  let reason = new Error('its connection was closed');
  const failAll = (): void => {
    for (const { fail } of pending.values()) fail(reason);
    pending.clear();
  };
  /** A reply without an id means that the node could not read a call. Nothing shows which call, so all fail. */
  const receive = (replies: readonly Reply[]): void => {
    const known = replies.flatMap(({ id }) => (id === null ? [] : (pending.get(id) ?? [])));
    if (known.length === 0) failAll();
    for (const { id } of replies) pending.delete(id ?? 0);
    known[0]?.done(replies);
  };
  const onText = splitLines((line) => receive(repliesIn(line)));
  socket.setEncoding('utf8').on('data', onText);
  socket.setTimeout(REPLY_TIMEOUT_MS, () => {
    if (pending.size > 0) socket.destroy(timeoutError());
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
      for (const { id } of calls) pending.set(id, { done, fail });
      socket.write(`${JSON.stringify(calls)}\n`);
    });
  return { link, closed };
};

/** A node's answer to a call: its result, or its error. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly message: string; readonly code: number; readonly data?: unknown };

/** Makes one JSON-RPC call to a node. Throws `sandbox_unavailable` without an answer. */
export type Rpc = (method: string, params?: readonly unknown[]) => Promise<RpcAnswer>;

type Call = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly answer: (reply: Reply | undefined) => void;
  readonly fail: (error: unknown) => void;
};

/** The maximum of calls in one request. All of them wait for the slowest. */
const MAX_BATCH = 64;

/** Sends calls as one JSON-RPC batch and passes each call its own reply. */
const sendBatch = async (calls: readonly (Call & { readonly id: number })[], link: Link): Promise<void> => {
  try {
    const replies = await link(calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params })));
    const byId = new Map(replies.map((reply) => [reply.id, reply]));
    for (const { id, answer } of calls) answer(byId.get(id));
  } catch (error) {
    for (const { fail } of calls) fail(error);
  }
};

/**
 * Sends all calls of one turn of the event loop in one request, from any number of payments. A request costs this process
 * 0.5 ms; one more call in it costs 0.025 ms. `limit` is the maximum of calls in a request.
 */
const batchCalls = (limit: number, link: Link): ((call: Call) => void) => {
  let queue: (Call & { readonly id: number })[] = [];
  let lastId = 0;
  const flush = () => {
    const calls = queue;
    queue = [];
    for (let at = 0; at < calls.length; at += limit) void sendBatch(calls.slice(at, at + limit), link);
  };
  return (call) => {
    if (queue.length === 0) setImmediate(flush);
    lastId += 1;
    queue.push({ ...call, id: lastId });
  };
};

const noAnswer = (name: string, error: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's node of ${name} does not answer: ${messageOf(error)}`, {
    hint: 'It is started again, with its state, when it is needed next.',
    cause: error,
  });

/**
 * Opens JSON-RPC over a link to a node. `name` is the chain, for messages. `limit` is the maximum of calls in a request. If
 * the node cannot read a request, all its calls fail. So calls with foreign parameters need a limit of 1.
 */
export const openRpc = (link: Link, name: string, limit: number = MAX_BATCH): Rpc => {
  const queueCall = batchCalls(limit, link);
  return (method, params = []) =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(noAnswer(name, error));
      const answer = (reply: Reply | undefined) => {
        if (!reply) return fail(new Error(`no answer to ${method}`));
        resolve(reply.error ? { ok: false, ...reply.error } : { ok: true, result: reply.result });
      };
      queueCall({ method, params, answer, fail });
    });
};

/** Makes a call that a healthy node accepts. Throws `internal` if the node refuses it. */
export const ask = async (rpc: Rpc, method: string, params?: readonly unknown[]): Promise<unknown> => {
  const answer = await rpc(method, params);
  if (answer.ok) return answer.result;
  throw new Failure('internal', `the sandbox's node refused ${method}: ${answer.message}`);
};

/** A quantity in the form of Ethereum's JSON-RPC: hex without leading zeros. */
export const toHex = (quantity: bigint | number): string => `0x${quantity.toString(16)}`;

/** Parses a quantity of JSON-RPC. Throws `internal` for any other value, because a node answers only quantities here. */
export const fromHex = (quantity: unknown): bigint => {
  if (typeof quantity !== 'string' || !/^0x[0-9a-f]+$/i.test(quantity)) {
    throw new Failure('internal', `the node answered ${JSON.stringify(quantity)} where a quantity belongs`);
  }
  return BigInt(quantity);
};
