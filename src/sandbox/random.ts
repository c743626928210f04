import { createHmac } from 'node:crypto';
import type { Io } from '../io/io.ts';

/** The random values of ids, codes and keys. */
export type SandboxRandom = Pick<Io['random'], 'bytes'>;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const CUID_LENGTH = 24;

/**
 * Opens the source of ids. It is random, until a snapshot gives it a secret seed: the same calls after a restore then get the
 * same ids. The seed of a snapshot is random, so ids of another sandbox or of another snapshot are different.
 */
export const openRandom = (io: Pick<Io, 'random'>) => {
  let seed: Uint8Array | undefined;
  let count = 0;
  const bytes = (length: number): Uint8Array => {
    if (seed === undefined) return io.random.bytes(length);
    count += 1;
    // No id is longer than the 64 bytes of this hash.
    return createHmac('sha512', seed).update(`id ${count}`).digest().subarray(0, length);
  };
  return {
    source: { bytes } satisfies SandboxRandom,
    /** A CUID. Document: a c and 24 characters. The library's ids contain the time, so a seeded id is made without it. */
    newCuid: async (): Promise<string> => {
      if (seed === undefined) return `c${(await import('@paralleldrive/cuid2')).createId()}`;
      return `c${[...bytes(CUID_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;
    },
    /** Starts the ids of a snapshot. */
    begin: (secret: Uint8Array) => {
      [seed, count] = [secret, 0];
    },
    /** Makes ids random again. */
    reset: () => {
      seed = undefined;
    },
  };
};
