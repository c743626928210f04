import { timingSafeEqual } from 'node:crypto';
import { Failure } from '../core/failure.ts';
import type { Secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import { encryptKey, newKeyOf } from './import.ts';
import type { Keystore, StoredKey } from './keystore.ts';
import { orUnwritable, withLock } from './lock.ts';
import { choosePassword, type PasswordSources, rememberPassword, warnOfNormalised } from './password.ts';
import { decryptKey, type UnlockedKey } from './unlock.ts';

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
  const remove = () => io.files.remove(path);
  return orUnwritable(path, withLock(io, path, remove));
};

/** Decrypts the new file before it replaces the old one. */
const assertDecrypts = async (io: Io, text: string, password: Secret, key: UnlockedKey): Promise<void> => {
  const { privateKey, name } = key;
  const again = await decryptKey(io.derive, text, password, `the new file of ${name}`);
  const isSame = timingSafeEqual(again.privateKey, privateKey);
  again.privateKey.fill(0);
  if (!isSame) throw new Failure('internal', `the new file of ${name} contains another key; the old file was kept`);
};

/**
 * Encrypts an unlocked key again with another password, the scrypt cost of bursar and all fields of its format. Tests
 * the new file before it replaces the old one. Throws as `replaceKey`.
 */
export const changePassword = async (
  io: Io,
  keystore: Keystore,
  { stored, key, password }: { readonly stored: StoredKey; readonly key: UnlockedKey; readonly password: Secret },
): Promise<void> => {
  const { chain, privateKey } = key;
  await warnOfNormalised(io, password);
  const encrypting = encryptKey({ chain, privateKey, password, random: io.random, derive: io.derive });
  const text = await io.spin(`Encrypting ${stored.name}`, encrypting);
  await io.spin(`Testing the new file of ${stored.name}`, assertDecrypts(io, text, password, key));
  await replaceKey(io, keystore, stored, text);
};

/**
 * Encrypts a private key and stores it under a new name. The caller wipes the key. Throws `key_exists`, before
 * anything is derived where it can; `invalid_input`; `unreadable_file` when the file cannot be written.
 */
export const addKey = async (
  io: Io,
  keystore: Keystore,
  { name, ...key }: Pick<UnlockedKey, 'name' | 'chain' | 'privateKey'> & { readonly password: Secret },
): Promise<StoredKey> => {
  await keystore.assertFree(name);
  await warnOfNormalised(io, key.password);
  const text = await io.spin(`Encrypting ${name}`, encryptKey({ ...key, random: io.random, derive: io.derive }));
  return keystore.create(name, text);
};

/**
 * Creates a key with a new password from `sources`, and remembers the password until the command ends. Throws as `addKey`
 * and `choosePassword`.
 */
export const createKey = async (
  io: Io,
  keystore: Keystore,
  { name, chain }: Pick<UnlockedKey, 'name' | 'chain'>,
  sources: PasswordSources,
): Promise<StoredKey> => {
  await keystore.assertFree(name);
  const password = await choosePassword(io, sources, name);
  const privateKey = newKeyOf(chain, io.random);
  try {
    const key = await addKey(io, keystore, { name, chain, privateKey, password });
    rememberPassword(io, name, password);
    return key;
  } finally {
    privateKey.fill(0);
  }
};
