/** The field of Curve25519 (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

const LOW_BITS = 30;

/** How often two divides a number that is not zero. */
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
 * Whether a number below P, and not zero, is a square of the field: its Jacobi symbol (Cohen, A Course in
 * Computational Algebraic Number Theory, algorithm 1.4.10). P is a prime, so 1 says that it is.
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
 * Whether 32 bytes are a point of Ed25519, so that a private key for them may exist (RFC 8032, section 5.1.3; the
 * number is taken modulo the field, as Solana's runtime takes it).
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
