import { Failure } from '../core/failure.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** An address or private key that was typed in place of a name: 64 hex digits, or 32 bytes in base58. */
const NOT_A_NAME = /^(?:(?:0x)?[0-9a-f]{40}|[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{43,44})$/i;

/** Whether the text is a valid name of a key. */
export const isKeyName = (text: string): boolean => NAME.test(text) && !NOT_A_NAME.test(text);

/** Whether the text is an EVM or Solana address. A short Solana address can be a name too. */
export const isAddress = (text: string): boolean => EVM_ADDRESS.test(text) || SOLANA_ADDRESS.test(text);

/** Throws `invalid_input` for an invalid key name. The text is not quoted: it may be a mistyped secret. */
export const assertKeyName = (text: string): void => {
  if (isKeyName(text)) return;
  throw new Failure('invalid_input', 'this is not a valid key name', {
    hint: 'A name has 1 to 64 letters, digits, dots, underscores and hyphens, starts with a letter or digit, and is not an address.',
  });
};
