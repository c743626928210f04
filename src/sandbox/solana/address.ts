import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import bs58 from 'bs58';

const KEY_BYTES = 32;
const LONGEST = 44;

/** For messages. */
export const NOT_A_SOLANA_ADDRESS = 'must be a Solana address: 32 bytes in base58';

/** Whether a text is a Solana address. */
export const isSolanaAddress = (text: string): boolean => {
  try {
    return text.length <= LONGEST && bs58.decode(text).length === KEY_BYTES;
  } catch {
    return false;
  }
};

const MAX_REMEMBERED = 10_000;

/** Remembers the results of a function that takes long, by the key of its arguments. Nothing else is remembered. */
export const remember = <A extends readonly unknown[], T>(keyOf: (...of: A) => string, make: (...of: A) => T) => {
  const results = new Map<string, T>();
  return (...of: A): T => {
    const key = keyOf(...of);
    const result = results.get(key) ?? make(...of);
    if (results.size >= MAX_REMEMBERED) results.clear();
    results.set(key, result);
    return result;
  };
};

/** An address in base58. To write one out takes longer than to read an account. */
export const addressOf = remember(
  (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1'),
  (bytes) => bs58.encode(bytes),
);

/** A key of the sandbox's own. It is derived from its name, so every sandbox has the same; it guards test money only. */
export type SandboxKey = Readonly<ReturnType<typeof keyNamed>>;

/** PKCS #8 and SPKI of Ed25519 (RFC 8410) before their 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_BYTES = 12;

/** The sandbox's key of that name. */
export const keyNamed = (name: string) => {
  const seed = createHash('sha256').update(`sandbox of bursar, Solana: ${name}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const bytes = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_BYTES);
  return { address: bs58.encode(bytes), bytes, sign: (message: Uint8Array): Uint8Array => sign(null, message, key) };
};
