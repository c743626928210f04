import { join } from 'node:path';
import type { KeyChain } from '../contract/key-chain.ts';
import { closest } from '../core/closest.ts';
import { Failure, isFailure, messageOf } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { isSameAddress } from '../core/same-address.ts';
import type { Io } from '../io/io.ts';
import { keyFacts, readKeyFile, tightenFolder, writtenAddress } from './key-file.ts';
import { assertKeyName, isAddress, isKeyName } from './key-name.ts';

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
