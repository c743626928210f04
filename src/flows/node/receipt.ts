import type { ChainNode } from '../../client/node.ts';
import { isFailure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { readQuantity } from './hex.ts';
import { resultOf } from './result.ts';

/** What the chain has of a hash; `undefined` when it has nothing. Throws as `resultOf`. */
export const receiptOf = async (node: ChainNode, hash: string): Promise<'landed' | 'reverted' | undefined> => {
  const receipt = await resultOf(node, 'eth_getTransactionReceipt', [hash]);
  if (!isJsonObject(receipt)) return undefined;
  return readQuantity(receipt['status'], 'the status of a receipt') === 1n ? 'landed' : 'reverted';
};

/** Whether a failure says that a node did not answer, or not as nodes do: then nothing is known. */
export const isNoAnswer = (error: unknown): boolean =>
  isFailure(error, 'unavailable') || isFailure(error, 'unexpected_answer');

/**
 * Whether a node has nothing of a transaction: neither its receipt nor its bytes among those that wait. It may get them
 * later, but from the node of a sandbox, which only its own service feeds. A node that does not answer shows nothing.
 */
export const isAbsent = async (node: ChainNode, hash: string): Promise<boolean> => {
  try {
    return (await resultOf(node, 'eth_getTransactionByHash', [hash])) === null;
  } catch (error) {
    if (isNoAnswer(error)) return false;
    throw error;
  }
};
