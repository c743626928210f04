import { createDecipheriv } from 'node:crypto';
import { Failure } from '../../core/failure.ts';
import type { Secret } from '../../core/secret.ts';
import type { Derive } from '../../io/io.ts';
import { deriveScrypt, scryptWarnings } from '../kdf/scrypt.ts';
import type { OpenedKey } from '../opened-key.ts';
import { formsOf } from '../password-forms.ts';
import { wiping } from '../wiping.ts';
import { headerBytes, SOLANA_CIPHER, TAG_BYTES } from './format.ts';
import { parseSolanaFile, type SolanaFile } from './schema.ts';
import { solanaAddressOf } from './seed.ts';

const decipher = ({ header, ciphertext, tag }: SolanaFile, key: Uint8Array): Uint8Array | undefined => {
  // Without the length Node would take a tag of four bytes, which is guessed in no time.
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
  throw new Failure('wrong_password', `the password does not open ${from}`, {
    hint: 'A wrong password and a file that was changed look alike: every field of it is authenticated.',
  });
};

/**
 * Opens a Solana key file of ours, called `from` in errors. Throws `damaged_key_file` for what is no such file,
 * asks for too much work, or holds the seed of another address; `wrong_password` when the tag differs.
 */
export const decryptSolana = async (
  derive: Derive,
  text: string,
  password: Secret,
  from = 'the key file',
): Promise<OpenedKey> => {
  const file = parseSolanaFile(text, from);
  const { address } = file.header;
  const privateKey = await tryForms(derive, file, password, from);
  if (solanaAddressOf(privateKey) !== address) {
    privateKey.fill(0);
    throw new Failure('damaged_key_file', `the password is right, but ${from} holds the key of another address`, {
      hint: `It says ${address}. The program that wrote it did so wrongly.`,
    });
  }
  return { chain: 'solana', privateKey, address, warnings: scryptWarnings(file.header), needsConfirmation: false };
};
