import { Failure } from '../core/failure.ts';
import { MASK } from '../core/mask.ts';

/** As long as private keys are: 32 or 64 bytes in hex, 64 in base58. Hashes are too, and no one misses those in an error. */
const KEY =
  /(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-f]{64}){1,2}(?![0-9A-Za-z])|(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{86,88}(?![0-9A-Za-z])/gi;

/** An error may quote what was typed, or the beginning of it. */
const BEGINNING = 12;

/** What among words that were given may be a private key in a wrong place. */
export const keysIn = (words: readonly string[]): readonly string[] => words.flatMap((word) => word.match(KEY) ?? []);

/** A failure that repeats none of these keys: errors end in logs, and command lines do not. */
export const hidingKeys = ({ code, message, details }: Failure, keys: readonly string[]): Failure => {
  const quoted = new RegExp(keys.map((key) => `${key.slice(0, BEGINNING)}[0-9A-Za-z]*`).join('|'), 'g');
  const hide = (text: string) => text.replace(quoted, MASK);
  const { errors, hint, next } = details;
  return new Failure(code, hide(message), {
    ...details,
    ...(errors && { errors: errors.map((error) => ({ ...error, message: hide(error.message) })) }),
    ...(hint !== undefined && { hint: hide(hint) }),
    ...(next !== undefined && { next: hide(next) }),
  });
};
