import { tooCostly } from '../damage.ts';
import { scryptProblem, scryptWarnings } from '../kdf/scrypt.ts';
import type { V3Crypto } from './schema.ts';

const MAX_ROUNDS = 10_000_000;

/** Below what geth writes for PBKDF2 a stolen file can be guessed at too fast. */
const WEAK_ROUNDS = 262_144;

const problemOf = (crypto: V3Crypto): string | undefined => {
  if (crypto.kdf === 'scrypt') return scryptProblem(crypto.kdfparams);
  return crypto.kdfparams.c > MAX_ROUNDS ? `c is above ${MAX_ROUNDS}` : undefined;
};

/** Refuses, before anything is derived, a file whose opening would take too much time or memory: `damaged_key_file`. */
export const assertAffordable = (crypto: V3Crypto, from: string): void => {
  const problem = problemOf(crypto);
  if (problem) throw tooCostly(from, crypto.kdf, problem);
};

/** What there is to say of a password protection that is weaker than ours. */
export const costWarnings = (crypto: V3Crypto): readonly string[] => {
  if (crypto.kdf === 'scrypt') return scryptWarnings(crypto.kdfparams);
  const { c } = crypto.kdfparams;
  return c < WEAK_ROUNDS ? [`its PBKDF2 with c = ${c} is weak: below ${WEAK_ROUNDS} a password is guessed fast`] : [];
};
