import * as z from 'zod';
import { Failure } from '../../core/failure.ts';
import { tooCostly } from '../damage.ts';
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

/** One way to write each value: a file that says the same in other letters is another file. */
const hex = (bytes: number) =>
  z
    .string('must be hex digits')
    .regex(/^[0-9a-f]*$/, 'must be hex digits in lower case')
    .length(2 * bytes, `must be ${bytes} bytes`);

const count = z.int('must be a whole number').positive('must be above zero');

/** Strict: a field that the tag does not cover has no place in the file. */
const KeyFile = z.strictObject({
  format: z.literal(SOLANA_FORMAT, `must be ${SOLANA_FORMAT}`),
  version: z.literal(SOLANA_VERSION, `must be ${SOLANA_VERSION}: another is of a later bursar`),
  address: z.string('must be text').regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'must be an address in base58'),
  kdf: z.strictObject({
    name: z.literal('scrypt', 'must be scrypt'),
    n: count,
    r: count,
    p: count,
    salt: hex(SALT_BYTES),
  }),
  cipher: z.strictObject({ name: z.literal(SOLANA_CIPHER, `must be ${SOLANA_CIPHER}`), nonce: hex(NONCE_BYTES) }),
  ciphertext: hex(SEED_BYTES),
  tag: hex(TAG_BYTES),
});

/** A file as read. */
export type SolanaFile = { readonly header: SolanaHeader; readonly ciphertext: string; readonly tag: string };

/**
 * Reads a Solana key file, called `from`. Throws `damaged_key_file`, which never quotes it, for what is none and
 * for a cost that no key is worth.
 */
export const parseSolanaFile = (text: string, from: string): SolanaFile => {
  const parsed = KeyFile.safeParse(keyJson(text, from));
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) =>
      // zod quotes a name that does not belong, and a name may be a secret in the wrong place.
      issue.code === 'unrecognized_keys'
        ? `${issue.path.join('.')} holds an unknown field`
        : `${issue.path.join('.')} ${issue.message}`,
    );
    throw new Failure(
      'damaged_key_file',
      `${from} is not a Solana key file: ${wrong.map((each) => each.trim()).join('; ')}`,
    );
  }
  const { address, kdf, cipher, ciphertext, tag } = parsed.data;
  const problem = scryptProblem(kdf);
  if (problem) throw tooCostly(from, 'scrypt', problem);
  const { n, r, p, salt } = kdf;
  return { header: { address, n, r, p, salt, nonce: cipher.nonce }, ciphertext, tag };
};
