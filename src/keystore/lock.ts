import { Failure, isFailure, whyUnwritable } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { claimWithin } from '../io/files/claim.ts';
import type { Io } from '../io/io.ts';

/** Awaits work that writes a file. Throws `unwritable_file` in place of an error of the system. */
export const orUnwritable = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    if (isFailure(cause)) throw cause;
    throw new Failure('unwritable_file', `cannot write ${path}: ${whyUnwritable(cause)}`, {
      next: nextStep('doctor'),
      cause,
    });
  });

/** A change takes milliseconds; on a busy machine many at once take seconds. */
const MAX_WAIT_MS = 20_000;

/**
 * Runs `work` while no other process changes the file. Throws `unwritable_file` if another process keeps its claim, or if none
 * can be written.
 */
export const withLock = async <T>(io: Io, path: string, work: () => Promise<T>): Promise<T> => {
  const claiming = await orUnwritable(path, claimWithin(io, path, MAX_WAIT_MS));
  if ('holder' in claiming) {
    const { advice } = claiming.holder;
    throw new Failure('unwritable_file', `another process is changing ${path}`, { hint: advice });
  }
  try {
    return await work();
  } finally {
    await claiming.claim.release();
  }
};
