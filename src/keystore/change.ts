import { Failure, messageOf } from '../core/failure.ts';
import type { Io } from '../io/io.ts';
import type { Keystore, StoredKey } from './keystore.ts';

const orUnwritable = async (path: string, work: Promise<void>): Promise<void> => {
  try {
    await work;
  } catch (error) {
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
export const replaceKey = async (io: Io, keystore: Keystore, key: StoredKey, text: string): Promise<void> => {
  await assertUnchanged(keystore, key);
  await orUnwritable(key.path, io.files.replacePrivate(key.path, text));
};

/**
 * Gives a key another name; its file stays byte for byte. The new one is there before the old one goes, so a crash
 * leaves two and never none. Throws `key_exists`, and as `Keystore.find` and `replaceKey`.
 */
export const renameKey = async (io: Io, keystore: Keystore, from: string, to: string): Promise<StoredKey> => {
  const key = await keystore.find(from);
  const renamed = await keystore.create(to, key.text);
  try {
    await assertUnchanged(keystore, key);
  } catch (error) {
    await io.files.remove(renamed.path);
    throw error;
  }
  await orUnwritable(key.path, io.files.remove(key.path));
  return renamed;
};

/** Removes the file of a key, a damaged one too. Throws `key_not_found` and `unwritable_file`. */
export const removeKey = async (io: Io, keystore: Keystore, name: string): Promise<void> => {
  const path = keystore.pathOf(name);
  await orUnwritable(path, io.files.remove(path));
};
