/** The format name in Solana key files (docs/solana-key-format.md). */
export const SOLANA_FORMAT = 'bursar-solana-key';

/** The format version; a reader refuses any other. */
export const SOLANA_VERSION = 1;

/** The cipher of the seed, by its name in `node:crypto` (NIST SP 800-38D). */
export const SOLANA_CIPHER = 'aes-256-gcm';

/** Bytes of the nonce, which is new for each file. */
export const NONCE_BYTES = 12;

/** Bytes of the tag; shorter tags are refused. */
export const TAG_BYTES = 16;

/** Bytes of the salt of scrypt. */
export const SALT_BYTES = 32;

/** All fields of a key file except the encrypted seed and the tag. */
export type SolanaHeader = {
  readonly address: string;
  readonly n: number;
  readonly r: number;
  readonly p: number;
  /** Hex in lower case, as in the file. */
  readonly salt: string;
  readonly nonce: string;
};

/** The bytes that the tag authenticates besides the seed: each field of the header on a separate line. */
export const headerBytes = ({ address, n, r, p, salt, nonce }: SolanaHeader): Buffer =>
  Buffer.from(
    [SOLANA_FORMAT, SOLANA_VERSION, address, 'scrypt', n, r, p, salt, SOLANA_CIPHER, nonce]
      .map((field) => `${field}\n`)
      .join(''),
  );
