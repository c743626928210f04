import { join } from 'node:path';
import type { KeyChain } from '../contract/chains.ts';
import { closest } from '../core/closest.ts';
import { Failure, isFailure, messageOf, valueOn } from '../core/failure.ts';
import { isJsonObject } from '../core/json.ts';
import { nextStep } from '../core/next.ts';
import { isOpenToOthers } from '../core/secret.ts';
import { isSameAddress } from '../core/text.ts';
import type { Io, Places } from '../io/io.ts';
import { keyJson, MAX_KEY_FILE_BYTES, tooLarge } from './json-fields.ts';
import { assertKeyName, isAddress, isKeyName } from './key.ts';
import { orUnwritable } from './lock.ts';
import { notice } from './notice.ts';
import { parseSolanaFile, SOLANA_FORMAT } from './solana.ts';
import { assertAffordable, parseV3 } from './v3.ts';

/** The chain family of a key file. A file without the Solana format name counts as EVM. */
export const chainOfKeyFile = (text: string, from: string): KeyChain => {
  const json = keyJson(text, from);
  return isJsonObject(json) && json['format'] === SOLANA_FORMAT ? 'solana' : 'evm';
};

/** A stored key with what unlocking needs. `text` is the content of its file. */
export type LockedKey = {
  readonly chain: KeyChain;
  readonly name: string;
  readonly path: string;
  readonly text: string;
};

/** A stored key, and the address in the format of its chain; `undefined` if the file has none. */
export type StoredKey = LockedKey & { readonly address: string | undefined };

/** An entry of the list of keys; a damaged one has a description of the problem. */
export type ListedKey =
  | (Omit<StoredKey, 'text'> & { readonly status: 'usable' })
  | { readonly status: 'damaged'; readonly name: string; readonly path: string; readonly problem: string };

const SUFFIX = '.json';

const exists = (name: string) =>
  new Failure('key_exists', `the key ${name} already exists`, {
    hint: 'Keys are never overwritten. Choose another name.',
  });

const notFound = (what: string, meant?: string) =>
  new Failure('key_not_found', `there is no key ${what}`, {
    ...(meant !== undefined && { hint: `Did you mean ${meant}?` }),
    next: nextStep('key.list'),
  });

const listed = async (read: (name: string) => Promise<StoredKey>, name: string, path: string): Promise<ListedKey> => {
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

/** A stored key, and its address as in the file; `undefined` if it has none. */
type FoundKey = { readonly key: LockedKey; readonly address: string | undefined };

const addressed = async ({ key, address }: FoundKey): Promise<StoredKey> => ({
  ...key,
  address: await writtenAddress({ chain: key.chain, address }),
});

/**
 * Opens the keys of the user, one file each: `<config>/keys/<name>.json`. The file has the plain format of its chain, so
 * that other tools can read it. Nothing here needs a password, and no folder is created before the first key.
 */
export const openKeystore = (io: Io) => {
  const folder = join(io.places.config, 'keys');
  const pathOf = (name: string): string => {
    assertKeyName(name);
    return join(folder, `${name}${SUFFIX}`);
  };
  const readFile = async (name: string): Promise<FoundKey> => {
    const path = pathOf(name);
    const text = await readKeyFile(io, path);
    if (text === undefined) throw notFound(`named ${name}`, closest(name, await names()));
    const { chain, address } = keyFacts(text, path);
    return { key: { name, path, text, chain }, address };
  };
  const foundNamed = async (name: string): Promise<FoundKey> => {
    assertKeyName(name);
    await tightenFolder(io, folder);
    return readFile(name);
  };
  const names = async (): Promise<readonly string[]> =>
    (await io.files.list(folder))
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => file.slice(0, -SUFFIX.length))
      .filter(isKeyName)
      .toSorted();
  const read = async (name: string): Promise<StoredKey> => addressed(await foundNamed(name));
  const list = async (): Promise<readonly ListedKey[]> => {
    // Another process may have removed it since the folder was listed.
    const isGone = (error: unknown) => isFailure(error, 'key_not_found');
    const readListed = async (name: string) => addressed(await readFile(name));
    const all = await names();
    if (all.length > 0) await tightenFolder(io, folder);
    const keys = all.map((name) => listed(readListed, name, pathOf(name)).catch(valueOn(isGone, undefined)));
    return (await Promise.all(keys)).filter((key) => key !== undefined);
  };
  const found = async (nameOrAddress: string): Promise<FoundKey> => {
    if (!isAddress(nameOrAddress)) return foundNamed(nameOrAddress);
    const keys = await list();
    const isAt = (key: ListedKey) => key.status === 'usable' && isSameAddress(key.address ?? '', nameOrAddress);
    const key = keys.find(({ name }) => name === nameOrAddress) ?? keys.find(isAt);
    // Not quoted: 32 bytes in base58 may be a mistyped secret.
    if (!key) throw notFound('with this name or address');
    return foundNamed(key.name);
  };
  return {
    folder,
    /** The path for a key of this name. Throws `invalid_input` for an invalid name. */
    pathOf,
    /** All keys by name, damaged ones included. */
    list,
    /** By name, or by an address. Throws `key_not_found` and `damaged_key_file`. */
    locate: async (nameOrAddress: string): Promise<LockedKey> => (await found(nameOrAddress)).key,
    /** Throws as `locate`. */
    read,
    /** By name, or by an address. Throws as `locate`. */
    find: async (nameOrAddress: string) => addressed(await found(nameOrAddress)),
    /** Throws `key_exists` if the name is in use, and `invalid_input` for an invalid name. */
    assertFree: async (name: string) => {
      if (await io.files.facts(pathOf(name))) throw exists(name);
    },
    /** Stores a key file durably. Never overwrites: throws `key_exists`, also when another process was faster. */
    create: async (name: string, text: string): Promise<StoredKey> => {
      const path = pathOf(name);
      const { chain, address } = keyFacts(text, path);
      const isNew = await orUnwritable(path, io.files.createPrivate(path, text));
      if (!isNew) throw exists(name);
      return addressed({ key: { name, path, text, chain }, address });
    },
  };
};

