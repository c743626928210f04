import { Failure } from '../../core/failure.ts';
import type { Derive } from '../../io/io.ts';
import { wiping } from '../wiping.ts';

const LENGTHS = [12, 15, 18, 21, 24];

/** BIP-39, "From mnemonic to seed". */
const ROUNDS = 2048;
const SEED_BYTES = 64;

const refuse = (problem: string) =>
  new Failure('invalid_input', `the mnemonic ${problem}`, { hint: 'It is not shown here, so that it stays secret.' });

/** The words as BIP-39 counts them. Throws `invalid_input` naming the place of a wrong word, never the word. */
export const checkedWords = async (text: string): Promise<string> => {
  const { Mnemonic } = await import('ethers/wallet');
  const { LangEn } = await import('ethers/wordlists');
  const words = text.normalize('NFKD').trim().toLowerCase().split(/\s+/);
  if (!LENGTHS.includes(words.length)) throw refuse(`has ${words.length} words, not 12, 15, 18, 21 or 24`);
  const wordlist = LangEn.wordlist();
  const wrong = words.flatMap((word, index) => (wordlist.getWordIndex(word) < 0 ? [index + 1] : []));
  if (wrong.length > 0) throw refuse(`has a word that is not in the BIP-39 list, at position ${wrong.join(', ')}`);
  const phrase = words.join(' ');
  if (Mnemonic.isValidMnemonic(phrase, wordlist)) return phrase;
  throw refuse('has words of the list, but its checksum is wrong: a word is another one, or their order is');
};

/**
 * The seed of 64 bytes that an English mnemonic and its passphrase give (BIP-39). Case and spacing of the words do
 * not matter; those of the passphrase do, and every passphrase gives a seed. The caller wipes it. Throws
 * `invalid_input`, which quotes neither.
 */
export const seedOfMnemonic = async (derive: Derive, text: string, passphrase = ''): Promise<Uint8Array> => {
  const phrase = Buffer.from(await checkedWords(text));
  const salt = Buffer.from(`mnemonic${passphrase}`.normalize('NFKD'));
  const cost = { kdf: 'pbkdf2', rounds: ROUNDS, digest: 'sha512' } as const;
  return wiping(phrase, (password) => wiping(salt, () => derive({ ...cost, password, salt, bytes: SEED_BYTES })));
};
