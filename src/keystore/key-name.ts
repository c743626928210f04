import { Failure } from '../core/failure.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
/** Text that is likely an address or a key typed where a name belongs: 64 hex digits, or 32 bytes in base58. */
const NOT_A_NAME = /^(?:(?:0x)?[0-9a-f]{40}|[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{43,44})$/i;

/** Whether the text may name a key. */
export const isKeyName = (text: string): boolean => NAME.test(text) && !NOT_A_NAME.test(text);

/** Whether the text is an address of either family. A short one of Solana may be a name as well. */
export const isAddress = (text: string): boolean => EVM_ADDRESS.test(text) || SOLANA_ADDRESS.test(text);

/** Throws `invalid_input` for a text that cannot name a key. It is not quoted: it may be a secret in the wrong place. */
export const assertKeyName = (text: string): void => {
  if (isKeyName(text)) return;
  throw new Failure('invalid_input', 'this cannot be the name of a key', {
    hint: 'A name has 1 to 64 letters, digits, dots, underscores and hyphens, starts with a letter or digit, and is no address.',
  });
};
