import { join } from 'node:path';
import { Failure, isFailure, messageOf } from '../core/failure.ts';
import type { Io } from '../io/io.ts';

/** What is thrown where the journal cannot be written: nothing is sent without a record of it. */
export const unwritable = (path: string, cause: unknown): Failure =>
  isFailure(cause)
    ? cause
    : new Failure('journal_unwritable', `${path}: ${messageOf(cause)}`, {
        hint: 'Nothing is sent without a record of it. Make room or mend the folder, then try again.',
        cause,
      });

/** What the name of a movement's file ends with; before it stands the id. */
export const SUFFIX = '.ndjson';

/** The folder of the journal. */
export const journalFolder = (io: Io): string => join(io.places.state, 'journal');

/** The folder of the claims of wallets, whose operations take turns. It has nothing else, for it is looked at often. */
export const turnsFolder = (io: Io): string => join(io.places.state, 'turns');

/** The file of a movement. */
export const pathOf = (io: Io, id: string): string => join(journalFolder(io), `${id}${SUFFIX}`);
