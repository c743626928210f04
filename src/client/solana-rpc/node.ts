import { Failure, messageOf, undefinedOn } from '../../core/failure.ts';
import { briefly, isJsonObject, parseJson, valueAt } from '../../core/json.ts';
import { escapeText, inSentence } from '../../core/text.ts';
import { isLoopback } from '../../core/web-address.ts';
import type { Io } from '../../io/io.ts';
import { faultAdvice, faultText } from '../fault-text.ts';
import { postJsonRpc } from '../node.ts';

/** A Solana node that the user named. `url` may contain the user's key, so that only `origin` is ever shown. */
export type SolanaNode = {
  readonly io: Io;
  readonly url: string;
  readonly origin: string;
  /** The `io.clock.monotonic()` at which waiting ends. */
  readonly deadline: number;
};

const LIMITS = { longestMs: 30_000, maxBytes: 16 * 1024 * 1024 };

/** Opens a node by its address. Throws `bad_settings` unless the address is https, or http on this machine. */
export const openNode = (io: Io, address: string, deadline: number): SolanaNode => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.username || url.password) {
    throw new Failure('bad_settings', '--rpc-url must be an https address without a user, or http on this machine');
  }
  return { io, url: url.href, origin: url.origin, deadline };
};

/** Throws `unexpected_answer` for an answer that no Solana node gives. */
export const unusable = ({ origin }: SolanaNode, method: string, why: string): never => {
  throw new Failure('unexpected_answer', `the answer of the node at ${origin} to ${method} is unusable: ${why}`);
};

const resultOf = (node: SolanaNode, method: string, text: string): unknown => {
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch (error) {
    return unusable(node, method, messageOf(error));
  }
  if (!isJsonObject(answer)) return unusable(node, method, 'it is not an object');
  if (answer['error'])
    return unusable(node, method, inSentence(escapeText(briefly(valueAt(answer, 'error', 'message')))));
  return 'result' in answer ? answer['result'] : unusable(node, method, 'it has no result');
};

/** Posts one call to a node and returns the answer or the fault. Throws `unavailable` if the deadline has passed. */
export const postTo = ({ io, url, deadline }: SolanaNode, method: string, params: readonly unknown[]) =>
  postJsonRpc(io, url, { method, params }, { ...LIMITS, deadline });

/** Calls a node once and returns the result. Throws `unavailable` or `unexpected_answer`. */
export const askNode = async (node: SolanaNode, method: string, params: readonly unknown[]): Promise<unknown> => {
  const answer = await postTo(node, method, params);
  if (answer.kind === 'fault') {
    throw new Failure('unavailable', `the node at ${node.origin} did not answer ${method}: ${faultText(answer)}`, {
      hint: faultAdvice(answer),
    });
  }
  if (answer.http !== 200) return unusable(node, method, `HTTP ${answer.http}`);
  return resultOf(node, method, Buffer.from(answer.body).toString('utf8'));
};

/**
 * The result of sending signed bytes to a node.
 * - `refused`: the node certainly did not forward the bytes; `isOld`: because of their blockhash.
 * - `unsent`: the bytes did not leave this machine.
 * - `open`: the bytes may land. Only the chain shows whether they did.
 */
export type Submission =
  | { readonly kind: 'open' }
  | { readonly kind: 'unsent'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string; readonly isOld: boolean };

/** Error codes of a node that forwarded nothing: wrong parameters, a failed preflight, a bad signature. */
const REFUSALS: readonly number[] = [-32602, -32002, -32003];

const submissionOf = (text: string): Submission => {
  const answer = undefinedOn(() => parseJson(text));
  const [code, message] = [valueAt(answer, 'error', 'code'), valueAt(answer, 'error', 'message')];
  if (typeof message !== 'string' || !REFUSALS.some((each) => each === code)) return { kind: 'open' };
  const cause = valueAt(answer, 'error', 'data', 'err');
  // The transaction has landed, or is about to land.
  if (cause === 'AlreadyProcessed' || /already been processed/i.test(message)) return { kind: 'open' };
  const isOld = cause === 'BlockhashNotFound' || /blockhash not found/i.test(message);
  return { kind: 'refused', why: inSentence(escapeText(message.slice(0, 300))), isOld };
};

/** Sends signed bytes (base64) to a node once. Only the chain shows whether they landed. */
export const submit = async (node: SolanaNode, transaction: string): Promise<Submission> => {
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  const answer = await postTo(node, 'sendTransaction', [transaction, options]);
  if (answer.kind === 'answer') return submissionOf(Buffer.from(answer.body).toString('utf8'));
  return answer.sent ? { kind: 'open' } : { kind: 'unsent', why: answer.message };
};
