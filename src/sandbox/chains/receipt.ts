import type { OpenChain } from './chain.ts';
import { fromHex } from './hex.ts';
import { ask } from './rpc.ts';

/** What came of a mined transaction; fees in wei. */
export type Receipt = {
  readonly status: 'success' | 'reverted';
  readonly blockNumber: bigint;
  readonly gasUsed: bigint;
  readonly effectiveGasPrice: bigint;
};

type Quantities = Readonly<Record<'status' | 'blockNumber' | 'gasUsed' | 'effectiveGasPrice', unknown>>;

/**
 * The receipt of a transaction, however long ago it was mined and however often the node was restarted since;
 * `undefined` when it never was. What is not kept on disk yet is not told.
 */
export const readReceipt = async ({ rpc, kept }: OpenChain, hash: string): Promise<Receipt | undefined> => {
  const found = (await ask(rpc, 'eth_getTransactionReceipt', [hash])) as Quantities | null;
  if (!found) return undefined;
  await kept();
  return {
    status: fromHex(found.status) === 1n ? 'success' : 'reverted',
    blockNumber: fromHex(found.blockNumber),
    gasUsed: fromHex(found.gasUsed),
    effectiveGasPrice: fromHex(found.effectiveGasPrice),
  };
};
