import { join } from 'node:path';
import type { KeyChain } from '../contract/key-chain.ts';
import { closest } from '../core/closest.ts';
import { Failure, isFailure, messageOf } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { isSameAddress } from '../core/same-text.ts';
import { isOpenToOthers } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import { chainOfKeyFile, LARGEST_KEY_FILE, tooLarge } from './key-json.ts';
import { assertKeyName, isAddress, isKeyName } from './key-name.ts';
import { notice } from './notice.ts';
import { parseSolanaFile } from './solana/schema.ts';
import { assertAffordable, parseV3 } from './v3/schema.ts';

/** A key at rest, as much of it as unlocking needs. `text` is its file, unchanged. */
export type LockedKey = {
  readonly chain: KeyChain;
  readonly name: string;
  readonly path: string;
  readonly text: string;
};

/** Whose key it is, as its chain writes it; `undefined` when the file names no address. */
type Addressed = { readonly address: string | undefined };

/** A key at rest. */
export type StoredKey = LockedKey & Addressed;

/** A key as a list shows it; one that cannot be opened is named with what is wrong. */
export type ListedKey =
  | (Omit<StoredKey, 'text'> & { readonly status: 'usable' })
  | { readonly status: 'damaged'; readonly name: string; readonly path: string; readonly problem: string };

/**
 * The keys of a user: one file each, `<config>/keys/<name>.json`, in the format of its chain and nothing around
 * it, so that other tools open it as it is. No password is needed for anything here.
 */
export type Keystore = {
  readonly folder: string;
  /** Where a key of that name is or would be. Throws `invalid_input` for what cannot be a name. */
  readonly pathOf: (name: string) => string;
  /** All keys by name; a damaged one does not hide the others. */
  readonly list: () => Promise<readonly ListedKey[]>;
  /** By name, or by an address. Throws `key_not_found` and `damaged_key_file`. */
  readonly locate: (nameOrAddress: string) => Promise<LockedKey>;
  /** Throws as `locate`. */
  readonly read: (name: string) => Promise<StoredKey>;
  /** By name, or by an address. Throws as `locate`. */
  readonly find: (nameOrAddress: string) => Promise<StoredKey>;
  /** Throws `key_exists` when there is such a key, and `invalid_input` for what cannot be a name. */
  readonly assertFree: (name: string) => Promise<void>;
  /** Stores a key file durably. Never overwrites: throws `key_exists`, also when another process was faster. */
  readonly create: (name: string, text: string) => Promise<StoredKey>;
};

const SUFFIX = '.json';

const exists = (name: string) =>
  new Failure('key_exists', `there is a key named ${name} already`, {
    hint: 'A key is never overwritten: choose another name.',
  });

const notFound = (what: string, meant?: string) =>
  new Failure('key_not_found', `there is no key ${what}`, {
    ...(meant !== undefined && { hint: `Did you mean ${meant}?` }),
    next: nextStep('key.list'),
  });

const isAt = (key: ListedKey, address: string): boolean =>
  key.status === 'usable' && key.address !== undefined && isSameAddress(key.address, address);

const listed = async (read: Keystore['read'], name: string, path: string): Promise<ListedKey> => {
  try {
    const { chain, address } = await read(name);
    return { status: 'usable', name, path, chain, address };
  } catch (error) {
    if (isFailure(error, 'damaged_key_file') || isFailure(error, 'unreadable_file')) {
      return { status: 'damaged', name, path, problem: error.message };
    }
    throw error;
  }
};

const addressed = async (key: LockedKey): Promise<StoredKey> => ({
  ...key,
  address: await writtenAddress(keyFacts(key.text, key.path)),
});

/** Opens the keystore in the user's configuration. Nothing is created before the first key is. */
export const openKeystore = (io: Io): Keystore => {
  const folder = join(io.places.config, 'keys');
  const pathOf = (name: string): string => {
    assertKeyName(name);
    return join(folder, `${name}${SUFFIX}`);
  };
  const readLocked = async (name: string): Promise<LockedKey> => {
    const path = pathOf(name);
    await tightenFolder(io, folder);
    const text = await readKeyFile(io, path);
    if (text === undefined) throw notFound(`named ${name}`, closest(name, await names()));
    return { name, path, text, chain: keyFacts(text, path).chain };
  };
  const names = async (): Promise<readonly string[]> =>
    (await io.files.list(folder))
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => file.slice(0, -SUFFIX.length))
      .filter(isKeyName);
  const read: Keystore['read'] = async (name) => addressed(await readLocked(name));
  const list: Keystore['list'] = async () => {
    const keys: ListedKey[] = [];
    for (const name of await names()) {
      // One missing here was removed a moment ago by another process.
      const key = await listed(read, name, pathOf(name)).catch((error) => {
        if (isFailure(error, 'key_not_found')) return undefined;
        throw error;
      });
      if (key) keys.push(key);
    }
    return keys;
  };
  const locate: Keystore['locate'] = async (nameOrAddress) => {
    if (!isAddress(nameOrAddress)) return readLocked(nameOrAddress);
    const keys = await list();
    const key = keys.find(({ name }) => name === nameOrAddress) ?? keys.find((each) => isAt(each, nameOrAddress));
    // Not quoted: 32 bytes in base58 may also be a secret in the wrong place.
    if (!key) throw notFound('of this name or address');
    return readLocked(key.name);
  };
  return {
    folder,
    pathOf,
    list,
    locate,
    read,
    find: async (nameOrAddress) => addressed(await locate(nameOrAddress)),
    assertFree: async (name) => {
      if (await io.files.facts(pathOf(name))) throw exists(name);
    },
    create: async (name, text) => {
      const path = pathOf(name);
      const { chain } = keyFacts(text, path);
      const isNew = await io.files.createPrivate(path, text).catch((error) => {
        throw new Failure('unwritable_file', `cannot write ${path}: ${messageOf(error)}`, { cause: error });
      });
      if (!isNew) throw exists(name);
      return addressed({ name, path, text, chain });
    },
  };
};

/** What a key file says without its password; `address` is as the file has it, `undefined` when it names none. */
type KeyFacts = { readonly chain: KeyChain; readonly address: string | undefined };

/** Reads what a key file says of itself. Throws `damaged_key_file`, which calls it by `path`. */
const keyFacts = (text: string, path: string): KeyFacts => {
  if (chainOfKeyFile(text, path) === 'solana') {
    return { chain: 'solana', address: parseSolanaFile(text, path).header.address };
  }
  const { address, crypto } = parseV3(text, path);
  assertAffordable(crypto, path);
  return { chain: 'evm', address };
};

/** The address of a key file as its chain writes it: with the capitals of EIP-55, or in base58. */
const writtenAddress = async ({ chain, address }: KeyFacts): Promise<string | undefined> => {
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
const tightenFolder = async (io: Io, folder: string): Promise<void> => {
  const facts = await io.files.targetFacts(folder);
  if (!facts?.isFolder || !isOpenToOthers(facts)) return;
  const work = io.files.makePrivateFolder(folder);
  await orSay(io, work, `${folder} was open to others; its mode is 0700 now`, `${folder} is open to others`);
};

/**
 * The text of a key file; `undefined` when there is none. A file that others can read is made 0600, and stderr
 * says so. Throws `damaged_key_file` for a symbolic link, whatever else is not a plain file, and one that is too large.
 */
const readKeyFile = async (io: Io, path: string): Promise<string | undefined> => {
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
