import { Failure } from '../../core/failure.ts';
import { MASK } from '../../core/mask.ts';
import type { Io } from '../../io/io.ts';

/** As long as private keys are: 32 or 64 bytes in hex, 64 in base58. Hashes are too, and no one misses those in an error. */
const KEY =
  /(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-f]{64}){1,2}(?![0-9A-Za-z])|(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{86,88}(?![0-9A-Za-z])/gi;

/** An error may quote what was typed, or the beginning of it. */
const PREFIX_LENGTH = 12;

type Masker = (text: string) => string;

/** What a person gave: the command line, and the settings in the environment. */
const inputWords = (argv: readonly string[], env: Io['env']): readonly string[] => [
  ...argv,
  ...Object.entries(env).flatMap(([name, value]) => (value && name.startsWith('BURSAR_') ? [value] : [])),
];

/** Hides in a text what among the words that were given may be a private key in a wrong place. */
export const keyMasker = (argv: readonly string[], env: Io['env']): Masker => {
  const keys = inputWords(argv, env).flatMap((word) => word.match(KEY) ?? []);
  if (keys.length === 0) return (text) => text;
  const quoted = new RegExp(keys.map((key) => `${key.slice(0, PREFIX_LENGTH)}[0-9A-Za-z]*`).join('|'), 'g');
  return (text) => text.replace(quoted, MASK);
};

/** A failure that repeats no such key: errors end in logs, and command lines do not. */
export const withMaskedKeys = ({ code, sentence, details }: Failure, hide: Masker): Failure => {
  const { errors, hint, next } = details;
  return new Failure(code, hide(sentence), {
    ...details,
    ...(errors && { errors: errors.map((error) => ({ ...error, message: hide(error.message) })) }),
    ...(hint !== undefined && { hint: hide(hint) }),
    ...(next !== undefined && { next: { ...next, argv: next.argv.map(hide) } }),
  });
};
