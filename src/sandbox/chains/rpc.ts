import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Failure, messageOf } from '../../core/failure.ts';

/** What a node says to a call: its result, or its own words of refusal. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly message: string; readonly code: number; readonly data?: unknown };

/** One JSON-RPC call to a node. Throws `sandbox_unavailable` when no answer comes. */
export type Rpc = (method: string, params?: readonly unknown[]) => Promise<RpcAnswer>;

/** A node on this machine that is silent for so long hangs. Loading or dumping a long history takes seconds. */
const SILENCE_MS = 60_000;

const post = (agent: Agent, port: number, body: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const call = request({ host: '127.0.0.1', port, method: 'POST', agent, headers, timeout: SILENCE_MS });
    call.once('timeout', () => call.destroy(new Error(`no answer within ${SILENCE_MS / 1000} s`)));
    call.once('response', (answer) => void text(answer).then(resolve, reject));
    call.once('error', reject);
    call.end(body);
  });

type Reply = {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly code: number; readonly data?: unknown };
};

type Call = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly answer: (reply: Reply | undefined) => void;
  readonly fail: (error: unknown) => void;
};

/** Calls of one request: a slow one holds up those beside it. */
const MOST_TOGETHER = 64;

/** Sends calls as one JSON-RPC batch and hands each its own answer. */
const sendTogether = async (calls: readonly Call[], send: (body: string) => Promise<string>): Promise<void> => {
  try {
    const batch = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    const replies = JSON.parse(await send(JSON.stringify(batch))) as readonly Reply[];
    const byId = new Map(replies.map((reply) => [reply.id, reply]));
    for (const [id, call] of calls.entries()) call.answer(byId.get(id));
  } catch (error) {
    for (const { fail } of calls) fail(error);
  }
};

/**
 * Gathers the calls of a moment: whatever is asked in one turn of the event loop, by however many payments, is one
 * request. A request costs this process half a millisecond, one more call in it a twentieth.
 */
const gatherCalls = (most: number, send: (body: string) => Promise<string>): ((call: Call) => void) => {
  let waiting: Call[] = [];
  const flush = () => {
    const calls = waiting;
    waiting = [];
    for (let at = 0; at < calls.length; at += most) {
      void sendTogether(calls.slice(at, at + most), send);
    }
  };
  return (call) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(call);
  };
};

const noAnswer = (name: string, error: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's node of ${name} does not answer: ${messageOf(error)}`, {
    hint: 'It is started again, with its state, when it is needed next.',
    cause: error,
  });

/**
 * Opens JSON-RPC over HTTP with kept connections to a node on this machine; `name` is the chain, for messages.
 * `node:http` takes half the time and processor of `fetch` for such small calls. Of a request that the node cannot
 * read all calls fail, so what others wrote goes by itself: `most` 1.
 */
export const openRpc = (port: number, name: string, most: number = MOST_TOGETHER): Rpc => {
  const agent = new Agent({ keepAlive: true });
  const put = gatherCalls(most, (body) => post(agent, port, body));
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
