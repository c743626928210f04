import { createCipheriv, createDecipheriv, timingSafeEqual } from 'node:crypto';
import { Failure } from '../core/failure.ts';
import { type Secret, wiping } from '../core/secret.ts';
import type { Derive } from '../io/io.ts';
import { fieldsOf, type JsonFields, keyJson, tooCostly } from './json-fields.ts';
import { type Decrypt, isPrivateKey, KEY_BYTES, type KeyToEncrypt } from './key.ts';
import { formsOf, passwordBytes } from './password.ts';
import { deriveScrypt, OWN_COST, type ScryptCost, scryptProblem, scryptWarnings } from './scrypt.ts';

const MAX_ROUNDS = 10_000_000;

/** The rounds of geth. With fewer rounds, passwords of a stolen file can be guessed fast. */
const WEAK_ROUNDS = 262_144;

const problemOf = (crypto: V3Crypto): string | undefined => {
  if (crypto.kdf === 'scrypt') return scryptProblem(crypto.kdfparams);
  return crypto.kdfparams.c > MAX_ROUNDS ? `c is above ${MAX_ROUNDS}` : undefined;
};

/** Throws `damaged_key_file`, before any derivation, for a file that would cost too much time or memory. */
export const assertAffordable = (crypto: V3Crypto, from: string): void => {
  const problem = problemOf(crypto);
  if (problem) throw tooCostly(from, crypto.kdf, problem);
};

/** Warnings about a derivation that is weaker than that of bursar. */
const costWarnings = (crypto: V3Crypto): readonly string[] => {
  if (crypto.kdf === 'scrypt') return scryptWarnings(crypto.kdfparams);
  const { c } = crypto.kdfparams;
  return c < WEAK_ROUNDS ? [`its PBKDF2 with c = ${c} is weak: below ${WEAK_ROUNDS} a password is guessed fast`] : [];
};

/** The cipher of the Web3 Secret Storage Definition. Its key is the first half of the derived bytes. */
const CIPHER = 'aes-128-ctr';

/** The mac of the definition: keccak256 of the second half of the 32 derived bytes and the ciphertext. */
const macOf = async (derived: Uint8Array, ciphertext: Uint8Array): Promise<Buffer> => {
  const { keccak256 } = await import('./keccak.ts');
  return Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext])).slice(2), 'hex');
};

type Kdf =
  | { readonly kdf: 'scrypt'; readonly kdfparams: ScryptCost & { readonly salt: string } }
  | {
      readonly kdf: 'pbkdf2';
      readonly kdfparams: { readonly salt: string; readonly c: number; readonly prf: 'hmac-sha256' | 'hmac-sha512' };
    };

type V3File = { readonly address: string | undefined; readonly crypto: V3Crypto };

const ADDRESS = /^(?:(?:0x)?[0-9a-f]{40})?$/i;
const KDF = /^(?:scrypt|pbkdf2)$/;
const PRF = /^hmac-sha(?:256|512)$/;

const readKdf = (fields: JsonFields, crypto: string): Kdf => {
  const at = `${crypto}.kdfparams`;
  const kdf = fields.text(`${crypto}.kdf`, KDF, 'must be scrypt or pbkdf2');
  fields.is(`${at}.dklen`, 32);
  const salt = fields.hex(`${at}.salt`, 1, 128);
  if (kdf === 'pbkdf2') {
    const prf = fields.text(`${at}.prf`, PRF, 'must be hmac-sha256 or hmac-sha512');
    const c = fields.count(`${at}.c`);
    return { kdf, kdfparams: { salt, c, prf: prf === 'hmac-sha512' ? prf : 'hmac-sha256' } };
  }
  const [n, r, p] = [fields.count(`${at}.n`), fields.count(`${at}.r`), fields.count(`${at}.p`)];
  return { kdf: 'scrypt', kdfparams: { salt, n, r, p } };
};

const readCrypto = (fields: JsonFields, crypto: string) => {
  fields.is(`${crypto}.cipher`, 'aes-128-ctr');
  return {
    ...readKdf(fields, crypto),
    cipherparams: { iv: fields.hex(`${crypto}.cipherparams.iv`, 16) },
    // Old programs dropped leading zero bytes of the key.
    ciphertext: fields.hex(`${crypto}.ciphertext`, 30, 32),
    mac: fields.hex(`${crypto}.mac`, 32),
  };
};

/** The `crypto` part of a key file. Its texts are hex digits. */
type V3Crypto = ReturnType<typeof readCrypto>;

/** ethers writes `Crypto`. */
const cryptoIn = (fields: JsonFields): V3Crypto | undefined => {
  const [name, other] = ['crypto', 'Crypto'].filter(fields.has);
  if (name !== undefined && other === undefined) return readCrypto(fields, name);
  fields.wrong('crypto', name === undefined ? 'is missing' : 'exists twice, once as Crypto');
  return undefined;
};

/**
 * Parses a key file of version 3 (Web3 Secret Storage Definition). `crypto` may be `Crypto`, as in ethers. Throws
 * `damaged_key_file`, which calls the file `from` and never quotes it.
 */
export const parseV3 = (text: string, from: string): V3File => {
  const fields = fieldsOf(keyJson(text, from));
  fields.is('version', 3, 'must be the number 3');
  const address = fields.has('address') ? fields.text('address', ADDRESS, 'must be 40 hex digits') : '';
  const crypto = cryptoIn(fields);
  const problems = fields.problems();
  if (crypto === undefined || problems.length > 0) {
    throw new Failure('damaged_key_file', `${from} is not a key file of version 3: ${problems.join('; ')}`);
  }
  return { address: address.toLowerCase().replace(/^0x/, '') || undefined, crypto };
};

/** Pads a key shorter than 32 bytes with leading zeros, as geth and cast do. */
const decipher = (crypto: V3Crypto, key: Uint8Array): Uint8Array => {
  const cipher = createDecipheriv(CIPHER, key, Buffer.from(crypto.cipherparams.iv, 'hex'));
  const plain = cipher.update(crypto.ciphertext, 'hex');
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
const loadAddressOf = () => import('./evm-address.ts');

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
export const decryptV3: Decrypt = async (derive, text, password, from = 'the key file') => {
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
    const { addressOf } = await loadAddressOf();
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
