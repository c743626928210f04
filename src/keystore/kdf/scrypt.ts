import { scrypt } from 'node:crypto';
import { scryptNarrow } from './scrypt-narrow.ts';

/** The three parameters of scrypt (RFC 7914, section 2). */
export type ScryptCost = { readonly n: number; readonly r: number; readonly p: number };

/** The cost of scrypt in files that bursar writes: 128 MiB of memory, about half a second. */
export const OWN_COST = { n: 131_072, r: 8, p: 1 } as const satisfies ScryptCost;

/** Caps on what a file may ask for. The product is the time, some ten seconds, and caps the memory at 128 times it: 1 GiB. */
const MAX_N = 2 ** 20;
const MAX_R = 64;
const MAX_P = 64;
const MAX_WORK = 2 ** 23;

const workOf = ({ n, r, p }: ScryptCost): number => n * r * p;

/** What keeps a file with this cost from being opened: too much work, or an N that is no power of two. */
export const scryptProblem = ({ n, r, p }: ScryptCost): string | undefined => {
  if (n < 2 || !Number.isInteger(Math.log2(n))) return 'n is not a power of two';
  if (n > MAX_N) return `n is above ${MAX_N}`;
  if (r > MAX_R) return `r is above ${MAX_R}`;
  if (p > MAX_P) return `p is above ${MAX_P}`;
  return workOf({ n, r, p }) > MAX_WORK ? `n * r * p is above ${MAX_WORK}` : undefined;
};

/** What there is to say of a cost below ours: a stolen file can be guessed at too fast. */
export const scryptWarnings = (cost: ScryptCost): readonly string[] => {
  const { n, r, p } = cost;
  if (n < OWN_COST.n) return [`its scrypt with N = ${n} is weak: below ${OWN_COST.n} a password is guessed fast`];
  return workOf(cost) < workOf(OWN_COST)
    ? [`its scrypt with N = ${n}, r = ${r}, p = ${p} is weak: below r = ${OWN_COST.r} a password is guessed fast`]
    : [];
};

/**
 * 32 bytes by scrypt (RFC 7914) on a thread of its own: the event loop goes on, so a spinner turns.
 * The cost must have been held against the caps before.
 */
export const deriveScrypt = (password: Uint8Array, salt: Uint8Array, { n, r, p }: ScryptCost): Promise<Buffer> => {
  if (n >= 2 ** (16 * r)) return scryptNarrow(password, salt, { n, p });
  // OpenSSL counts its buffers too, so 128 * N * r alone is a little too small.
  const maxmem = 128 * r * (n + p + 2) + 1024 * 1024;
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { N: n, r, p, maxmem }, (error, key) => (error ? reject(error) : resolve(key)));
  });
};
