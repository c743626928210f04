import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { ED25519_KEY_BYTES, ed25519Pair } from '../../core/ed25519.ts';

/** The maximum length of 32 bytes in base58. */
const MAX_LENGTH = 44;

/** The message for a text that is not an address. */
export const NOT_A_SOLANA_ADDRESS = 'must be a Solana address: 32 bytes in base58';

/** Whether a text is a Solana address. */
export const isSolanaAddress = (text: string): boolean =>
  text.length <= MAX_LENGTH && bs58.decodeUnsafe(text)?.length === ED25519_KEY_BYTES;

const MAX_CACHED = 10_000;

/** Caches the results of a slow function. `keyOf` returns the cache key of its arguments. A full cache is cleared. */
export const cacheBy = <A extends readonly unknown[], T>(keyOf: (...args: A) => string, make: (...args: A) => T) => {
  const results = new Map<string, T>();
  return (...args: A): T => {
    const key = keyOf(...args);
    const result = results.get(key) ?? make(...args);
    if (results.size >= MAX_CACHED) results.clear();
    results.set(key, result);
    return result;
  };
};

/** The base58 text of an address. The result is cached: to encode it takes longer than to read an account. */
export const addressOf = cacheBy(
  (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1'),
  (bytes) => bs58.encode(bytes),
);

/** A key of the sandbox. It is derived from its name, so all sandboxes have the same keys. It protects only test money. */
export type SandboxKey = Readonly<ReturnType<typeof keyNamed>>;

/** Derives the sandbox's key with this name. */
export const keyNamed = (name: string) => {
  const seed = createHash('sha256').update(`sandbox of bursar, Solana: ${name}`).digest();
  const { publicKey: bytes, sign } = ed25519Pair(seed);
  return { address: bs58.encode(bytes), bytes, sign };
};
