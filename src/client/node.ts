import { Failure, interrupted, isFailure, messageOf, undefinedOn, valueOn } from '../core/failure.ts';
import { briefly, digitsOf, isJsonObject, parseJson, printJson } from '../core/json.ts';
import { inSentence } from '../core/text.ts';
import { isLoopback } from '../core/web-address.ts';
import type { HttpAnswer, HttpFault } from '../io/http/http.ts';
import type { Io } from '../io/io.ts';
import { faultAdvice, faultText, takenOver } from './fault-text.ts';

/** The answer of a node: a result, or an error of JSON-RPC 2.0. */
export type NodeAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string };

/** A chain node that the user named. It never gets the service's API key. */
export type ChainNode = {
  /** The address without path and query, where node providers put their keys. */
  readonly origin: string;
  readonly ask: (method: string, params: readonly unknown[]) => Promise<NodeAnswer>;
};

const LIMITS = { longestMs: 15_000, maxBytes: 4 * 1024 * 1024 };

/** Checks the address of a node, from an option or a file. Throws `invalid_input` unless it is https, or http on this machine. */
export const checkNodeUrl = (address: string, option?: '--rpc-url'): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    const message = 'must be an http(s) address, without user and password';
    throw new Failure('invalid_input', option ? `${option} ${message}` : message);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    const message = `${url.origin} is not https, so that anyone on the network could forge its answers`;
    throw new Failure('invalid_input', option ? `${option}: ${message}` : message, {
      hint: 'Plain http is allowed only for this machine.',
    });
  }
  return url;
};

const unexpectedAnswer = (origin: string, why: string): Failure =>
  new Failure('unexpected_answer', `the node ${origin} answered with ${why}`, {
    hint: 'Nothing was signed. Is --rpc-url the address of an Ethereum JSON-RPC node?',
  });

const parse = (origin: string, { http, body }: HttpAnswer): unknown => {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw unexpectedAnswer(origin, `HTTP ${http} and no JSON (${messageOf(error)})`);
  }
};

const readAnswer = (origin: string, http: number, json: unknown): NodeAnswer => {
  if (!isJsonObject(json)) throw unexpectedAnswer(origin, `HTTP ${http} and no JSON-RPC answer`);
  const { error, result } = json;
  if (isJsonObject(error)) {
    const { code, message } = error;
    return { ok: false, code: typeof code === 'number' ? code : 0, message: briefly(message) };
  }
  if (result === undefined) throw unexpectedAnswer(origin, `HTTP ${http} and neither result nor error`);
  return { ok: true, result };
};

/** A call in the queue of the next batch. */
type QueuedCall = RpcCall & {
  readonly resolve: (answer: Promise<NodeAnswer>) => void;
  readonly reject: (error: unknown) => void;
};

