import { Failure, messageOf } from '../../core/failure.ts';
import type { Link, Reply } from './links.ts';

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
