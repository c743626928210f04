import { pbkdf2, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { V3Crypto } from './schema.ts';
import { scryptNarrow } from './scrypt-narrow.ts';

const pbkdf2Async = promisify(pbkdf2);

export type ScryptCost = { readonly n: number; readonly r: number; readonly p: number };

/**
 * 32 bytes by scrypt (RFC 7914) on a thread of its own: the event loop goes on, so a spinner turns.
 * The cost must have been held against the caps before.
 */
export const deriveScrypt = (password: Uint8Array, salt: Uint8Array, { n, r, p }: ScryptCost): Promise<Buffer> => {
  if (n >= 2 ** (16 * r)) return scryptNarrow(password, salt, { n, p });
  // OpenSSL counts its buffers too, so 128 * N * r alone is a little too small.
  const maxmem = 128 * r * (n + p + 2) + 1024 * 1024;
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { N: n, r, p, maxmem }, (error, key) => (error ? reject(error) : resolve(key)));
  });
};

/** The 32 bytes that a key file derives from a password. The caller wipes them. */
export const deriveFor = (password: Uint8Array, crypto: V3Crypto): Promise<Buffer> => {
  const salt = Buffer.from(crypto.kdfparams.salt, 'hex');
  if (crypto.kdf === 'scrypt') return deriveScrypt(password, salt, crypto.kdfparams);
  const { c, prf } = crypto.kdfparams;
  return pbkdf2Async(password, salt, c, 32, prf === 'hmac-sha256' ? 'sha256' : 'sha512');
};
