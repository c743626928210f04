import bs58 from 'bs58';

/** A number that is used once may look like anything, and is one word: what else stands on its line counts. */
const withoutNonces = (text: string): string => text.replace(/^\s*"?nonce"?[ \t]*:[ \t]*"?[\w+/=-]+"?,?[ \t]*$/gim, '');

const EVM = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/gi;
const BASE58_WORD = /(?<![A-Za-z0-9])[1-9A-HJ-NP-Za-km-z]{32,44}(?![A-Za-z0-9])/g;

const isSolana = (word: string): boolean => bs58.decodeUnsafe(word)?.length === 32;

/** Every address that a text names, of EVM chains and of Solana, as it is written there. */
export const addressesIn = (text: string): readonly string[] => {
  const shown = withoutNonces(text);
  return [...(shown.match(EVM) ?? []), ...(shown.match(BASE58_WORD) ?? []).filter(isSolana)];
};