/** The keys of the user. */
export type Keystore = ReturnType<typeof openKeystore>;

/** A usable key whose file has an address. */
type AddressedKey = Pick<StoredKey, 'chain' | 'name'> & { readonly address: string };

type Listing = { readonly changedAt: number; readonly keys: Promise<readonly AddressedKey[]> };

const listings = new WeakMap<Places, Listing>();

const listAddressed = async ({ list }: Keystore): Promise<readonly AddressedKey[]> =>
  (await list()).flatMap((key) => {
    if (key.status !== 'usable' || key.address === undefined) return [];
    return [{ chain: key.chain, name: key.name, address: key.address }];
  });

/**
 * The keys that have an address, for the names in messages. Their files are read again after a key is added, renamed or
 * removed, because a process that signs often asks often. An unreadable keystore has none.
 */
export const keysForNames = async (io: Io): Promise<readonly AddressedKey[]> => {
  const keystore = openKeystore(io);
  const changedAt = (await io.files.targetFacts(keystore.folder))?.modifiedAt ?? 0;
  const known = listings.get(io.places);
  if (known?.changedAt === changedAt) return known.keys;
  const keys = listAddressed(keystore).catch(() => []);
  listings.set(io.places, { changedAt, keys });
  return keys;
};

/** The facts of a key file that need no password; `address` as in the file, `undefined` if it has none. */
type KeyFacts = Pick<StoredKey, 'chain' | 'address'>;

/** Reads the facts of a key file. Throws `damaged_key_file`, which names it by `path`. */
const keyFacts = (text: string, path: string): KeyFacts => {
  if (chainOfKeyFile(text, path) === 'solana') {
    return { chain: 'solana', address: parseSolanaFile(text, path).header.address };
  }
  const { address, crypto } = parseV3(text, path);
  assertAffordable(crypto, path);
  return { chain: 'evm', address };
};

/** The address in the format of its chain: with the capitals of EIP-55, or in base58. */
const writtenAddress = async ({ chain, address }: KeyFacts): Promise<string | undefined> => {
  if (chain === 'solana' || address === undefined) return address;
  const { getAddress } = await import('./keccak.ts');
  return getAddress(`0x${address}`);
};

/** Changes a file mode and prints the result. A failure is only a warning: the key can be used anyway. */
const tightenMode = async (io: Io, work: Promise<void>, path: string, mode: string): Promise<void> => {
  try {
    await work;
  } catch (error) {
    return notice(io, `warning: ${path} is open to other users: ${messageOf(error)}`);
  }
  return notice(io, `${path} was open to other users; its mode is now ${mode}`);
};

/** Makes the folder of keys private and prints that it did. The folder may be a link to a settings repository. */
const tightenFolder = async (io: Io, folder: string): Promise<void> => {
  const facts = await io.files.targetFacts(folder);
  if (!facts?.isFolder || !isOpenToOthers(facts)) return;
  await tightenMode(io, io.files.makePrivateFolder(folder), folder, '0700');
};

/**
 * The content of a key file; `undefined` if there is none. Makes a file private that others can read, with a message.
 * Throws `damaged_key_file` for a symbolic link, a folder or device, and a file that is too large.
 */
const readKeyFile = async (io: Io, path: string): Promise<string | undefined> => {
  const facts = await io.files.facts(path);
  if (!facts) return undefined;
  if (facts.isSymlink) throw new Failure('damaged_key_file', `${path} is a symbolic link; it must be a plain file`);
  if (!facts.isFile) throw new Failure('damaged_key_file', `${path} is not a plain file`);
  if (facts.size > MAX_KEY_FILE_BYTES) throw tooLarge(path);
  const bytes = await io.files.read(path);
  if (bytes && isOpenToOthers(facts)) await tightenMode(io, io.files.makePrivate(path), path, '0600');
  return bytes && new TextDecoder().decode(bytes);
};
