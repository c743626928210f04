import type { ChainNode } from '../../client/node.ts';
import { isJsonObject } from '../../core/json.ts';
import { readQuantity, writeQuantity } from './hex.ts';
import { resultOf } from './result.ts';

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
export const nodeHistorySince = async (node: ChainNode, since: number): Promise<boolean> => {
  const head = await readBlock(node, 'latest');
  if (!head || head.at < since) return false;
  if (head.at - since <= YOUNG_MS) return true;
  const before = await blockBefore(node, since - MARGIN_MS, head);
  return before !== undefined && hasReceipt(node, before);
};
