import type { ChainNode } from '../../client/node.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { inSentence } from '../../core/text.ts';

/** The result of a JSON-RPC request. Throws `unexpected_answer` for a JSON-RPC error, and as `ChainNode` does. */
export const resultOf = async (node: ChainNode, method: string, params: readonly unknown[]): Promise<unknown> => {
  const answer = await node.ask(method, params);
  if (answer.ok) return answer.result;
  throw new Failure(
    'unexpected_answer',
    `the node ${node.origin} answered ${method} with: ${inSentence(answer.message)}`,
    {
      hint: 'Nothing was signed.',
    },
  );
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

/** The state of a hash on the chain; `undefined` if it is unknown. Throws as `resultOf`. */
export const receiptOf = async (node: ChainNode, hash: string): Promise<'landed' | 'reverted' | undefined> => {
  const receipt = await resultOf(node, 'eth_getTransactionReceipt', [hash]);
  if (!isJsonObject(receipt)) return undefined;
  return readQuantity(receipt['status'], 'the status of a receipt') === 1n ? 'landed' : 'reverted';
};

/** Whether a failure means that a node gave no usable response: then nothing is known. */
export const isNoAnswer = (error: unknown): boolean =>
  isFailure(error, 'unavailable') || isFailure(error, 'unexpected_answer');

/**
 * Whether a node has neither a receipt nor pending bytes of a transaction. It may get them later, except a sandbox's
 * node, which only its service uses. A node without a response proves nothing.
 */
export const isAbsent = async (node: ChainNode, hash: string): Promise<boolean> => {
  try {
    return (await resultOf(node, 'eth_getTransactionByHash', [hash])) === null;
  } catch (error) {
    if (isNoAnswer(error)) return false;
    throw error;
  }
};
