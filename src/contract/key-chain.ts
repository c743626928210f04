/** The families of chains that a wallet's key can be of. */
export const KEY_CHAINS = ['evm', 'solana'] as const;

/** One of them. */
export type KeyChain = (typeof KEY_CHAINS)[number];
