import type { KeyChain } from '../contract/chains.ts';
import { Failure } from '../core/failure.ts';
import type { Secret } from '../core/secret.ts';
import type { Derive, Random } from '../io/io.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** An address or private key that was typed in place of a name: 64 hex digits, or 32 bytes in base58. */
const NOT_A_NAME = /^(?:(?:0x)?[0-9a-f]{40}|[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{43,44})$/i;

/** Whether the text is a valid name of a key. */
export const isKeyName = (text: string): boolean => NAME.test(text) && !NOT_A_NAME.test(text);

/** Whether the text is an EVM or Solana address. A short Solana address can be a name too. */
export const isAddress = (text: string): boolean => EVM_ADDRESS.test(text) || SOLANA_ADDRESS.test(text);

/** Throws `invalid_input` for an invalid key name. The text is not quoted: it may be a mistyped secret. */
export const assertKeyName = (text: string): void => {
  if (isKeyName(text)) return;
  throw new Failure('invalid_input', 'this is not a valid key name', {
    hint: 'A name has 1 to 64 letters, digits, dots, underscores and hyphens, starts with a letter or digit, and is not an address.',
  });
};

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

/** Decrypts the text of a key file; errors call the file `from`. */
export type Decrypt = (derive: Derive, text: string, password: Secret, from?: string) => Promise<DecryptedKey>;

/** A private key to encrypt, with what the encryption needs. */
export type KeyToEncrypt = Pick<DecryptedKey, 'chain' | 'privateKey'> & {
  readonly password: Secret;
  readonly random: Random;
  readonly derive: Derive;
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

/** The families of keys in words, and the suggested name for the first key of each. */
export const KEY_FAMILIES: Readonly<Record<KeyChain, { readonly words: string; readonly name: string }>> = {
  evm: { words: 'EVM chains', name: 'treasury' },
  solana: { words: 'Solana', name: 'savings' },
};
