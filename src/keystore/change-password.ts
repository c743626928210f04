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

/** Opens a file that was just written, while the old one still stands. */
const assertOpens = async (
  io: Io,
  text: string,
  password: Secret,
  { privateKey, name }: UnlockedKey,
): Promise<void> => {
  const again = await decryptKey(io.derive, text, password, `the new file of ${name}`);
  const isSame = timingSafeEqual(again.privateKey, privateKey);
  again.privateKey.fill(0);
  if (!isSame) throw new Failure('internal', `the new file of ${name} holds another key; the old one stands`);
};

/**
 * Encrypts an unlocked key anew with another password, our own cost and every field that its format has, and puts
 * the file in the place of the old one once it has been opened again. Throws as `replaceKey`.
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
  await io.spin(`Opening ${stored.name} again`, assertOpens(io, text, password, key));
  await replaceKey(io, keystore, stored, text);
};
