import type { OpenChain } from './chain.ts';
import { fromHex } from './hex.ts';
import { ask } from './rpc.ts';

/** The next nonce of an address: nothing waits unmined, so it is how many of its transactions were mined. */
export const readNonce = async (
  { rpc, between }: Pick<OpenChain, 'rpc' | 'between'>,
  address: string,
): Promise<number> => Number(fromHex(await between(() => ask(rpc, 'eth_getTransactionCount', [address, 'latest']))));
