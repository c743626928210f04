import type { ChainNode } from '../../client/node.ts';
import { isFailure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { readQuantity } from './hex.ts';
import { resultOf } from './result.ts';

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
