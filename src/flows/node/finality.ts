import { chainAndNonceOf } from '../../chain/evm/transaction.ts';
import { type ChainNode, isNoAnswer, readQuantity, receiptOf, resultOf, writeQuantity } from '../../client/node.ts';
import { kindOfChainId } from '../../contract/chains.ts';
import { Failure, valueOn } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';

/**
 * The outcome of a signed transaction on a node.
 * - `landed`: it is on the chain and took effect.
 * - `reverted`: it is on the chain for good; only its fee was charged.
 * - `dead`: it is not on the chain and never can be: another transaction used its nonce.
 * - `open`: none of these is proven.
 */
export type Finality = 'landed' | 'reverted' | 'dead' | 'open';

/** Signed bytes, their hash and sender, and a time before which they were not sent (milliseconds since 1970). */
export type SignedBytes = {
  readonly signed_transaction: string;
  readonly hash: string;
  readonly from: string;
  readonly begunAt: number;
};

/** Newer blocks may be replaced, except in the sandbox. */
const settledBlock = (chainId: number): string => (kindOfChainId(chainId) === 'sandbox' ? 'latest' : 'finalized');

const readFinality = async (
  node: ChainNode,
  { signed_transaction, hash, from, begunAt }: SignedBytes,
): Promise<Finality> => {
  const { chainId, nonce } = chainAndNonceOf(signed_transaction);
  if (readQuantity(await resultOf(node, 'eth_chainId', []), 'eth_chainId') !== BigInt(chainId)) {
    throw new Failure('invalid_input', `--rpc-url: the node ${node.origin} is not of the payment's chain (${chainId})`);
  }
  // This order matters: the nonce is read before the receipt.
  const used = await resultOf(node, 'eth_getTransactionCount', [from, settledBlock(chainId)]);
  const isUsed = readQuantity(used, 'eth_getTransactionCount') > BigInt(nonce);
  const found = await receiptOf(node, hash);
  if (found === 'landed') return found;
  // If its block is replaced, it is executed again and may pay after all.
  if (!isUsed) return 'open';
  if (found) return found;
  // The sandbox's nodes delete nothing, and its clock may have been changed.
  return kindOfChainId(chainId) === 'sandbox' || (await nodeHistorySince(node, begunAt)) ? 'dead' : 'open';
};

/** Reads the outcome of signed bytes from a node; `open` without a node or a response. */
export const finalityOf = async (node: ChainNode | undefined, bytes: SignedBytes): Promise<Finality> =>
  node === undefined ? 'open' : readFinality(node, bytes).catch(valueOn(isNoAnswer, 'open'));

/** Even nodes with little storage have the receipts of this time. */
const YOUNG_MS = 60 * 60 * 1000;

/** Clocks differ, and block producers set the time of blocks. */
const MARGIN_MS = 10 * 60 * 1000;

/** The needed fields of a block. */
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

/** A block older than a time, searched in growing steps; `undefined` if the node has none. */
const blockBefore = async (node: ChainNode, time: number, head: Block): Promise<Block | undefined> => {
  let found: Block | undefined = head;
  for (let step = FIRST_STEP; found && found.at > time; step *= 2n) {
    if (found.number === 0n) return undefined;
    found = await readBlock(node, found.number > step ? found.number - step : 0n);
  }
  return found;
};

const MAX_EMPTY = 64;

/** The receipt of a transaction in that block, or in the nearest earlier block with one. */
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
 * Whether a node has the receipts of all blocks since a time. Nodes that prune lose old receipts, so a landed
 * transaction would look missing. An older receipt proves that this node still has them.
 */
const nodeHistorySince = async (node: ChainNode, since: number): Promise<boolean> => {
  const head = await readBlock(node, 'latest');
  if (!head || head.at < since) return false;
  if (head.at - since <= YOUNG_MS) return true;
  const before = await blockBefore(node, since - MARGIN_MS, head);
  return before !== undefined && hasReceipt(node, before);
};
