import { createCipheriv, createDecipheriv } from 'node:crypto';
import bs58 from 'bs58';
import { ed25519PublicKey } from '../core/ed25519.ts';
import { Failure } from '../core/failure.ts';
import { type Secret, wiping } from '../core/secret.ts';
import { WIRE_SOLANA_KEY } from '../core/wire-names.ts';
import type { Derive } from '../io/io.ts';
import { fieldsOf, keyJson, tooCostly } from './json-fields.ts';
import type { Decrypt, KeyToEncrypt } from './key.ts';
import { formsOf, passwordBytes } from './password.ts';
import { deriveScrypt, OWN_COST, type ScryptCost, scryptProblem, scryptWarnings } from './scrypt.ts';

/** The format name in Solana key files (docs/solana-key-format.md). */
export const SOLANA_FORMAT = WIRE_SOLANA_KEY;

/** The format version; a reader refuses any other. */
export const SOLANA_VERSION = 1;

/** The cipher of the seed, by its name in `node:crypto` (NIST SP 800-38D). */
export const SOLANA_CIPHER = 'aes-256-gcm';

/** Bytes of the nonce, which is new for each file. */
const NONCE_BYTES = 12;

/** Bytes of the tag; shorter tags are refused. */
const TAG_BYTES = 16;

/** Bytes of the salt of scrypt. */
const SALT_BYTES = 32;

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
type SolanaFile = { readonly header: SolanaHeader; readonly ciphertext: string; readonly tag: string };

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

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * Encrypts the seed of a Solana key as a key file of bursar: scrypt with N = 131072 and AES-256-GCM, which authenticates
 * all other fields. Throws `invalid_input` when the seed is not 32 bytes.
 */
export const encryptSolana = async (key: Omit<KeyToEncrypt, 'chain'>): Promise<string> => {
  const { privateKey: seed, random } = key;
  if (seed.length !== SEED_BYTES) throw new Failure('invalid_input', 'these bytes are not the seed of a Solana key');
  const [salt, nonce] = [random.bytes(SALT_BYTES), random.bytes(NONCE_BYTES)];
  const header = { address: solanaAddressOf(seed), ...OWN_COST, salt: hex(salt), nonce: hex(nonce) };
  const derived = await wiping(passwordBytes(key.password), (password) =>
    deriveScrypt(key.derive, password, salt, OWN_COST),
  );
  return wiping(derived, () => {
    const cipher = createCipheriv(SOLANA_CIPHER, derived, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(headerBytes(header));
    const ciphertext = hex(Buffer.concat([cipher.update(seed), cipher.final()]));
    return JSON.stringify({
      format: SOLANA_FORMAT,
      version: SOLANA_VERSION,
      address: header.address,
      kdf: { name: 'scrypt', ...OWN_COST, salt: header.salt },
      cipher: { name: SOLANA_CIPHER, nonce: header.nonce },
      ciphertext,
      tag: hex(cipher.getAuthTag()),
    });
  });
};

const decipher = ({ header, ciphertext, tag }: SolanaFile, key: Uint8Array): Uint8Array | undefined => {
  // Without the length, Node would accept a tag of four bytes, which can be guessed.
  const cipher = createDecipheriv(SOLANA_CIPHER, key, Buffer.from(header.nonce, 'hex'), { authTagLength: TAG_BYTES });
  cipher.setAAD(headerBytes(header));
  cipher.setAuthTag(Buffer.from(tag, 'hex'));
  const plain = cipher.update(ciphertext, 'hex');
  try {
    cipher.final();
  } catch {
    plain.fill(0);
    return undefined;
  }
  return plain;
};

const tryForms = async (derive: Derive, file: SolanaFile, password: Secret, from: string): Promise<Uint8Array> => {
  const { header } = file;
  const salt = Buffer.from(header.salt, 'hex');
  for (const form of formsOf(password)) {
    const derived = await wiping(Buffer.from(form), (bytes) => deriveScrypt(derive, bytes, salt, header));
    const seed = await wiping(derived, (key) => decipher(file, key));
    if (seed) return seed;
  }
  throw new Failure('wrong_password', `the password does not unlock ${from}`, {
    hint: 'A wrong password and a changed file give the same error: every field is authenticated.',
  });
};

/**
 * Decrypts a Solana key file of bursar, called `from` in errors. Throws `damaged_key_file` for another file, for too
 * costly parameters, or for the seed of another address; `wrong_password` when the tag differs.
 */
export const decryptSolana: Decrypt = async (derive, text, password, from = 'the key file') => {
  const file = parseSolanaFile(text, from);
  const { address } = file.header;
  const privateKey = await tryForms(derive, file, password, from);
  if (solanaAddressOf(privateKey) !== address) {
    privateKey.fill(0);
    throw new Failure('damaged_key_file', `the password is right, but ${from} contains the key of another address`, {
      hint: `Its address field is ${address}. The program that wrote the file is faulty.`,
    });
  }
  return { chain: 'solana', privateKey, address, warnings: scryptWarnings(file.header), needsConfirmation: false };
};
