/** What a file in our format for Solana keys says it is (`README.md` beside this folder describes it). */
export const SOLANA_FORMAT = 'bursar-solana-key';

/** Of that format; a reader refuses any other. */
export const SOLANA_VERSION = 1;

/** What the seed is encrypted with, as `node:crypto` names it (NIST SP 800-38D). */
export const SOLANA_CIPHER = 'aes-256-gcm';

/** Bytes of its nonce, which is new for each file. */
export const NONCE_BYTES = 12;

/** Bytes of its tag: shorter ones are refused. */
export const TAG_BYTES = 16;

/** Bytes of the salt of scrypt. */
export const SALT_BYTES = 32;

/** Everything in a file but the encrypted seed and the tag. */
export type SolanaHeader = {
  readonly address: string;
  readonly n: number;
  readonly r: number;
  readonly p: number;
  /** Hex in lower case, as in the file. */
  readonly salt: string;
  readonly nonce: string;
};

/** The bytes that the tag covers besides the seed: each field of the header on a line of its own. */
export const headerBytes = ({ address, n, r, p, salt, nonce }: SolanaHeader): Buffer =>
  Buffer.from(
    [SOLANA_FORMAT, SOLANA_VERSION, address, 'scrypt', n, r, p, salt, SOLANA_CIPHER, nonce]
      .map((field) => `${field}\n`)
      .join(''),
  );
