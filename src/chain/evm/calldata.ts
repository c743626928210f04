import { getAddress } from 'ethers/address';

/** Units of a coin or token for one address. */
export type Payment = { readonly to: string; readonly units: bigint };

const WORD = 64;

/**
 * The arguments of a call as words of 32 bytes, without its selector. `undefined` unless they are whole words, as the
 * Solidity ABI requires.
 */
export const wordsOf = (data: string): readonly string[] | undefined => {
  const hex = data.slice(10);
  if (hex.length % WORD !== 0) return undefined;
  return Array.from({ length: hex.length / WORD }, (_, index) => hex.slice(index * WORD, (index + 1) * WORD));
};

/** The number in a word. */
export const uintOf = (word: string): bigint => BigInt(`0x${word}`);

/** The address in a word; `undefined` unless its first twelve bytes are zero. */
export const addressOf = (word: string): string | undefined =>
  /^0{24}/.test(word) ? getAddress(`0x${word.slice(24)}`) : undefined;

/** The arguments `(address, uint256)`; `undefined` unless their encoding is canonical. */
export const readPayment = (words: readonly string[]): Payment | undefined => {
  const [first, second] = words;
  if (first === undefined || second === undefined || words.length !== 2) return undefined;
  const to = addressOf(first);
  return to === undefined ? undefined : { to, units: uintOf(second) };
};

const isWord = (word: string | undefined, value: number): boolean =>
  word !== undefined && uintOf(word) === BigInt(value);

/**
 * The arguments `(…head, address[], uint256[])` as payments; `head` is the number of words before them.
 * `undefined` unless their encoding is canonical: offsets as encoders write them, equal lengths, nothing in between or after.
 */
export const readPayments = (words: readonly string[], head: number): readonly Payment[] | undefined => {
  const start = head + 2;
  const count = (words.length - start - 2) / 2;
  if (!Number.isInteger(count) || count < 1) return undefined;
  const amountsStart = start + 1 + count;
  const isCanonical =
    isWord(words[head], start * 32) &&
    isWord(words[head + 1], amountsStart * 32) &&
    isWord(words[start], count) &&
    isWord(words[amountsStart], count);
  if (!isCanonical) return undefined;
  const receivers = words.slice(start + 1, amountsStart);
  const amounts = words.slice(amountsStart + 1);
  const payments = receivers.flatMap((word, index) => readPayment([word, amounts[index] ?? '']) ?? []);
  return payments.length === count ? payments : undefined;
};
