import { createDecipheriv, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../core/failure.ts';
import type { Secret } from '../../core/secret.ts';
import type { Derive } from '../../io/io.ts';
import { type DecryptedKey, isPrivateKey, KEY_BYTES } from '../decrypted-key.ts';
import { formsOf } from '../password.ts';
import { deriveScrypt } from '../scrypt.ts';
import { wiping } from '../wiping.ts';
import { assertAffordable, CIPHER, costWarnings, macOf, parseV3, type V3Crypto } from './schema.ts';

/** Pads a key shorter than 32 bytes with leading zeros, as geth and cast do. */
const decipher = (crypto: V3Crypto, key: Uint8Array): Uint8Array => {
  const plain = createDecipheriv(CIPHER, key, Buffer.from(crypto.cipherparams.iv, 'hex')).update(
    crypto.ciphertext,
    'hex',
  );
  const privateKey = new Uint8Array(KEY_BYTES);
  privateKey.set(plain, KEY_BYTES - plain.length);
  plain.fill(0);
  return privateKey;
};

/** Decrypts the key with one form of the password; `undefined` when the mac differs. */
const tryForm = async (derive: Derive, crypto: V3Crypto, form: string): Promise<Uint8Array | undefined> => {
  const derived = await wiping(Buffer.from(form), (password) => deriveFor(derive, password, crypto));
  return wiping(derived, async () => {
    const mac = await macOf(derived, Buffer.from(crypto.ciphertext, 'hex'));
    return timingSafeEqual(mac, Buffer.from(crypto.mac, 'hex')) ? decipher(crypto, derived.subarray(0, 16)) : undefined;
  });
};

const tryForms = async (derive: Derive, crypto: V3Crypto, password: Secret, from: string): Promise<Uint8Array> => {
  for (const form of formsOf(password)) {
    const privateKey = await tryForm(derive, crypto, form);
    if (privateKey) return privateKey;
  }
  throw new Failure('wrong_password', `the password does not unlock ${from}`, {
    hint: 'A wrong password and a damaged file give the same error in this format.',
  });
};

/** Loads the curve code while another thread derives the key. */
const loadAddressOf = () => import('../evm-address.ts');

/** The mac does not cover the iv. A damaged iv gives another key, which only the address reveals. */
const checkedAddress = async (privateKey: Uint8Array, expected: string | undefined, from: string): Promise<string> => {
  const { addressOf } = await loadAddressOf();
  const address = isPrivateKey(privateKey) ? addressOf(privateKey) : undefined;
  if (address && (expected === undefined || address.slice(2).toLowerCase() === expected)) return address;
  const found = address ? `contains the key of ${address}, not of 0x${expected}` : 'contains no private key';
  throw new Failure('damaged_key_file', `the password is right, but ${from} ${found}`, {
    hint: 'The iv or the address is damaged. Restore the file from a backup.',
  });
};

const warningsOf = (crypto: V3Crypto, address: string, isNamed: boolean): readonly string[] => {
  const bytes = crypto.ciphertext.length / 2;
  return [
    ...costWarnings(crypto),
    ...(bytes < KEY_BYTES ? [`its key has only ${bytes} bytes and was padded with leading zeros, as geth does`] : []),
    ...(isNamed ? [] : [`it has no address field; its key has the address ${address}`]),
  ];
};

/**
 * Decrypts a key file of version 3 (Web3 Secret Storage Definition), called `from` in errors. Throws `damaged_key_file`
 * for another format, too costly parameters, or a key of another address; `wrong_password` when the mac differs.
 */
export const decryptV3 = async (
  derive: Derive,
  text: string,
  password: Secret,
  from = 'the key file',
): Promise<DecryptedKey> => {
  const { address: expected, crypto } = parseV3(text, from);
  assertAffordable(crypto, from);
  const [privateKey] = await Promise.all([tryForms(derive, crypto, password, from), loadAddressOf()]);
  try {
    const address = await checkedAddress(privateKey, expected, from);
    const isNamed = expected !== undefined;
    const warnings = warningsOf(crypto, address, isNamed);
    return { chain: 'evm', privateKey, address, warnings, needsConfirmation: !isNamed };
  } catch (error) {
    privateKey.fill(0);
    throw error;
  }
};

/** The 32 bytes that a key file derives from a password. The caller wipes them. */
const deriveFor = (derive: Derive, password: Uint8Array, crypto: V3Crypto): Promise<Uint8Array> => {
  const salt = Buffer.from(crypto.kdfparams.salt, 'hex');
  if (crypto.kdf === 'scrypt') return deriveScrypt(derive, password, salt, crypto.kdfparams);
  const { c, prf } = crypto.kdfparams;
  const digest = prf === 'hmac-sha256' ? 'sha256' : 'sha512';
  return derive({ kdf: 'pbkdf2', password, salt, bytes: 32, rounds: c, digest });
};
