import type { Secret } from '../core/secret.ts';

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
