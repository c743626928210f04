import { Failure } from '../core/failure.ts';

/** The first account of an EVM wallet (BIP-44, coin type 60). */
export const DEFAULT_EVM_PATH = "m/44'/60'/0'/0/0";

const PATH = /^m(?:\/\d{1,10}'?){1,10}$/;
const INDEX_LIMIT = 2 ** 31;
const LENGTHS = [12, 15, 18, 21, 24];

const refuse = (problem: string) =>
  new Failure('invalid_input', `the mnemonic ${problem}`, { hint: 'It is not shown here, so that it stays secret.' });

const assertPath = (path: string): void => {
  const isPath = PATH.test(path) && (path.match(/\d+/g) ?? []).every((index) => Number(index) < INDEX_LIMIT);
  if (!isPath) throw new Failure('invalid_input', `this is not a derivation path, such as ${DEFAULT_EVM_PATH}`);
};

/**
 * The private key that an English mnemonic (BIP-39, without a passphrase) gives at a path (BIP-32). Case and
 * spacing do not matter. Throws `invalid_input` naming the place of a wrong word, never the word.
 */
export const keyFromMnemonic = async (text: string, path = DEFAULT_EVM_PATH): Promise<Uint8Array> => {
  assertPath(path);
  const { HDNodeWallet, Mnemonic } = await import('ethers/wallet');
  const { LangEn } = await import('ethers/wordlists');
  const words = text.normalize('NFKD').trim().toLowerCase().split(/\s+/);
  if (!LENGTHS.includes(words.length)) throw refuse(`has ${words.length} words, not 12, 15, 18, 21 or 24`);
  const wordlist = LangEn.wordlist();
  const wrong = words.flatMap((word, index) => (wordlist.getWordIndex(word) < 0 ? [index + 1] : []));
  if (wrong.length > 0) throw refuse(`has a word that is not in the BIP-39 list, at position ${wrong.join(', ')}`);
  const phrase = words.join(' ');
  if (!Mnemonic.isValidMnemonic(phrase, wordlist)) {
    throw refuse('has words of the list, but its checksum is wrong: a word is another one, or their order is');
  }
  const node = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(phrase), path);
  return Uint8Array.from(Buffer.from(node.privateKey.slice(2), 'hex'));
};
