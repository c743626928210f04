import { dirname } from 'node:path';
import { Failure } from '../core/failure.ts';
import { type Claim, claimWithin, claimWords, type Holder } from '../io/claim.ts';
import type { Io } from '../io/io.ts';
import { pathOf } from './places.ts';
import { unwritable } from './unwritable.ts';

/** Whoever has it may be about to let go. */
const PATIENCE_MS = 300;

const busy = (id: string, holder: Holder): Failure => {
  const who = holder.process ? `process ${holder.process.pid}` : 'another process';
  return new Failure('not_final', `the movement ${id} is being worked on by ${who}`, {
    hint: `${claimWords(holder)} Wait until that process ends, then run the command again.`,
  });
};

/**
 * Claims a movement for this process, whether there is one or not. Throws `not_final` where another works on it, and
 * `journal_unwritable`.
 */
export const claimOperation = async (io: Io, id: string): Promise<Claim> => {
  const path = pathOf(io, id);
  try {
    await io.files.makePrivateFolder(dirname(path));
    const claiming = await claimWithin(io, path, PATIENCE_MS);
    if ('claim' in claiming) return claiming.claim;
    throw busy(id, claiming.holder);
  } catch (error) {
    throw unwritable(path, error);
  }
};

/** Throws `not_final` where somebody took the claim away: this process must not go on as if it had it. */
export const assertOurs = async (claim: Claim, id: string): Promise<void> => {
  if (await claim.isOurs()) return;
  throw new Failure('not_final', `this process has lost its claim on the movement ${id}; it stops here`, {
    hint: 'Somebody removed the file that says who works on it.',
  });
};
