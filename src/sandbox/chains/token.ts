import { COIN_DECIMALS, type EvmChain } from '../../contract/chains.ts';
import { Failure } from '../../core/failure.ts';

/** A test token, or the native coin. */
export type Token = 'USDT' | 'USDC' | 'coin';

/** What a symbol means on a chain; without one it is the native coin. Throws `invalid_input` for an unknown one. */
export const tokenOf = (chain: EvmChain, symbol: string | undefined): Token => {
  if (symbol === undefined || symbol === chain.coin) return 'coin';
  if (symbol === 'USDT' || symbol === 'USDC') return symbol;
  throw new Failure('invalid_input', `the sandbox's ${chain.name} has no token ${symbol}, only USDT and USDC`);
};

/** Decimals of a symbol on a chain. Throws as `tokenOf`. */
export const decimalsOf = (chain: EvmChain, symbol: string | undefined): number =>
  tokenOf(chain, symbol) === 'coin' ? COIN_DECIMALS : chain.stableDecimals;
