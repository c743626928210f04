import { claim, removeDeadClaims } from '../io/files/claim.ts';
import type { Io } from '../io/io.ts';
import { filesOf, folderOf } from './store.ts';

/** How long and how much is kept. */
export type Keep = { readonly days: number; readonly bytes: number };

export const USUAL_KEEP: Keep = { days: 7, bytes: 100 * 1024 * 1024 };

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes whole files: those that last changed too long ago, then the oldest ones above the size. A file that a receiver
 * writes is claimed by it and stays, because a delivery that arrives now would go with it.
 */
export const prune = async (io: Io, { days, bytes }: Keep): Promise<{ removed: number; inUse: number }> => {
  await removeDeadClaims(io, folderOf(io));
  const done = { removed: 0, inUse: 0 };
  let room = bytes;
  for (const { path, size, end } of (await filesOf(io)).toReversed()) {
    room -= size;
    if (room >= 0 && end > io.clock.now() - days * DAY_MS) continue;
    const result = await claim(io, path);
    if ('holder' in result) {
      done.inUse += 1;
      continue;
    }
    try {
      await io.files.remove(path);
      done.removed += 1;
    } finally {
      await result.claim.release();
    }
  }
  return done;
};
