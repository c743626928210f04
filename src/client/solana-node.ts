import * as z from 'zod';
import { Failure, messageOf } from '../core/failure.ts';
import { parseJson, printJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { isLoopback } from './service.ts';

/** The user's own Solana node. Its address may hold a key of its provider's: only `origin` is ever shown. */
export type SolanaNode = {
  readonly io: Io;
  readonly url: string;
  readonly origin: string;
  /** `io.clock.monotonic()` after which nothing is waited for. */
  readonly deadline: number;
};

/** Checks the address of a node. Throws `bad_settings` unless it is https, or http on this machine. */
export const openNode = (io: Io, address: string, deadline: number): SolanaNode => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Failure('bad_settings', '--rpc-url is not an http(s) address');
  }
  if (url.username || url.password) throw new Failure('bad_settings', '--rpc-url must have no user and no password');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Failure('bad_settings', `--rpc-url: ${url.origin} is not https; plain http is for this machine only`);
  }
  return { io, url: url.href, origin: url.origin, deadline };
};

const nodeError = z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() });

/** An error of a node's own. */
export type NodeError = z.infer<typeof nodeError>;

/** What a node answered: a result, or an error. */
export type NodeAnswer = { readonly result: unknown } | { readonly error: NodeError };

const answerShape = z.looseObject({ error: nodeError.optional(), result: z.unknown().optional() });

const LONGEST_CALL_MS = 30_000;
const LARGEST_ANSWER = 4 * 1024 * 1024;

/** A node that gives no answer. `isSent` tells whether the call may have had its effect. */
const lost = ({ origin }: SolanaNode, why: string, isSent: boolean): Failure =>
  new Failure('unavailable', `the node ${origin}: ${why}`, { data: { is_sent: isSent } });

/** Whether a failure of `ask` leaves open what happened. */
export const mayHaveArrived = ({ details }: Failure): boolean =>
  (details.data as { is_sent?: unknown } | undefined)?.is_sent !== false;

const answerIn = (node: SolanaNode, http: number, body: Uint8Array): NodeAnswer => {
  try {
    const read = answerShape.safeParse(parseJson(new TextDecoder().decode(body)));
    if (read.data?.error) return { error: read.data.error };
    if (read.data && 'result' in read.data) return { result: read.data.result };
  } catch (error) {
    throw lost(node, `HTTP ${http}, and no JSON (${messageOf(error)})`, true);
  }
  throw lost(node, `HTTP ${http}, and no answer of JSON-RPC`, true);
};

/** Calls a method, once. Throws `unavailable` where no answer came, `interrupted` where the user ended it. */
export const ask = async (node: SolanaNode, method: string, params: readonly unknown[]): Promise<NodeAnswer> => {
  const { io, url, deadline } = node;
  const left = deadline - io.clock.monotonic();
  if (left <= 0) throw lost(node, 'the time given by --timeout is over', false);
  const answer = await io.http.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'bursar' },
    body: printJson({ jsonrpc: '2.0', id: 1, method, params }),
    timeoutMs: Math.min(left, LONGEST_CALL_MS),
    mostBytes: LARGEST_ANSWER,
  });
  if (answer.kind === 'answer') return answerIn(node, answer.http, answer.body);
  if (answer.reason === 'interrupted' && !answer.sent) throw new Failure('interrupted', 'interrupted');
  throw lost(node, `${answer.reason.replaceAll('_', ' ')} (${answer.message})`, answer.sent);
};

/** The result of a method that reads, in its shape. Throws `unavailable` for an error and for another shape. */
export const read = async <T>(
  node: SolanaNode,
  shape: z.ZodType<T>,
  method: string,
  params: readonly unknown[],
): Promise<T> => {
  const answer = await ask(node, method, params);
  if ('error' in answer) throw lost(node, `${method}: ${answer.error.message}`, false);
  const parsed = shape.safeParse(answer.result);
  if (parsed.success) return parsed.data;
  throw lost(node, `${method}: an answer that is not as Solana's nodes give it`, false);
};
