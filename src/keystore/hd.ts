import { createHmac } from 'node:crypto';
import type { KeyChain } from '../contract/chains.ts';
import { Failure } from '../core/failure.ts';
import { wiping } from '../core/secret.ts';
import type { Derive } from '../io/io.ts';
import { addressOf } from './evm-address.ts';
import { SEED_BYTES, solanaAddressOf } from './solana.ts';

/** No derivation: the first half of the seed is the key, as in `solana-keygen` without a path. */
const NO_PATH = 'none';

/** Steps from 2^31 are hardened and written with an apostrophe (BIP-32). */
const HARDENED = 2 ** 31;

/** The path of the first account: BIP-44 with coin type 60 for EVM, and the common path of Solana wallets. */
export const DEFAULT_PATH: Readonly<Record<KeyChain, string>> = { evm: "m/44'/60'/0'/0/0", solana: "m/44'/501'/0'/0'" };

const PATH = /^m(?:\/\d{1,10}'?){1,10}$/;
const SOLANA_PATH = /^m(?:\/\d{1,10}'){1,10}$/;

const indexOf = (step: string): number => Number.parseInt(step, 10) + (step.endsWith("'") ? HARDENED : 0);

/** The steps of a path. Throws `invalid_input` for an invalid path, or one that the chain cannot derive. */
const stepsOf = (chain: KeyChain, path: string): readonly number[] => {
  const like = `such as ${DEFAULT_PATH[chain]}`;
  const isPath = PATH.test(path) && (path.match(/\d+/g) ?? []).every((index) => Number(index) < HARDENED);
  if (!isPath) throw new Failure('invalid_input', `this is not a derivation path, ${like}`);
  if (chain === 'solana' && !SOLANA_PATH.test(path)) {
    throw new Failure('invalid_input', `every step of a Solana path must be hardened with an apostrophe, ${like}`);
  }
  return path.split('/').slice(1).map(indexOf);
};

const deriveEvm = async (seed: Uint8Array, path: string): Promise<Uint8Array> => {
  if (path === NO_PATH) throw new Failure('invalid_input', 'an EVM key needs a derivation path');
  stepsOf('evm', path);
  const { HDNodeWallet } = await import('ethers/wallet');
  const { privateKey } = HDNodeWallet.fromSeed(seed).derivePath(path);
  return Uint8Array.from(Buffer.from(privateKey.slice(2), 'hex'));
};

const deriveSolana = async (seed: Uint8Array, path: string): Promise<Uint8Array> =>
  path === NO_PATH ? Uint8Array.from(seed.subarray(0, SEED_BYTES)) : deriveSlip10(seed, stepsOf('solana', path));

/**
 * Derives the private key of a path from the seed of a mnemonic: BIP-32 for EVM, SLIP-10 for Solana. The caller wipes
 * it. Throws `invalid_input` for an invalid path.
 */
export const deriveKey = (chain: KeyChain, seed: Uint8Array, path: string): Promise<Uint8Array> =>
  chain === 'evm' ? deriveEvm(seed, path) : deriveSolana(seed, path);

/** The paths that wallets use, most common first. Labels are short, so that a row fits into 80 columns. */
const USUAL: Readonly<Record<KeyChain, readonly (readonly [path: string, label: string])[]>> = {
  evm: [
    ["m/44'/60'/0'/0/0", 'account 1'],
    ["m/44'/60'/0'/0/1", 'account 2'],
    ["m/44'/60'/0'/0/2", 'account 3'],
    ["m/44'/60'/1'/0/0", 'Ledger Live 2'],
    ["m/44'/60'/2'/0/0", 'Ledger Live 3'],
    ["m/44'/60'/0'/0", 'old Ledger 1'],
    ["m/44'/60'/0'/1", 'old Ledger 2'],
  ],
  solana: [
    ["m/44'/501'/0'/0'", 'account 1'],
    ["m/44'/501'/1'/0'", 'account 2'],
    ["m/44'/501'/2'/0'", 'account 3'],
    ["m/44'/501'/0'", 'Ledger 1'],
    ["m/44'/501'/1'", 'Ledger 2'],
    ["m/44'/501'", 'Ledger root'],
    [NO_PATH, 'solana-keygen'],
  ],
};

/** An account of a mnemonic: its path and address. */
export type Account = { readonly path: string; readonly label: string; readonly address: string };

/** The usual accounts of a mnemonic's seed. */
export const usualAccounts = (chain: KeyChain, seed: Uint8Array): Promise<readonly Account[]> =>
  Promise.all(
    USUAL[chain].map(async ([path, label]) => {
      const key = await deriveKey(chain, seed, path);
      return wiping(key, () => ({ path, label, address: chain === 'evm' ? addressOf(key) : solanaAddressOf(key) }));
    }),
  );

/** `I` of SLIP-10: 32 bytes of key and 32 bytes of chain code. */
const hmac = (key: Uint8Array | string, ...parts: readonly Uint8Array[]): Buffer =>
  createHmac('sha512', key).update(Buffer.concat(parts)).digest();

const child = (node: Buffer, step: number): Buffer => {
  if (step < HARDENED) throw new RangeError('ed25519 allows only hardened steps');
  const index = Buffer.alloc(4);
  index.writeUInt32BE(step);
  return hmac(node.subarray(32), Buffer.alloc(1), node.subarray(0, 32), index);
};

/** Derives the 32-byte ed25519 seed at hardened steps (SLIP-10). The caller wipes it. */
export const deriveSlip10 = async (seed: Uint8Array, steps: readonly number[]): Promise<Uint8Array> => {
  let node = hmac('ed25519 seed', seed);
  for (const step of steps) node = await wiping(node, (parent) => child(parent, step));
  return wiping(node, () => Uint8Array.from(node.subarray(0, 32)));
};

const LENGTHS = [12, 15, 18, 21, 24];

/** BIP-39, "From mnemonic to seed". */
const ROUNDS = 2048;
const MNEMONIC_SEED_BYTES = 64;

const refuse = (problem: string) =>
  new Failure('invalid_input', `the mnemonic ${problem}`, { hint: 'It is not shown, because it is secret.' });

/** The normalised words of a valid mnemonic. Throws `invalid_input` with the position of a wrong word, never the word. */
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
  throw refuse('has a wrong checksum: one word is wrong, or the order of the words');
};

/**
 * The 64-byte seed of an English mnemonic and its passphrase (BIP-39). Case and spacing matter in the passphrase only,
 * and every passphrase gives a seed. The caller wipes it. Throws `invalid_input`, which quotes neither.
 */
export const seedOfMnemonic = async (derive: Derive, text: string, passphrase = ''): Promise<Uint8Array> => {
  const phrase = Buffer.from(await checkedWords(text));
  const salt = Buffer.from(`mnemonic${passphrase}`.normalize('NFKD'));
  const cost = { kdf: 'pbkdf2', rounds: ROUNDS, digest: 'sha512' } as const;
  return wiping(phrase, (password) =>
    wiping(salt, () => derive({ ...cost, password, salt, bytes: MNEMONIC_SEED_BYTES })),
  );
};
