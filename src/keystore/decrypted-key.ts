import type { KeyChain } from '../contract/chains.ts';
import type { Random } from '../io/io.ts';

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

/** Bytes of an EVM private key. */
export const KEY_BYTES = 32;

/** Order of the curve secp256k1 (SEC 2, section 2.4.1). A private key is at least 1 and below it. */
const ORDER = Buffer.from('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141', 'hex');
const ZERO = Buffer.alloc(KEY_BYTES);

/** Whether the bytes are a private key: 32 of them, not zero and below the order of the curve. */
export const isPrivateKey = (bytes: Uint8Array): boolean =>
  bytes.length === KEY_BYTES && Buffer.compare(bytes, ZERO) > 0 && Buffer.compare(bytes, ORDER) < 0;

/** A new private key of 32 random bytes. The caller wipes it. */
export const newPrivateKey = (random: Random): Uint8Array => {
  const bytes = random.bytes(KEY_BYTES);
  return isPrivateKey(bytes) ? bytes : newPrivateKey(random);
};
