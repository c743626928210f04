import type { Secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import { notice } from './notice.ts';

/** The bytes of a password in the files that bursar writes: normalised (NFKC), in UTF-8. The caller wipes them. */
export const passwordBytes = (password: Secret): Buffer => Buffer.from(password.reveal().normalize('NFKC'));

/**
 * The forms in which a password may have gone into a file: ethers normalises it (NFKC), cast takes it as typed,
 * and systems type the same letters in different forms. For most passwords they are one.
 */
export const formsOf = (password: Secret): ReadonlySet<string> => {
  const typed = password.reveal();
  return new Set([typed.normalize('NFKC'), typed, typed.normalize('NFC'), typed.normalize('NFD')]);
};

/** Warns about a new password that NFKC changes: cast and geth take the typed bytes, and the file has other ones. */
export const warnOfNormalised = async (io: Io, password: Secret): Promise<void> => {
  const typed = password.reveal();
  if (typed === typed.normalize('NFKC')) return;
  await notice(
    io,
    'Warning: this password has letters with several forms in Unicode. The key file stores the NFKC form.',
  );
  await notice(
    io,
    'This program and ethers accept what you typed. cast, geth and others may not: plain ASCII works in all.',
  );
};
