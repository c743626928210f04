import { createDecipheriv } from 'node:crypto';
import { Failure } from '../../core/failure.ts';
import { type Secret, wiping } from '../../core/secret.ts';
import type { Derive } from '../../io/io.ts';
import type { DecryptedKey } from '../key.ts';
import { formsOf } from '../password.ts';
import { deriveScrypt, scryptWarnings } from '../scrypt.ts';
import { headerBytes, parseSolanaFile, SOLANA_CIPHER, type SolanaFile, solanaAddressOf, TAG_BYTES } from './schema.ts';

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
export const decryptSolana = async (
  derive: Derive,
  text: string,
  password: Secret,
  from = 'the key file',
): Promise<DecryptedKey> => {
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
