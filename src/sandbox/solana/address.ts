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

/** Addresses that were written before: most of a transaction's are those of programs and tokens. Only that is remembered. */
const written = new Map<string, string>();
const MAX_WRITTEN = 10_000;

/** An address in base58. To write one out takes longer than to read an account. */
export const addressOf = (bytes: Uint8Array): string => {
  const key = Buffer.from(bytes).toString('latin1');
  const known = written.get(key) ?? bs58.encode(bytes);
  if (written.size >= MAX_WRITTEN) written.clear();
  written.set(key, known);
  return known;
};
