import { Agent, request } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Failure, messageOf } from '../../core/failure.ts';

/** One call of JSON-RPC; its id is unique on its link. */
type Request = {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
};

/** A node's reply to one call; `id` is `null` where the node could not read the call. */
type Reply = {
  readonly id: number | null;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly code: number; readonly data?: unknown };
};

/** Sends a list of calls in one message and resolves with the replies to it, in any order. Rejects when none come. */
export type Link = (calls: readonly Request[]) => Promise<readonly Reply[]>;

/** A node on this machine that is silent for so long hangs. Dumping a long history takes seconds. */
const SILENCE_MS = 60_000;

const silence = (): Error => new Error(`no answer within ${SILENCE_MS / 1000} s`);

const repliesIn = (message: string): readonly Reply[] => [JSON.parse(message) as Reply | readonly Reply[]].flat();

/** Where a node listens on this machine's loopback. */
type Place = { readonly host: string; readonly port: number };

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

/**
 * Connects to the Unix socket of a node that starts: the link, and the end of its connection. One line is one message,
 * each way. The path is not needed any more once it is connected.
 */
export const socketLink = async (path: string) => {
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
  const onText = splitLines((line) => take(repliesIn(line)));
  socket.setEncoding('utf8').on('data', onText);
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

/** A node's answer to a call: its result, or its error message. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly message: string; readonly code: number; readonly data?: unknown };

/** One JSON-RPC call to a node. Throws `sandbox_unavailable` when no answer comes. */
export type Rpc = (method: string, params?: readonly unknown[]) => Promise<RpcAnswer>;

type Call = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly answer: (reply: Reply | undefined) => void;
  readonly fail: (error: unknown) => void;
};

/** Calls of one request: a slow one holds up those beside it. */
const MAX_TOGETHER = 64;

/** Sends calls as one JSON-RPC batch and hands each its own reply. */
const sendTogether = async (calls: readonly (Call & { readonly id: number })[], link: Link): Promise<void> => {
  try {
    const replies = await link(calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, method, params })));
    const byId = new Map(replies.map((reply) => [reply.id, reply]));
    for (const { id, answer } of calls) answer(byId.get(id));
  } catch (error) {
    for (const { fail } of calls) fail(error);
  }
};

/**
 * Gathers the calls of a moment: whatever is asked in one turn of the event loop, by however many payments, is one
 * request. A request costs this process half a millisecond, one more call in it a twentieth.
 */
const gatherCalls = (most: number, link: Link): ((call: Call) => void) => {
  let waiting: (Call & { readonly id: number })[] = [];
  let last = 0;
  const flush = () => {
    const calls = waiting;
    waiting = [];
    for (let at = 0; at < calls.length; at += most) void sendTogether(calls.slice(at, at + most), link);
  };
  return (call) => {
    if (waiting.length === 0) setImmediate(flush);
    last += 1;
    waiting.push({ ...call, id: last });
  };
};

const noAnswer = (name: string, error: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's node of ${name} does not answer: ${messageOf(error)}`, {
    hint: 'It is started again, with its state, when it is needed next.',
    cause: error,
  });

/**
 * Opens JSON-RPC over a link to a node; `name` is the chain, for messages. Of a request that the node cannot read all
 * calls fail, so what others wrote goes by itself: `most` 1.
 */
export const openRpc = (link: Link, name: string, most: number = MAX_TOGETHER): Rpc => {
  const put = gatherCalls(most, link);
  return (method, params = []) =>
    new Promise((resolve, reject) => {
      const fail = (error: unknown) => reject(noAnswer(name, error));
      const answer = (reply: Reply | undefined) => {
        if (!reply) return fail(new Error(`no answer to ${method}`));
        resolve(reply.error ? { ok: false, ...reply.error } : { ok: true, result: reply.result });
      };
      put({ method, params, answer, fail });
    });
};

/** A call that a healthy node does not refuse. Throws `internal` when it does. */
export const ask = async (rpc: Rpc, method: string, params?: readonly unknown[]): Promise<unknown> => {
  const answer = await rpc(method, params);
  if (answer.ok) return answer.result;
  throw new Failure('internal', `the sandbox's node refused ${method}: ${answer.message}`);
};

/** A quantity as Ethereum's JSON-RPC writes it: hex without leading zeros. */
export const toHex = (quantity: bigint | number): string => `0x${quantity.toString(16)}`;

/** Reads a quantity of JSON-RPC. Throws `internal` for other text: a node never answers so. */
export const fromHex = (quantity: unknown): bigint => {
  if (typeof quantity !== 'string' || !/^0x[0-9a-f]+$/i.test(quantity)) {
    throw new Failure('internal', `the node answered ${JSON.stringify(quantity)} where a quantity belongs`);
  }
  return BigInt(quantity);
};
