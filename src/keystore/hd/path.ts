import type { KeyChain } from '../../contract/key-chain.ts';
import { Failure } from '../../core/failure.ts';

/** No derivation: the first half of the seed is the key, as in `solana-keygen` without a path. */
export const NO_PATH = 'none';

/** Steps from 2^31 are hardened and written with an apostrophe (BIP-32). */
export const HARDENED = 2 ** 31;

/** The path of the first account: BIP-44 with coin type 60 for EVM, and the common path of Solana wallets. */
export const DEFAULT_PATH: Readonly<Record<KeyChain, string>> = {
  evm: "m/44'/60'/0'/0/0",
  solana: "m/44'/501'/0'/0'",
};

const PATH = /^m(?:\/\d{1,10}'?){1,10}$/;
const SOLANA_PATH = /^m(?:\/\d{1,10}'){1,10}$/;

const indexOf = (step: string): number => Number.parseInt(step, 10) + (step.endsWith("'") ? HARDENED : 0);

/** The steps of a path. Throws `invalid_input` for an invalid path, or one that the chain cannot derive. */
export const stepsOf = (chain: KeyChain, path: string): readonly number[] => {
  const like = `such as ${DEFAULT_PATH[chain]}`;
  const isPath = PATH.test(path) && (path.match(/\d+/g) ?? []).every((index) => Number(index) < HARDENED);
  if (!isPath) throw new Failure('invalid_input', `this is not a derivation path, ${like}`);
  if (chain === 'solana' && !SOLANA_PATH.test(path)) {
    throw new Failure('invalid_input', `every step of a Solana path must be hardened with an apostrophe, ${like}`);
  }
  return path.split('/').slice(1).map(indexOf);
};
