import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { ED25519_KEY_BYTES, ed25519Pair } from '../../core/ed25519.ts';

const LONGEST = 44;

/** For messages. */
export const NOT_A_SOLANA_ADDRESS = 'must be a Solana address: 32 bytes in base58';

/** Whether a text is a Solana address. */
export const isSolanaAddress = (text: string): boolean =>
  text.length <= LONGEST && bs58.decodeUnsafe(text)?.length === ED25519_KEY_BYTES;

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

/** The sandbox's key of that name. */
export const keyNamed = (name: string) => {
  const seed = createHash('sha256').update(`sandbox of bursar, Solana: ${name}`).digest();
  const { publicKey: bytes, sign } = ed25519Pair(seed);
  return { address: bs58.encode(bytes), bytes, sign };
};