/** Sends the calls of one tick as one batch (JSON-RPC 2.0, section 6). */
const batching = (post: (calls: readonly RpcCall[]) => Promise<HttpAnswer>, origin: string): ChainNode['ask'] => {
  let queued: QueuedCall[] = [];
  const flush = async (calls: readonly QueuedCall[]): Promise<void> => {
    try {
      const answer = await post(calls.map(({ method, params }) => ({ method, params })));
      const list = [parse(origin, answer)].flat().filter(isJsonObject);
      for (const [at, { resolve }] of calls.entries()) {
        const own = list.find(({ id }) => digitsOf(id) === String(at + 1));
        resolve((async () => readAnswer(origin, answer.http, own))());
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  };
  return (method, params) =>
    new Promise((resolve, reject) => {
      queued.push({ method, params, resolve, reject });
      if (queued.length > 1) return;
      queueMicrotask(() => {
        const calls = queued;
        queued = [];
        void flush(calls);
      });
    });
};

/**
 * Opens a node by its address. `until.deadline` is the `io.clock.monotonic()` at which waiting ends; it may move while a
 * prompt is open. Calls throw `unavailable` if the node does not answer, and `unexpected_answer` if the answer is not
 * JSON-RPC. `batches`: the node accepts batches.
 */
export const openNode = (
  io: Io,
  address: string,
  until: { readonly deadline: number },
  { batches = false }: { readonly batches?: boolean } = {},
): ChainNode => {
  const url = checkNodeUrl(address, '--rpc-url');
  const { origin } = url;
  const post = async (call: RpcCall | readonly RpcCall[]): Promise<HttpAnswer> => {
    const answer = await postJsonRpc(io, url.href, call, { ...LIMITS, deadline: until.deadline });
    if (answer.kind === 'answer') return answer;
    if (answer.reason === 'interrupted') throw interrupted();
    if (answer.reason === 'taken_over') throw takenOver(answer);
    throw new Failure('unavailable', `the node ${origin} does not answer: ${faultText(answer)}`, {
      hint: `Nothing was signed. ${faultAdvice(answer) ?? ''}`.trim(),
    });
  };
  const ask: ChainNode['ask'] = async (method, params) => {
    const answer = await post({ method, params });
    return readAnswer(origin, answer.http, parse(origin, answer));
  };
  return { origin, ask: batches ? batching(post, origin) : ask };
};

/** The limits of a call: its time, the size of its answer, and the deadline by `io.clock.monotonic()`. */
export type RpcLimits = { readonly deadline: number; readonly longestMs: number; readonly maxBytes: number };

/** One call of JSON-RPC 2.0. */
export type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

const written = (call: RpcCall, at: number) => ({ jsonrpc: '2.0', id: at + 1, ...call });

/**
 * Posts one call of JSON-RPC 2.0, or a batch whose calls are numbered from 1, and returns the answer or the fault. Throws
 * `unavailable` if the deadline has passed.
 */
export const postJsonRpc = (
  io: Io,
  url: string,
  call: RpcCall | readonly RpcCall[],
  { deadline, longestMs, maxBytes }: RpcLimits,
): Promise<HttpAnswer | HttpFault> => {
  const left = deadline - io.clock.monotonic();
  if (left <= 0) throw new Failure('unavailable', 'the time limit of --timeout has passed');
  return io.http.send({
    method: 'POST',
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'bursar' },
    body: printJson('method' in call ? written(call, 0) : call.map(written)),
    timeoutMs: Math.min(left, longestMs),
    maxBytes,
  });
};

/** The result of a JSON-RPC request. Throws `unexpected_answer` for a JSON-RPC error, and as `ChainNode` does. */
export const resultOf = async (node: ChainNode, method: string, params: readonly unknown[]): Promise<unknown> => {
  const answer = await node.ask(method, params);
  if (answer.ok) return answer.result;
  const message = `the node ${node.origin} answered ${method} with: ${inSentence(answer.message)}`;
  throw new Failure('unexpected_answer', message, { hint: 'Nothing was signed.' });
};

/** A number as JSON-RPC writes it: 0x and hex digits, at most 256 bits. Throws `unexpected_answer`. */
export const readQuantity = (value: unknown, what: string): bigint => {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value);
  throw new Failure('unexpected_answer', `the node gave no number for ${what}`, { hint: 'Nothing was signed.' });
};

/** A number as JSON-RPC writes it, without leading zeros. */
export const writeQuantity = (value: bigint): string => `0x${value.toString(16)}`;

/** The address in a word of 32 bytes; lower case. */
export const addressIn = (word: string | undefined): string => `0x${(word ?? '').slice(-40).toLowerCase()}`;

/** The fee of a mined transaction in the smallest unit of the chain's coin. A rollup charges for its data too. */
export type FeePaid = { readonly gas: bigint; readonly data: bigint };

const feeIn = ({ gasUsed, effectiveGasPrice, l1Fee = '0x0' }: Readonly<Record<string, unknown>>): FeePaid => {
  const read = (value: unknown) => readQuantity(value, 'the fee of a receipt');
  return { gas: read(gasUsed) * read(effectiveGasPrice), data: read(l1Fee) };
};

/** A receipt: whether the transaction succeeded, and its fee, if the node shows it. */
export type Receipt = { readonly state: 'landed' | 'reverted'; readonly fee: FeePaid | undefined };

/** The receipt of a hash on the chain; `undefined` if there is none. Throws as `resultOf`. */
export const readReceipt = async (node: ChainNode, hash: string): Promise<Receipt | undefined> => {
  const receipt = await resultOf(node, 'eth_getTransactionReceipt', [hash]);
  if (!isJsonObject(receipt)) return undefined;
  const isGood = readQuantity(receipt['status'], 'the status of a receipt') === 1n;
  return { state: isGood ? 'landed' : 'reverted', fee: undefinedOn(() => feeIn(receipt)) };
};

/** The state of a hash on the chain; `undefined` if it is unknown. Throws as `resultOf`. */
export const receiptOf = async (node: ChainNode, hash: string): Promise<Receipt['state'] | undefined> =>
  (await readReceipt(node, hash))?.state;

/** Whether a failure means that a node gave no usable response: then nothing is known. */
export const isNoAnswer = (error: unknown): boolean =>
  isFailure(error, 'unavailable') || isFailure(error, 'unexpected_answer');

/**
 * Whether a node has neither a receipt nor pending bytes of a transaction. It may get them later, except a sandbox's
 * node, which only its service uses. A node without a response proves nothing.
 */
export const isAbsent = async (node: ChainNode, hash: string): Promise<boolean> =>
  (await resultOf(node, 'eth_getTransactionByHash', [hash]).catch(valueOn(isNoAnswer, undefined))) === null;
