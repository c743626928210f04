import type { KeyChain } from '../contract/key-chain.ts';
import type { Secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import { encryptKey } from './key-format.ts';
import type { Keystore, StoredKey } from './keystore.ts';
import { warnOfNormalised } from './password-forms.ts';

/**
 * Encrypts a private key and stores it under a new name. The caller wipes the key. Throws `key_exists`, before
 * anything is derived where it can; `invalid_input`; `unreadable_file` when the file cannot be written.
 */
export const addKey = async (
  io: Io,
  keystore: Keystore,
  key: {
    readonly name: string;
    readonly chain: KeyChain;
    readonly privateKey: Uint8Array;
    readonly password: Secret;
  },
): Promise<StoredKey> => {
  const { name, ...rest } = key;
  await keystore.assertFree(name);
  await warnOfNormalised(io, key.password);
  const text = await io.spin(`Encrypting ${name}`, encryptKey({ ...rest, random: io.random, derive: io.derive }));
  return keystore.create(name, text);
};
