import { createCipheriv } from 'node:crypto';
import { Failure } from '../../core/failure.ts';
import { wiping } from '../../core/secret.ts';
import type { KeyToEncrypt } from '../key.ts';
import { passwordBytes } from '../password.ts';
import { deriveScrypt, OWN_COST } from '../scrypt.ts';
import {
  headerBytes,
  NONCE_BYTES,
  SALT_BYTES,
  SEED_BYTES,
  SOLANA_CIPHER,
  SOLANA_FORMAT,
  SOLANA_VERSION,
  solanaAddressOf,
  TAG_BYTES,
} from './schema.ts';

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
