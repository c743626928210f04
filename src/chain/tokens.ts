/** A token's contract. `decimals` is how many of them its smallest unit has. */
export type Token = { readonly address: string; readonly decimals: number };

/** Tokens of one chain by their symbol. */
export type Tokens = Readonly<Record<string, Token>>;

/**
 * USDT and USDC on the real chains. The lists that decide are the issuers' own, named below; the addresses were
 * compared on 2026-11-21 with independent token lists, not with a chain, and a test holds each against its
 * EIP-55 checksum.
 *
 * - USDC: Circle, developers.circle.com/stablecoins/usdc-contract-addresses: native on ethereum, polygon, base
 *   and arbitrum. The bridged "USDC.e" and "USDbC" are other contracts and are not USDC here.
 * - USDT: Tether, tether.to/supported-protocols: native on ethereum. On polygon and arbitrum it is USDT0, Tether's
 *   own bridged form (docs.usdt0.to), at the addresses that bridged USDT had there before. On base it is bridged
 *   by the chain's standard bridge and not issued by Tether.
 * - bsc: both are Binance-Peg tokens, bridged and issued by Binance, with 18 decimals instead of 6.
 */
export const LIVE_TOKENS: Readonly<Record<string, Tokens>> = {
  ethereum: {
    USDT: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
    USDC: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
  },
  polygon: {
    USDT: { address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', decimals: 6 },
    USDC: { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6 },
  },
  bsc: {
    USDT: { address: '0x55d398326f99059fF775485246999027B3197955', decimals: 18 },
    USDC: { address: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', decimals: 18 },
  },
  base: {
    USDT: { address: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6 },
    USDC: { address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
  },
  arbitrum: {
    USDT: { address: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', decimals: 6 },
    USDC: { address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', decimals: 6 },
  },
};
