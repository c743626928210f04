import { Failure, isFailure, messageOf } from '../core/failure.ts';

/** What is thrown where the journal cannot be written: nothing is sent without a record of it. */
export const unwritable = (path: string, cause: unknown): Failure =>
  isFailure(cause)
    ? cause
    : new Failure('journal_unwritable', `${path}: ${messageOf(cause)}`, {
        hint: 'Nothing is sent without a record of it. Make room or mend the folder, then try again.',
        cause,
      });
