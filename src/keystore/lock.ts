import { Failure } from '../core/failure.ts';
import { claimWithin } from '../io/files/claim.ts';
import type { Io } from '../io/io.ts';

const PATIENCE_MS = 5_000;

/**
 * Work on a key's file that no other process may do at the same time: what two of them read and write must not cross.
 * Throws `unwritable_file` when another one does not come to its end.
 */
export const withLock = async <T>(io: Io, path: string, work: () => Promise<T>): Promise<T> => {
  const claiming = await claimWithin(io, path, PATIENCE_MS);
  if ('holder' in claiming) {
    throw new Failure('unwritable_file', `another process is busy with ${path}; its claim is ${claiming.holder.file}`);
  }
  try {
    return await work();
  } finally {
    await claiming.claim.release();
  }
};
