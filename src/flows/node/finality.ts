import { chainAndNonceOf } from '../../chain/evm/transaction.ts';
import type { ChainNode } from '../../client/node.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { readQuantity, writeQuantity } from './hex.ts';
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
  const { chainId, nonce } = chainAndNonceOf(signed_transaction);
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

/** Even nodes that keep little keep the receipts of as much. */
const YOUNG_MS = 60 * 60 * 1000;

/** Clocks differ, and blocks have the time that their makers gave them. */
const MARGIN_MS = 10 * 60 * 1000;

/** A block, by what is needed of it. */
type Block = { readonly number: bigint; readonly at: number; readonly transactions: readonly unknown[] };

const readBlock = async (node: ChainNode, which: bigint | 'latest'): Promise<Block | undefined> => {
  const tag = which === 'latest' ? which : writeQuantity(which);
  const block = await resultOf(node, 'eth_getBlockByNumber', [tag, false]);
  if (!isJsonObject(block)) return undefined;
  const { number, timestamp, transactions } = block;
  return {
    number: readQuantity(number, 'the number of a block'),
    at: Number(readQuantity(timestamp, 'the time of a block')) * 1000,
    transactions: Array.isArray(transactions) ? transactions : [],
  };
};

const FIRST_STEP = 256n;

/** A block that is older than a time, looked for in steps that grow; `undefined` where the node has none. */
const blockBefore = async (node: ChainNode, time: number, head: Block): Promise<Block | undefined> => {
  let found: Block | undefined = head;
  for (let step = FIRST_STEP; found && found.at > time; step *= 2n) {
    if (found.number === 0n) return undefined;
    found = await readBlock(node, found.number > step ? found.number - step : 0n);
  }
  return found;
};

const MAX_EMPTY = 64;

/** The receipt of a transaction of that block, or of the next before it that has one. */
const hasReceipt = async (node: ChainNode, start: Block): Promise<boolean> => {
  let block: Block | undefined = start;
  for (let looked = 0; block && looked < MAX_EMPTY; looked += 1) {
    const [hash] = block.transactions;
    if (hash !== undefined) return isJsonObject(await resultOf(node, 'eth_getTransactionReceipt', [hash]));
    block = block.number === 0n ? undefined : await readBlock(node, block.number - 1n);
  }
  return false;
};

/**
 * Whether a node has the receipts of all that was mined since a time. Nodes that prune forget what is old, and a
 * transaction that landed is then as one that never did: the receipt of one that is older still shows that this is none.
 */
const nodeHistorySince = async (node: ChainNode, since: number): Promise<boolean> => {
  const head = await readBlock(node, 'latest');
  if (!head || head.at < since) return false;
  if (head.at - since <= YOUNG_MS) return true;
  const before = await blockBefore(node, since - MARGIN_MS, head);
  return before !== undefined && hasReceipt(node, before);
};
