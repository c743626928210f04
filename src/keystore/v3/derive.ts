import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { deriveScrypt } from '../kdf/scrypt.ts';
import type { V3Crypto } from './schema.ts';

const pbkdf2Async = promisify(pbkdf2);

/** The 32 bytes that a key file derives from a password. The caller wipes them. */
export const deriveFor = (password: Uint8Array, crypto: V3Crypto): Promise<Buffer> => {
  const salt = Buffer.from(crypto.kdfparams.salt, 'hex');
  if (crypto.kdf === 'scrypt') return deriveScrypt(password, salt, crypto.kdfparams);
  const { c, prf } = crypto.kdfparams;
  return pbkdf2Async(password, salt, c, 32, prf === 'hmac-sha256' ? 'sha256' : 'sha512');
};
