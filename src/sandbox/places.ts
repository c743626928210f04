import { join } from 'node:path';
import type { Io } from '../io/io.ts';

/** The ledger of this home's sandbox. SQLite keeps two files beside it, `-wal` and `-shm`. */
export const ledgerPath = (io: Io): string => join(io.places.sandbox, 'ledger.db');

/** Where the chains keep their state. */
export const chainsFolder = (io: Io): string => join(io.places.sandbox, 'chains');

/** Forgets the state of a sandbox that does not run; keys and port stay. */
export const removeState = async (io: Io): Promise<void> => {
  for (const suffix of ['', '-wal', '-shm']) await io.files.remove(ledgerPath(io) + suffix);
  await io.files.removeFolder(chainsFolder(io));
};
