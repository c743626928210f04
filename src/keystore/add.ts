import type { Secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import type { Keystore, StoredKey } from './keystore.ts';
import { encryptV3 } from './v3/encrypt.ts';

/**
 * Encrypts a private key and stores it under a new name. The caller wipes the key. Throws `key_exists`, before
 * anything is derived where it can; `invalid_input`; `unreadable_file` when the file cannot be written.
 */
export const addKey = async (
  io: Io,
  keystore: Keystore,
  key: { readonly name: string; readonly privateKey: Uint8Array; readonly password: Secret },
): Promise<StoredKey> => {
  const { name, privateKey, password } = key;
  await keystore.assertFree(name);
  const text = await io.spin(`Encrypting ${name}`, encryptV3({ privateKey, password, random: io.random }));
  return keystore.create(name, text);
};
