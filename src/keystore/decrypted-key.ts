import type { KeyChain } from '../contract/key-chain.ts';

/** An unencrypted private key. The caller wipes it (`privateKey.fill(0)`) after use. */
export type DecryptedKey = {
  readonly chain: KeyChain;
  /** 32 bytes: a private key of secp256k1, or the seed of an ed25519 pair. */
  readonly privateKey: Uint8Array;
  /** As its chain writes it: with the capitals of EIP-55, or in base58. */
  readonly address: string;
  /** Weaknesses of the key file, each as the end of a sentence about the file. */
  readonly warnings: readonly string[];
  /** The file has no address, so only the user can confirm that this is the right key. */
  readonly needsConfirmation: boolean;
};
