import { Failure } from '../core/failure.ts';

/** A key file, called `from`, that asks for more work than a key is worth. */
export const tooCostly = (from: string, kdf: string, problem: string): Failure =>
  new Failure('damaged_key_file', `${from} cannot be opened: in its ${kdf} parameters ${problem}`, {
    hint: 'Such a file is damaged, or was made to exhaust this machine. Nothing was derived from the password.',
  });
