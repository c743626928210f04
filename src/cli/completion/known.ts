import { CHAIN_NAMES, EVM_CHAINS, SOLANA } from '../../contract/chains.ts';
import { OWN_KINDS, TRICKS } from '../../contract/control/faults.ts';
import { ENDPOINTS } from '../../contract/index.ts';
import { PROVIDERS } from '../../contract/yield/providers.ts';

/** Names that the contract knows. The build puts them in place of this file, so that completion loads no contract. */
export const KNOWN: {
  readonly chains: readonly string[];
  readonly evmChains: readonly string[];
  readonly yieldChains: readonly string[];
  readonly providers: readonly string[];
  /** The faults of the sandbox that every endpoint has, and those of each. */
  readonly tricks: readonly string[];
  readonly faults: Readonly<Record<string, readonly string[]>>;
} = {
  chains: CHAIN_NAMES,
  evmChains: EVM_CHAINS.map(({ name }) => name),
  yieldChains: [SOLANA],
  providers: PROVIDERS,
  tricks: TRICKS,
  faults: Object.fromEntries(
    ENDPOINTS.map(({ id, errors }) => [id, [...Object.keys(errors), ...(OWN_KINDS[id] ?? [])]]),
  ),
};
