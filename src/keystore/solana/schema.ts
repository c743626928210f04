import bs58 from 'bs58';
import { ed25519PublicKey } from '../../core/ed25519.ts';
import { Failure } from '../../core/failure.ts';
import { fieldsOf, keyJson, tooCostly } from '../json-fields.ts';
import { type ScryptCost, scryptProblem } from '../scrypt.ts';

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
type SolanaHeader = ScryptCost & {
  readonly address: string;
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

/** Bytes of the seed of an ed25519 pair. The rest of a Solana key derives from it. */
export const SEED_BYTES = 32;

/** The address of a seed: its public key in base58. */
export const solanaAddressOf = (seed: Uint8Array): string => bs58.encode(ed25519PublicKey(seed));

/** The 64-byte form of solana-keygen and wallets: the seed and its public key. The caller wipes it. */
export const pairBytes = (seed: Uint8Array): Uint8Array => Buffer.concat([seed, ed25519PublicKey(seed)]);

/** The parsed key file. */
export type SolanaFile = { readonly header: SolanaHeader; readonly ciphertext: string; readonly tag: string };

/** Only lower case, so that each value has exactly one form. */
const DIGITS = /^[0-9a-f]+$/;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Reads all fields and refuses others: the tag would not authenticate them. */
const read = (json: unknown) => {
  const fields = fieldsOf(json);
  const hex = (path: string, bytes: number) => fields.hex(path, bytes, bytes, DIGITS);
  fields.only('', ['format', 'version', 'address', 'kdf', 'cipher', 'ciphertext', 'tag']);
  fields.only('kdf', ['name', 'n', 'r', 'p', 'salt']);
  fields.only('cipher', ['name', 'nonce']);
  fields.is('format', SOLANA_FORMAT);
  fields.is('version', SOLANA_VERSION, `must be ${SOLANA_VERSION}; a newer bursar may have written the file`);
  fields.is('kdf.name', 'scrypt');
  fields.is('cipher.name', SOLANA_CIPHER);
  const header: SolanaHeader = {
    address: fields.text('address', ADDRESS, 'must be an address in base58'),
    n: fields.count('kdf.n'),
    r: fields.count('kdf.r'),
    p: fields.count('kdf.p'),
    salt: hex('kdf.salt', SALT_BYTES),
    nonce: hex('cipher.nonce', NONCE_BYTES),
  };
  const file: SolanaFile = { header, ciphertext: hex('ciphertext', SEED_BYTES), tag: hex('tag', TAG_BYTES) };
  return { file, problems: fields.problems() };
};

/**
 * Parses a Solana key file, called `from` in errors. Throws `damaged_key_file`, which never quotes the file, for another
 * format or a too costly derivation.
 */
export const parseSolanaFile = (text: string, from: string): SolanaFile => {
  const { file, problems } = read(keyJson(text, from));
  if (problems.length > 0) {
    throw new Failure('damaged_key_file', `${from} is not a Solana key file: ${problems.join('; ')}`);
  }
  const problem = scryptProblem(file.header);
  if (problem) throw tooCostly(from, 'scrypt', problem);
  return file;
};
