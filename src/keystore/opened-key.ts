import type { KeyChain } from '../contract/key-chain.ts';

/** A private key in the open: whoever holds it wipes it (`privateKey.fill(0)`) after use. */
export type OpenedKey = {
  readonly chain: KeyChain;
  /** 32 bytes: a number of secp256k1, or the seed of an ed25519 pair. */
  readonly privateKey: Uint8Array;
  /** As its chain writes it: with the capitals of EIP-55, or in base58. */
  readonly address: string;
  /** What the user should know of the file it came from, as ends of a sentence about it. */
  readonly warnings: readonly string[];
  /** The file names no address, so nothing but the user can vouch for this one. */
  readonly needsConfirmation: boolean;
};
