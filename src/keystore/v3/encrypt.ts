import { createCipheriv } from 'node:crypto';
import { Failure } from '../../core/failure.ts';
import { wiping } from '../../core/secret.ts';
import { addressOf } from '../evm-address.ts';
import { isPrivateKey, type KeyToEncrypt } from '../key.ts';
import { passwordBytes } from '../password.ts';
import { deriveScrypt, OWN_COST } from '../scrypt.ts';
import { CIPHER, macOf } from './decrypt.ts';

/** UUID of version 4 (RFC 9562, section 5.4). */
const uuidOf = (bytes: Uint8Array): string => {
  const digits = Buffer.from(bytes);
  digits[6] = ((digits[6] ?? 0) & 0x0f) | 0x40;
  digits[8] = ((digits[8] ?? 0) & 0x3f) | 0x80;
  return digits.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * Encrypts a private key as a key file of version 3 (Web3 Secret Storage Definition) for geth, cast and ethers:
 * lower-case `crypto`, the address, scrypt with N = 131072. The password is NFKC-normalised, as in ethers. Throws
 * `invalid_input` for bytes that are not a private key.
 */
export const encryptV3 = async (key: Omit<KeyToEncrypt, 'chain'>): Promise<string> => {
  const { privateKey, random } = key;
  if (!isPrivateKey(privateKey)) throw new Failure('invalid_input', 'these bytes are not an EVM private key');
  const [salt, iv] = [random.bytes(32), random.bytes(16)];
  const derived = await wiping(passwordBytes(key.password), (bytes) => deriveScrypt(key.derive, bytes, salt, OWN_COST));
  return wiping(derived, async () => {
    const cipher = createCipheriv(CIPHER, derived.subarray(0, 16), iv);
    const ciphertext = cipher.update(privateKey);
    return JSON.stringify({
      address: addressOf(privateKey).slice(2).toLowerCase(),
      crypto: {
        cipher: CIPHER,
        ciphertext: hex(ciphertext),
        cipherparams: { iv: hex(iv) },
        kdf: 'scrypt',
        kdfparams: { dklen: 32, ...OWN_COST, salt: hex(salt) },
        mac: hex(await macOf(derived, ciphertext)),
      },
      id: uuidOf(random.bytes(16)),
      version: 3,
    });
  });
};
