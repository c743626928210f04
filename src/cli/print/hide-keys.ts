import { Failure } from '../../core/failure.ts';
import { MASK } from '../../core/secret.ts';
import type { Io } from '../../io/io.ts';

/** Words with the length of a private key: 32 or 64 bytes in hex, 64 in base58. Hashes match too, which does no harm. */
const KEY =
  /(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-f]{64}){1,2}(?![0-9A-Za-z])|(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{86,88}(?![0-9A-Za-z])/gi;

/** The length of the prefix that identifies a key: an error may quote only the start of the input. */
const PREFIX_LENGTH = 12;

type Masker = (text: string) => string;

/** The words that the user gave: the command line, and the BURSAR_ variables of the environment. */
const inputWords = (argv: readonly string[], env: Io['env']): readonly string[] => [
  ...argv,
  ...Object.entries(env).flatMap(([name, value]) => (value && name.startsWith('BURSAR_') ? [value] : [])),
];

/** Returns a function that masks, in a text, every word of the user's input that may be a private key. */
export const keyMasker = (argv: readonly string[], env: Io['env']): Masker => {
  const keys = inputWords(argv, env).flatMap((word) => word.match(KEY) ?? []);
  if (keys.length === 0) return (text) => text;
  const quoted = new RegExp(keys.map((key) => `${key.slice(0, PREFIX_LENGTH)}[0-9A-Za-z]*`).join('|'), 'g');
  return (text) => text.replace(quoted, MASK);
};

/** Masks these keys in a failure, because errors end in logs. */
export const withMaskedKeys = ({ code, sentence, details }: Failure, hide: Masker): Failure => {
  const { errors, hint, next } = details;
  return new Failure(code, hide(sentence), {
    ...details,
    ...(errors && { errors: errors.map((error) => ({ ...error, message: hide(error.message) })) }),
    ...(hint !== undefined && { hint: hide(hint) }),
    ...(next !== undefined && { next: { ...next, argv: next.argv.map(hide) } }),
  });
};
