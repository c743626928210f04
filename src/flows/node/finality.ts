import { placeOf } from '../../chain/evm/signed.ts';
import type { ChainNode } from '../../client/node.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { readQuantity } from './hex.ts';
import { nodeHistorySince } from './node-history.ts';
import { isNoAnswer, receiptOf } from './receipt.ts';
import { resultOf } from './result.ts';

/**
 * What became of a signed transaction, as far as a node shows.
 * - `landed`: it is part of the chain and did what it says.
 * - `reverted`: it is part of the chain for good and cost its fee, and no more.
 * - `dead`: it is not part of the chain and never can be, for its nonce was used by another, and the node would know it.
 * - `open`: none of these can be shown.
 */
export type Finality = 'landed' | 'reverted' | 'dead' | 'open';

/** Signed bytes, their hash, whose they are, and a time before which they were not sent, in milliseconds since 1970. */
export type SignedBytes = {
  readonly signed_transaction: string;
  readonly hash: string;
  readonly from: string;
  readonly begunAt: number;
};

/** Newer blocks may be exchanged for others. The sandbox's are not. */
const settledBlock = (chainId: number): string => (kindOfChainId(chainId) === 'sandbox' ? 'latest' : 'finalized');

const readFinality = async (
  node: ChainNode,
  { signed_transaction, hash, from, begunAt }: SignedBytes,
): Promise<Finality> => {
  const { chainId, nonce } = placeOf(signed_transaction);
  if (readQuantity(await resultOf(node, 'eth_chainId', []), 'eth_chainId') !== BigInt(chainId)) {
    throw new Failure('invalid_input', `--rpc-url: the node ${node.origin} is not of the payment's chain (${chainId})`);
  }
  // In this order: what took the nonce is on the chain before the receipt is looked for.
  const used = await resultOf(node, 'eth_getTransactionCount', [from, settledBlock(chainId)]);
  const isUsed = readQuantity(used, 'eth_getTransactionCount') > BigInt(nonce);
  const found = await receiptOf(node, hash);
  if (found === 'landed') return found;
  // Where its block is exchanged for another it is tried again, and may pay after all.
  if (!isUsed) return 'open';
  if (found) return found;
  // The sandbox's nodes forget nothing, and its clock may have been moved.
  return kindOfChainId(chainId) === 'sandbox' || (await nodeHistorySince(node, begunAt)) ? 'dead' : 'open';
};

/** Asks a node what became of signed bytes; a node that does not answer, or none at all, leaves it open. */
export const finalityOf = async (node: ChainNode | undefined, bytes: SignedBytes): Promise<Finality> => {
  if (node === undefined) return 'open';
  try {
    return await readFinality(node, bytes);
  } catch (error) {
    if (isNoAnswer(error)) return 'open';
    throw error;
  }
};
