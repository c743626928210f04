import { Failure, isFailure, messageOf } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import type { Keystore, StoredKey } from './keystore.ts';
import { withLock } from './lock.ts';

const orUnwritable = async <T>(path: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (isFailure(error)) throw error;
    throw new Failure('unwritable_file', `cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
};

/** Throws if another process changed the key since it was read. */
const assertUnchanged = async (keystore: Keystore, { name, text }: StoredKey): Promise<void> => {
  if ((await keystore.read(name)).text === text) return;
  throw new Failure('unwritable_file', `the key ${name} was changed by another process; nothing was done`, {
    hint: 'Check the key, and run the command again.',
  });
};

/**
 * Replaces the file of a key. After a crash, either the old or the new file exists, complete. Throws `unwritable_file`,
 * also if the key changed since it was read.
 */
export const replaceKey = (io: Io, keystore: Keystore, key: StoredKey, text: string): Promise<void> => {
  const replace = async () => {
    await assertUnchanged(keystore, key);
    await io.files.replacePrivate(key.path, text);
  };
  return orUnwritable(key.path, withLock(io, key.path, replace));
};

/**
 * Renames a key without changing its file. The new file is created before the old one is removed, so a crash leaves two
 * files and never none. Throws `key_exists`, and as `Keystore.find` and `replaceKey`.
 */
export const renameKey = async (io: Io, keystore: Keystore, from: string, to: string): Promise<StoredKey> => {
  const { name, path } = await keystore.find(from);
  const rename = async () => {
    const renamed = await keystore.create(to, (await keystore.read(name)).text);
    await io.files.remove(path);
    return renamed;
  };
  return orUnwritable(path, withLock(io, path, rename));
};

/** Removes the file of a key, even a damaged one. Throws `unwritable_file`. */
export const removeKey = (io: Io, keystore: Keystore, name: string): Promise<void> => {
  const path = keystore.pathOf(name);
  return orUnwritable(
    path,
    withLock(io, path, () => io.files.remove(path)),
  );
};
