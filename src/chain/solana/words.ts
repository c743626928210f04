import { fromUnits } from '../../core/decimal.ts';
import type { Flow } from './flows.ts';
import { type SolanaNetwork, type Token, tokenOf } from './network.ts';

/** Smallest units of a known token in words: "10.5 USDC". */
export const unitsInWords = ({ symbol, decimals }: Token, units: bigint): string =>
  `${fromUnits(units, decimals)} ${symbol}`;

/** What a token is called: its symbol, or its mint where that is not known. */
export const nameOfMint = (network: SolanaNetwork, mint: string | undefined): string =>
  mint === undefined ? 'a token that is not named' : (tokenOf(network, mint)?.symbol ?? mint);

/** The decimals of a flow: those of a known token, else what the instruction says and the chain checks. */
const decimalsOf = (network: SolanaNetwork, { mint, decimals }: Flow): number | undefined =>
  (mint === undefined ? undefined : tokenOf(network, mint)?.decimals) ?? decimals;

/** Units as decimal text; smallest units where the decimals are not known. */
export const amountOfFlow = (network: SolanaNetwork, flow: Flow): string => {
  const decimals = decimalsOf(network, flow);
  return decimals === undefined ? flow.units.toString() : fromUnits(flow.units, decimals);
};

/** A flow in words: "10.5 USDC", or "7 smallest units of …". */
export const flowInWords = (network: SolanaNetwork, flow: Flow): string => {
  const unit = decimalsOf(network, flow) === undefined ? 'smallest units of ' : '';
  return `${amountOfFlow(network, flow)} ${unit}${nameOfMint(network, flow.mint)}`;
};
