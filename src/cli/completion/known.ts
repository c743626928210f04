import { CHAIN_NAMES, EVM_CHAINS, SOLANA } from '../../contract/chains.ts';
import { PROVIDERS } from '../../contract/yield/providers.ts';

/** Names that the contract knows. The build puts them in place of this file, so that completion loads no contract. */
export const KNOWN: {
  readonly chains: readonly string[];
  readonly evmChains: readonly string[];
  readonly yieldChains: readonly string[];
  readonly providers: readonly string[];
} = {
  chains: CHAIN_NAMES,
  evmChains: EVM_CHAINS.map(({ name }) => name),
  yieldChains: [SOLANA],
  providers: PROVIDERS,
};
