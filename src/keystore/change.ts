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

/** What another process did to a key since it was read must not be lost. */
const assertUnchanged = async (keystore: Keystore, { name, text }: StoredKey): Promise<void> => {
  if ((await keystore.read(name)).text === text) return;
  throw new Failure('unwritable_file', `the key ${name} was changed by another process; nothing was done`, {
    hint: 'Look at it, and run the command again.',
  });
};

/**
 * Puts a new file in the place of a key that was read: after a crash the old one or the new one is there, whole.
 * Throws `unwritable_file`, also when the key is no longer the one that was read.
 */
export const replaceKey = (io: Io, keystore: Keystore, key: StoredKey, text: string): Promise<void> => {
  const replace = async () => {
    await assertUnchanged(keystore, key);
    await io.files.replacePrivate(key.path, text);
  };
  return orUnwritable(key.path, withLock(io, key.path, replace));
};

/**
 * Gives a key another name; its file stays byte for byte. The new one is there before the old one goes, so a crash
 * leaves two and never none. Throws `key_exists`, and as `Keystore.find` and `replaceKey`.
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

/** Removes the file of a key, a damaged one too. Throws `unwritable_file`. */
export const removeKey = (io: Io, keystore: Keystore, name: string): Promise<void> => {
  const path = keystore.pathOf(name);
  return orUnwritable(
    path,
    withLock(io, path, () => io.files.remove(path)),
  );
};
