import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { Failure } from '../../core/failure.ts';

/** The length of an address: an ed25519 public key, or 32 bytes off its curve. */
export const ADDRESS_BYTES = 32;

/** The base58 text of 32 bytes. */
export const addressOf = (bytes: Uint8Array): string => bs58.encode(bytes);

/** The 32 bytes of an address. Throws `invalid_input` for anything else. */
export const addressBytes = (address: string): Uint8Array => {
  const bytes = address.length <= 44 ? bs58.decodeUnsafe(address) : undefined;
  if (bytes?.length === ADDRESS_BYTES) return bytes;
  throw new Failure('invalid_input', 'must be a Solana address: 32 bytes in base58');
};

const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const SUFFIX = Buffer.from('ProgramDerivedAddress');

/**
 * The address that a program derives from other addresses (Solana: program derived address), and its bump. The bump is the
 * first number from 255 down for which the address has no private key.
 */
export const derivedAddress = (
  seeds: readonly string[],
  program: string,
): { readonly address: string; readonly bump: number } => {
  const [before, after] = [seeds.map(addressBytes), [addressBytes(program), SUFFIX]];
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256');
    for (const part of [...before, Uint8Array.of(bump), ...after]) hash.update(part);
    const candidate = hash.digest();
    if (!isOnCurve(candidate)) return { address: addressOf(candidate), bump };
  }
  throw new Failure('invalid_input', 'has no account that is derived from it');
};

/** The token account of an owner and mint (SPL: associated token account). `program` is the token program of the mint. */
export const tokenAccountOf = (owner: string, mint: string, program: string): string =>
  derivedAddress([owner, program, mint], ASSOCIATED_TOKEN).address;

/** The field of Curve25519 (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

const LOW_BITS = 30;

/** The number of factors two in a number other than zero. */
const twosIn = (value: bigint): number => {
  let twos = 0;
  let rest = value;
  let low = Number(BigInt.asUintN(LOW_BITS, rest));
  while (low === 0) {
    twos += LOW_BITS;
    rest >>= BigInt(LOW_BITS);
    low = Number(BigInt.asUintN(LOW_BITS, rest));
  }
  return twos + 31 - Math.clz32(low & -low);
};

/**
 * Whether a positive number below P is a square of the field. Computes its Jacobi symbol; for a prime P, 1 means a square.
 * Source: Cohen, A Course in Computational Algebraic Number Theory, algorithm 1.4.10.
 */
const isSquare = (value: bigint): boolean => {
  let [over, under, isNegative] = [value, P, false];
  while (over !== 0n) {
    const twos = twosIn(over);
    over >>= BigInt(twos);
    const [overLow, underLow] = [Number(over & 7n), Number(under & 7n)];
    if (twos % 2 === 1 && (underLow === 3 || underLow === 5)) isNegative = !isNegative;
    if (overLow % 4 === 3 && underLow % 4 === 3) isNegative = !isNegative;
    [over, under] = [under % over, over];
  }
  return !isNegative;
};

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

/**
 * Whether 32 bytes are a point of Ed25519, for which a private key may exist (RFC 8032, section 5.1.3).
 * The number is taken modulo the field, as in Solana's runtime.
 */
export const isOnCurve = (bytes: Uint8Array): boolean => {
  const number = littleEndian(bytes);
  const y = (number & (2n ** 255n - 1n)) % P;
  const y2 = (y * y) % P;
  const numerator = (y2 - 1n + P) % P;
  const denominator = (D * y2 + 1n) % P;
  // x² is numerator / denominator, a square exactly when their product is one.
  const product = (numerator * denominator) % P;
  return product === 0n || isSquare(product);
};
