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
