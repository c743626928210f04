import { timingSafeEqual } from 'node:crypto';
import { Failure } from '../core/failure.ts';
import type { Secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import { replaceKey } from './change.ts';
import { decryptKey } from './decrypt-key.ts';
import { encryptKey } from './key-format.ts';
import type { Keystore, StoredKey } from './keystore.ts';
import { warnOfNormalised } from './password-forms.ts';
import type { UnlockedKey } from './unlock.ts';

/** Decrypts the new file before it replaces the old one. */
const assertDecrypts = async (
  io: Io,
  text: string,
  password: Secret,
  { privateKey, name }: UnlockedKey,
): Promise<void> => {
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
