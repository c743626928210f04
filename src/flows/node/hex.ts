import { Failure } from '../../core/failure.ts';

/** A number as JSON-RPC writes it: 0x and hex digits, at most 256 bits. Throws `unexpected_answer`. */
export const readQuantity = (value: unknown, what: string): bigint => {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value);
  throw new Failure('unexpected_answer', `the node gave no number for ${what}`, { hint: 'Nothing was signed.' });
};

/** A number as JSON-RPC writes it, without leading zeros. */
export const writeQuantity = (value: bigint): string => `0x${value.toString(16)}`;

/** The address in a word of 32 bytes; lower case. */
export const addressIn = (word: string | undefined): string => `0x${(word ?? '').slice(-40).toLowerCase()}`;
