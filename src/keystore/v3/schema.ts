import { Failure } from '../../core/failure.ts';
import { fieldsOf, type JsonFields } from '../json-fields.ts';
import { keyJson } from '../key-json.ts';

type Kdf =
  | {
      readonly kdf: 'scrypt';
      readonly kdfparams: { readonly salt: string; readonly n: number; readonly r: number; readonly p: number };
    }
  | {
      readonly kdf: 'pbkdf2';
      readonly kdfparams: { readonly salt: string; readonly c: number; readonly prf: 'hmac-sha256' | 'hmac-sha512' };
    };

/** The `crypto` part of a key file. Its texts are hex digits. */
export type V3Crypto = Kdf & {
  readonly cipherparams: { readonly iv: string };
  readonly ciphertext: string;
  readonly mac: string;
};

/** A key file as read: its address is 40 hex digits in lower case, or none. */
export type V3File = { readonly address: string | undefined; readonly crypto: V3Crypto };

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

const readCrypto = (fields: JsonFields, crypto: string): V3Crypto => {
  fields.is(`${crypto}.cipher`, 'aes-128-ctr');
  return {
    ...readKdf(fields, crypto),
    cipherparams: { iv: fields.hex(`${crypto}.cipherparams.iv`, 16) },
    // Old writers dropped leading zero bytes of the key.
    ciphertext: fields.hex(`${crypto}.ciphertext`, 30, 32),
    mac: fields.hex(`${crypto}.mac`, 32),
  };
};

/** ethers writes it with a capital. */
const cryptoIn = (fields: JsonFields): V3Crypto | undefined => {
  const [name, other] = ['crypto', 'Crypto'].filter(fields.has);
  if (name !== undefined && other === undefined) return readCrypto(fields, name);
  fields.wrong('crypto', name === undefined ? 'is missing' : 'is there twice, once as Crypto');
  return undefined;
};

/**
 * Reads a key file of version 3 (Web3 Secret Storage Definition). `crypto` may be written `Crypto`, as ethers
 * does. Throws `damaged_key_file`, which calls the file by `from` and never quotes it.
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
