import type { Secret } from '../core/secret.ts';
import type { Io } from '../io/io.ts';
import { notice } from './notice.ts';

/** The bytes of a password in the files that bursar writes: normalised (NFKC), in UTF-8. The caller wipes them. */
export const passwordBytes = (password: Secret): Buffer => Buffer.from(password.reveal().normalize('NFKC'));

/**
 * The Unicode forms to try for a password, usually one. ethers normalises it (NFKC), cast uses it as typed, and
 * operating systems enter letters in different forms.
 */
export const formsOf = (password: Secret): ReadonlySet<string> => {
  const typed = password.reveal();
  return new Set([typed.normalize('NFKC'), typed, typed.normalize('NFC'), typed.normalize('NFD')]);
};

/** Warns about a new password that NFKC changes: cast and geth use the typed bytes, so they would not unlock the file. */
export const warnOfNormalised = async (io: Io, password: Secret): Promise<void> => {
  const typed = password.reveal();
  if (typed === typed.normalize('NFKC')) return;
  await notice(
    io,
    'Warning: this password has characters with several Unicode forms. The key file uses the NFKC form.',
  );
  await notice(
    io,
    'This program and ethers accept the password as you typed it. cast, geth and others may not; plain ASCII works everywhere.',
  );
};
