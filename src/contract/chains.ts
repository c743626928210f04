import { SOLANA } from './solana.ts';

/**
 * The chains that the service and the sandbox name. Ids of the real chains: the registry of EIP-155 chain ids.
 * The sandbox's chains have private ids, so that nothing signed for it is valid anywhere else.
 */
export type EvmChain = {
  readonly name: string;
  readonly id: number;
  readonly coin: string;
  /** Decimals of USDT and USDC there. */
  readonly stableDecimals: number;
  readonly usualFee: UsualFee;
};

/**
 * The most that a transaction usually costs, as decimal text of the chain's coin, and the most that it usually offers
 * as a tip for each unit of gas. The base fee is paid as the block asks; a tip is paid in full (EIP-1559).
 */
export type UsualFee = { readonly total: string; readonly tipGwei?: bigint };

/** The EVM chains of the document, by the names that it gives them. */
export const EVM_CHAINS = [
  { name: 'ethereum', id: 1, coin: 'ETH', stableDecimals: 6, usualFee: { total: '0.02', tipGwei: 20n } },
  { name: 'polygon', id: 137, coin: 'POL', stableDecimals: 6, usualFee: { total: '5', tipGwei: 500n } },
  { name: 'bsc', id: 56, coin: 'BNB', stableDecimals: 18, usualFee: { total: '0.005', tipGwei: 5n } },
  { name: 'base', id: 8453, coin: 'ETH', stableDecimals: 6, usualFee: { total: '0.002', tipGwei: 1n } },
  { name: 'arbitrum', id: 42161, coin: 'ETH', stableDecimals: 6, usualFee: { total: '0.002', tipGwei: 1n } },
] as const satisfies readonly EvmChain[];

/** The names of all chains, Solana last. */
export const CHAIN_NAMES = [...EVM_CHAINS.map(({ name }) => name), SOLANA] as const;

/** The usual fee of Solana, without the rent of accounts that are opened. */
const SOLANA_USUAL_FEE: UsualFee = { total: '0.005' };

/** The usual fee of a chain that is not listed above. */
const OTHER_USUAL_FEE: UsualFee = { total: '0.005' };

/** The usual fee of a chain by its name, in any case. */
export const usualFeeOf = (name: string): UsualFee => {
  const chain = name.toLowerCase();
  if (chain === SOLANA) return SOLANA_USUAL_FEE;
  return EVM_CHAINS.find((each) => each.name === chain)?.usualFee ?? OTHER_USUAL_FEE;
};

/** The path, under a sandbox's base URL, where the JSON-RPC of one of its chains answers. */
export const sandboxChainPath = <Name extends string>(name: Name): `/_chain/${Name}` => `/_chain/${name}`;

/** Every EVM chain's native coin counts in wei. */
export const COIN_DECIMALS = 18;

/** The sandbox's chain id of a real chain. */
export const sandboxChainId = (id: number): number => 1_000_000 + id;

/**
 * Contracts of every sandbox chain: the addresses follow from the deployer and its first nonces
 * (EIP-161 contract addresses), so they are the same on each and known before a node runs. The bridge is no
 * contract but an address without a key: what is paid to it on one chain is paid out on another.
 */
export const SANDBOX_CONTRACTS = {
  splitter: '0x605d0c423FA340fffa305b47FAEEF8Fd949d2be4',
  USDT: '0x1Ab51F06A5E189D472Bc5fbCb01e8f7f09F3ac22',
  USDC: '0x5A020dF87D40540Ccc2b66ad648118fCAea768A2',
  bridge: '0xb41D6e0000000000000000000000000000B0A5a0',
} as const;

/** Whether real money is behind a service and its chains. */
export type Kind = 'live' | 'sandbox';

/** Whether a chain id is one of the sandbox's or a real one. */
export const kindOfChainId = (id: number): Kind =>
  EVM_CHAINS.some((chain) => sandboxChainId(chain.id) === id) ? 'sandbox' : 'live';
