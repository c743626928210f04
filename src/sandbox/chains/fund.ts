import { Failure } from '../../core/failure.ts';
import type { OpenChain } from './chain.ts';
import type { Change } from './changes.ts';
import { toHex } from './hex.ts';
import { tokenOf } from './token.ts';

/** More is no test money, and sums of it could pass what the chain can count. */
const MAX = 2n ** 128n;

const changeFor = (token: ReturnType<typeof tokenOf>, to: string, units: string): Change =>
  token === 'coin' ? { kind: 'coin', to, units } : { kind: 'mint', token, to, units };

/** Gives coin or tokens out of nothing. Throws `invalid_input` for a wrong address, token or amount. */
export const fund = async (
  open: OpenChain,
  address: string,
  symbol: string | undefined,
  units: bigint,
): Promise<void> => {
  const { checksummed } = await import('./contracts/encode.ts');
  if (units < 0n || units > MAX) throw new Failure('invalid_input', `${units} units cannot be given`);
  const token = tokenOf(open.chain, symbol);
  const applied = await open.change(changeFor(token, checksummed(address), toHex(units)));
  if (!applied.ok) throw new Failure('internal', `the sandbox could not fund ${address}: ${applied.message}`);
  if (!applied.mined || applied.mined.isGood) return;
  throw new Failure('invalid_input', `the contract of ${symbol} refuses to mint for ${address}`);
};
