import { setImmediate } from 'node:timers/promises';
import type { Derive } from '../io/io.ts';

/** The three parameters of scrypt (RFC 7914, section 2). */
export type ScryptCost = { readonly n: number; readonly r: number; readonly p: number };

/** The cost of scrypt in files that bursar writes: 128 MiB of memory, about half a second. */
export const OWN_COST = { n: 131_072, r: 8, p: 1 } as const satisfies ScryptCost;

/** Limits for files of other tools. N * r * p limits the time to about 10 s, and the memory (128 times N * r) to 1 GiB. */
const MAX_N = 2 ** 20;
const MAX_R = 64;
const MAX_P = 64;
const MAX_WORK = 2 ** 23;

const workOf = ({ n, r, p }: ScryptCost): number => n * r * p;

/** Why a file with this cost is refused: too much work, or an N that is not a power of two. */
export const scryptProblem = ({ n, r, p }: ScryptCost): string | undefined => {
  if (n < 2 || !Number.isInteger(Math.log2(n))) return 'n is not a power of two';
  if (n > MAX_N) return `n is above ${MAX_N}`;
  if (r > MAX_R) return `r is above ${MAX_R}`;
  if (p > MAX_P) return `p is above ${MAX_P}`;
  return workOf({ n, r, p }) > MAX_WORK ? `n * r * p is above ${MAX_WORK}` : undefined;
};

/** Warnings about a cost below that of bursar: passwords of a stolen file can be guessed fast. */
export const scryptWarnings = (cost: ScryptCost): readonly string[] => {
  const { n, r, p } = cost;
  if (n < OWN_COST.n) return [`its scrypt with N = ${n} is weak: below ${OWN_COST.n} a password is guessed fast`];
  return workOf(cost) < workOf(OWN_COST)
    ? [`its scrypt with N = ${n}, r = ${r}, p = ${p} is weak: below r = ${OWN_COST.r} a password is guessed fast`]
    : [];
};

/** Derives 32 bytes by scrypt (RFC 7914). The caller must have checked the cost with `scryptProblem`. */
export const deriveScrypt = (
  derive: Derive,
  password: Uint8Array,
  salt: Uint8Array,
  { n, r, p }: ScryptCost,
): Promise<Uint8Array> =>
  n >= 2 ** (16 * r)
    ? scryptNarrow(derive, password, salt, { n, p })
    : derive({ kdf: 'scrypt', password, salt, bytes: 32, n, r, p });

const WORDS = 32;
const BLOCK_BYTES = 4 * WORDS;
/** Steps between two pauses for timers such as the spinner, about ten milliseconds. */
const STEPS_AT_ONCE = 8_192;

const rotated = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

const quarter = (x: Int32Array, ia: number, ib: number, ic: number, id: number): void => {
  let a = x[ia] ?? 0;
  let b = x[ib] ?? 0;
  let c = x[ic] ?? 0;
  let d = x[id] ?? 0;
  b ^= rotated(a + d, 7);
  c ^= rotated(b + a, 9);
  d ^= rotated(c + b, 13);
  a ^= rotated(d + c, 18);
  x[ia] = a;
  x[ib] = b;
  x[ic] = c;
  x[id] = d;
};

/** Salsa20/8 (RFC 7914, section 3) of `x` xor the block at `at`, back into both. */
const salsaOnto = (x: Int32Array, block: Int32Array, at: number, scratch: Int32Array): void => {
  for (let i = 0; i < 16; i += 1) x[i] = (x[i] ?? 0) ^ (block[at + i] ?? 0);
  scratch.set(x);
  for (let round = 0; round < 8; round += 2) {
    quarter(scratch, 0, 4, 8, 12);
    quarter(scratch, 5, 9, 13, 1);
    quarter(scratch, 10, 14, 2, 6);
    quarter(scratch, 15, 3, 7, 11);
    quarter(scratch, 0, 1, 2, 3);
    quarter(scratch, 5, 6, 7, 4);
    quarter(scratch, 10, 11, 8, 9);
    quarter(scratch, 15, 12, 13, 14);
  }
  for (let i = 0; i < 16; i += 1) x[i] = (x[i] ?? 0) + (scratch[i] ?? 0);
  block.set(x, at);
};

/** scryptROMix with r = 1 (RFC 7914, sections 4 and 5), in place. */
const mix = async (block: Int32Array, n: number): Promise<void> => {
  const table = new Int32Array(WORDS * n);
  const x = new Int32Array(16);
  const scratch = new Int32Array(16);
  for (let step = 0; step < 2 * n; step += 1) {
    if (step % STEPS_AT_ONCE === 0) await setImmediate();
    if (step < n) table.set(block, WORDS * step);
    else {
      const from = WORDS * ((block[16] ?? 0) & (n - 1));
      for (let i = 0; i < WORDS; i += 1) block[i] = (block[i] ?? 0) ^ (table[from + i] ?? 0);
    }
    x.set(block.subarray(16));
    salsaOnto(x, block, 0, scratch);
    salsaOnto(x, block, 16, scratch);
  }
  table.fill(0);
};

/**
 * scrypt with r = 1 and N of 2^16 or more; `n` is a power of two. RFC 7914 forbids these and OpenSSL refuses them. But
 * geth, cast and the test vector of the Web3 Secret Storage Definition use them, so such files exist.
 */
export const scryptNarrow = async (
  derive: Derive,
  password: Uint8Array,
  salt: Uint8Array,
  { n, p }: Pick<ScryptCost, 'n' | 'p'>,
): Promise<Uint8Array> => {
  const once = { kdf: 'pbkdf2', password, rounds: 1, digest: 'sha256' } as const;
  const bytes = await derive({ ...once, salt, bytes: BLOCK_BYTES * p });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
    const block = Int32Array.from({ length: WORDS }, (_, i) => view.getInt32(start + 4 * i, true));
    await mix(block, n);
    block.forEach((word, i) => {
      view.setInt32(start + 4 * i, word, true);
    });
  }
  const key = await derive({ ...once, salt: bytes, bytes: 32 });
  bytes.fill(0);
  return key;
};
