import { Failure } from '../../core/failure.ts';
import { tooCostly } from '../damage.ts';
import { fieldsOf } from '../json-fields.ts';
import { scryptProblem } from '../kdf/scrypt.ts';
import { keyJson } from '../key-json.ts';
import {
  NONCE_BYTES,
  SALT_BYTES,
  SOLANA_CIPHER,
  SOLANA_FORMAT,
  SOLANA_VERSION,
  type SolanaHeader,
  TAG_BYTES,
} from './format.ts';
import { SEED_BYTES } from './seed.ts';

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
