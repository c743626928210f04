import { Failure } from '../core/failure.ts';

/** The failure for a key file, called `from`, with a password derivation that costs too much time or memory. */
export const tooCostly = (from: string, kdf: string, problem: string): Failure =>
  new Failure('damaged_key_file', `${from} cannot be unlocked: in its ${kdf} parameters, ${problem}`, {
    hint: 'The file is damaged, or made to exhaust this machine. Nothing was derived from the password.',
  });
