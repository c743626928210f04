import { Failure } from '../../core/failure.ts';
import type { V3Crypto } from './schema.ts';

/** The cost of scrypt in files that bursar writes: 128 MiB of memory, about half a second. */
export const OWN_COST = { n: 131_072, r: 8, p: 1 } as const;

/** Caps on what a file may ask for. The product is the time, some ten seconds, and caps the memory at 128 times it: 1 GiB. */
const MOST_N = 2 ** 20;
const MOST_R = 64;
const MOST_P = 64;
const MOST_WORK = 2 ** 23;
const MOST_ROUNDS = 10_000_000;

/** Below these a stolen file can be guessed at too fast: our own N, and what geth writes for PBKDF2. */
const WEAK_N = OWN_COST.n;
const WEAK_ROUNDS = 262_144;

const problemOf = (crypto: V3Crypto): string | undefined => {
  if (crypto.kdf === 'pbkdf2') {
    return crypto.kdfparams.c > MOST_ROUNDS ? `c is above ${MOST_ROUNDS}` : undefined;
  }
  const { n, r, p } = crypto.kdfparams;
  if (n < 2 || !Number.isInteger(Math.log2(n))) return 'n is not a power of two';
  if (n > MOST_N) return `n is above ${MOST_N}`;
  if (r > MOST_R) return `r is above ${MOST_R}`;
  if (p > MOST_P) return `p is above ${MOST_P}`;
  return n * r * p > MOST_WORK ? `n * r * p is above ${MOST_WORK}` : undefined;
};

/** Refuses, before anything is derived, a file whose opening would take too much time or memory: `damaged_key_file`. */
export const assertAffordable = (crypto: V3Crypto, from: string): void => {
  const problem = problemOf(crypto);
  if (!problem) return;
  throw new Failure('damaged_key_file', `${from} cannot be opened: in its ${crypto.kdf} parameters ${problem}`, {
    hint: 'Such a file is damaged, or was made to exhaust this machine. Nothing was derived from the password.',
  });
};

/** What there is to say of a password protection that is weaker than ours. */
export const costWarnings = (crypto: V3Crypto): readonly string[] => {
  if (crypto.kdf === 'pbkdf2') {
    const { c } = crypto.kdfparams;
    return c < WEAK_ROUNDS ? [`its PBKDF2 with c = ${c} is weak: below ${WEAK_ROUNDS} a password is guessed fast`] : [];
  }
  const { n } = crypto.kdfparams;
  return n < WEAK_N ? [`its scrypt with N = ${n} is weak: below ${WEAK_N} a password is guessed fast`] : [];
};
