import { COIN_DECIMALS, EVM_CHAINS, type EvmChain, type StableToken } from '../../contract/chains.ts';
import { TEST_TOKENS } from '../assumptions.ts';

/** A sandbox chain by its name, in lower case as the service writes it. */
export const chainOf = (name: string): EvmChain | undefined => EVM_CHAINS.find((chain) => chain.name === name);

/** What a payer can pay with there: the native coin and the test tokens. */
export const symbolsOf = (chain: EvmChain): readonly string[] => [chain.coin, ...TEST_TOKENS];

/** Decimals of one of these symbols on that chain. */
export const decimalsOf = (chain: EvmChain, symbol: string): number =>
  symbol === chain.coin ? COIN_DECIMALS : chain.tokens[symbol as StableToken].decimals;
