import { join } from 'node:path';
import Database from 'libsql';
import { Failure, isFailure, messageOf } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';

/** Frees the lock. */
export type Release = () => void;

/**
 * Locks this home for one sandbox. The lock is an open exclusive transaction on a file of its own. The operating system
 * frees it at any end of the process. Throws `sandbox_unavailable` when another process has the lock, and `unwritable_file`
 * for a home that cannot be made.
 */
export const lockHome = async (io: Io): Promise<Release> => {
  const path = join(io.places.sandbox, 'lock.db');
  await io.files.createPrivate(path, '').catch((cause: unknown) => {
    if (isFailure(cause)) throw cause;
    throw new Failure('unwritable_file', `${path} cannot be written: ${messageOf(cause)}`, { cause });
  });
  const database = new Database(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new Failure('sandbox_unavailable', `a sandbox is already running in ${io.places.sandbox}`, {
      hint: `A home has one sandbox. The lock: ${messageOf(cause)}.`,
      next: nextStep('sandbox.status'),
      cause,
    });
  }
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
};
