import type { KeyChain } from '../contract/key-chain.ts';
import { Failure, isFailure, messageOf } from '../core/failure.ts';
import { isOpenToOthers } from '../core/file-mode.ts';
import type { Io } from '../io/io.ts';
import { chainOfKeyFile, LARGEST_KEY_FILE, tooLarge } from './key-json.ts';
import { notice } from './notice.ts';
import { parseSolanaFile } from './solana/schema.ts';
import { assertAffordable } from './v3/cost.ts';
import { parseV3 } from './v3/schema.ts';

/** What a key file says without its password; `address` is as the file has it, `undefined` when it names none. */
export type KeyFacts = { readonly chain: KeyChain; readonly address: string | undefined };

/** Reads what a key file says of itself. Throws `damaged_key_file`, which calls it by `path`. */
export const keyFacts = (text: string, path: string): KeyFacts => {
  if (chainOfKeyFile(text, path) === 'solana') {
    return { chain: 'solana', address: parseSolanaFile(text, path).header.address };
  }
  const { address, crypto } = parseV3(text, path);
  assertAffordable(crypto, path);
  return { chain: 'evm', address };
};

/** The address of a key file as its chain writes it: with the capitals of EIP-55, or in base58. */
export const writtenAddress = async ({ chain, address }: KeyFacts): Promise<string | undefined> => {
  if (chain === 'solana' || address === undefined) return address;
  const { getAddress } = await import('ethers/address');
  return getAddress(`0x${address}`);
};

/** A file system may refuse; the key is still the user's, so that is said and not fatal. */
const orSay = async (io: Io, work: Promise<void>, done: string, failed: string): Promise<void> => {
  try {
    await work;
  } catch (error) {
    return notice(io, `Warning: ${failed}: ${isFailure(error) ? error.message : messageOf(error)}`);
  }
  return notice(io, done);
};

/** Makes the folder of keys 0700 where it is looser, and says so. It may be a link, as people keep their settings elsewhere. */
export const tightenFolder = async (io: Io, folder: string): Promise<void> => {
  const facts = await io.files.targetFacts(folder);
  if (!facts?.isFolder || !isOpenToOthers(facts)) return;
  const work = io.files.makePrivateFolder(folder);
  await orSay(io, work, `${folder} was open to others; its mode is 0700 now`, `${folder} is open to others`);
};

/**
 * The text of a key file; `undefined` when there is none. A file that others can read is made 0600, and stderr
 * says so. Throws `damaged_key_file` for a symbolic link, whatever else is not a plain file, and one that is too large.
 */
export const readKeyFile = async (io: Io, path: string): Promise<string | undefined> => {
  const facts = await io.files.facts(path);
  if (!facts) return undefined;
  if (facts.isSymlink) throw new Failure('damaged_key_file', `${path} is a symbolic link; a key is a plain file`);
  if (!facts.isFile) throw new Failure('damaged_key_file', `${path} is not a plain file`);
  if (facts.size > LARGEST_KEY_FILE) throw tooLarge(path);
  const bytes = await io.files.read(path);
  if (bytes && isOpenToOthers(facts)) {
    const work = io.files.makePrivate(path);
    await orSay(io, work, `${path} was open to others; its mode is 0600 now`, `${path} is open to others`);
  }
  return bytes && new TextDecoder().decode(bytes);
};
