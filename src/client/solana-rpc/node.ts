import { escapeText } from '../../core/escape.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { briefly, isJsonObject, parseJson } from '../../core/json.ts';
import { isLoopback } from '../../core/loopback.ts';
import { inSentence } from '../../core/remote-text.ts';
import { valueAt } from '../../core/text-at.ts';
import type { Io } from '../../io/io.ts';
import { faultAdvice, faultWords } from '../fault-words.ts';
import { postJsonRpc } from '../json-rpc.ts';

/** A Solana node that the user named. `url` may hold a key of the user's: only `origin` is ever shown. */
export type SolanaNode = {
  readonly io: Io;
  readonly url: string;
  readonly origin: string;
  /** `io.clock.monotonic()` after which nothing is waited for. */
  readonly deadline: number;
};

const LIMITS = { longestMs: 30_000, mostBytes: 16 * 1024 * 1024 };

/** Takes the address of a node. Throws `bad_settings` unless it is https, or http on this machine. */
export const openNode = (io: Io, address: string, deadline: number): SolanaNode => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe || url.username || url.password) {
    throw new Failure('bad_settings', '--rpc-url must be an https address without a user, or http on this machine');
  }
  return { io, url: url.href, origin: url.origin, deadline };
};

/** Throws `unexpected_answer` for an answer of a node that is not as Solana nodes answer. */
export const unusable = ({ origin }: SolanaNode, method: string, why: string): never => {
  throw new Failure('unexpected_answer', `the node at ${origin} gave no answer to ${method} that can be used: ${why}`);
};

const resultOf = (node: SolanaNode, method: string, text: string): unknown => {
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch (error) {
    return unusable(node, method, messageOf(error));
  }
  if (!isJsonObject(answer)) return unusable(node, method, 'it is no object');
  if (answer['error'])
    return unusable(node, method, inSentence(escapeText(briefly(valueAt(answer, 'error', 'message')))));
  return 'result' in answer ? answer['result'] : unusable(node, method, 'it has no result');
};

/** Posts one call to a node and gives what came back. Throws `unavailable` when there is no time left. */
export const postTo = ({ io, url, deadline }: SolanaNode, method: string, params: readonly unknown[]) =>
  postJsonRpc(io, url, { method, params }, { ...LIMITS, deadline });

/** Asks a node once; its result, whatever it is. Throws `unavailable` or `unexpected_answer`. */
export const askNode = async (node: SolanaNode, method: string, params: readonly unknown[]): Promise<unknown> => {
  const answer = await postTo(node, method, params);
  if (answer.kind === 'fault') {
    throw new Failure('unavailable', `the node at ${node.origin} did not answer ${method}: ${faultWords(answer)}`, {
      hint: faultAdvice(answer),
    });
  }
  if (answer.http !== 200) return unusable(node, method, `HTTP ${answer.http}`);
  return resultOf(node, method, Buffer.from(answer.body).toString('utf8'));
};
