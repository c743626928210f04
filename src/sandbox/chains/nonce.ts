import type { OpenChain } from './chain.ts';
import { fromHex } from './hex.ts';
import { ask } from './rpc.ts';

/** The next nonce of an address: nothing waits unmined, so it is how many of its transactions were mined. */
export const readNonce = async ({ rpc }: OpenChain, address: string): Promise<number> =>
  Number(fromHex(await ask(rpc, 'eth_getTransactionCount', [address, 'latest'])));
