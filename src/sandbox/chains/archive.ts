import type { History, StoredBlock } from './history.ts';
import { ask, type Rpc, toHex } from './rpc.ts';

/** Blocks of one request to the node. */
const BATCH = 32;

const readBlock = async (rpc: Rpc, number: number): Promise<StoredBlock> => {
  const [block, receipts] = await Promise.all([
    ask(rpc, 'eth_getBlockByNumber', [toHex(number), true]),
    ask(rpc, 'eth_getBlockReceipts', [toHex(number)]),
  ]);
  return { block, receipts } as StoredBlock;
};

/** Copies the blocks up to a height from a node to the history. The blocks are on the disk when it resolves. */
export const archiveUpTo = async (rpc: Rpc, history: History, height: number): Promise<void> => {
  for (let from = history.newest() + 1; from <= height; from = history.newest() + 1) {
    const count = Math.min(BATCH, height - from + 1);
    history.add(await Promise.all(Array.from({ length: count }, (_, at) => readBlock(rpc, from + at))));
  }
};
