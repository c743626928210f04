import { SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import type { OpenChain } from './chain.ts';
import { fromHex } from './hex.ts';
import { ask } from './rpc.ts';
import { tokenOf } from './token.ts';

/** What an address has, in the smallest units of a token, or of the native coin without one. */
export const readBalance = async (
  { chain, rpc, between }: Pick<OpenChain, 'chain' | 'rpc' | 'between'>,
  address: string,
  symbol: string | undefined,
): Promise<bigint> => {
  const { checksummed, encodeBalanceOf } = await import('./contracts/encode.ts');
  const token = tokenOf(chain, symbol);
  const holder = checksummed(address);
  if (token === 'coin') return fromHex(await between(() => ask(rpc, 'eth_getBalance', [holder, 'latest'])));
  const call = { to: SANDBOX_CONTRACTS[token], data: encodeBalanceOf(holder) };
  return fromHex(await between(() => ask(rpc, 'eth_call', [call, 'latest'])));
};
