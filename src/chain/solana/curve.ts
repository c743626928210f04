/** The field of Curve25519 (RFC 8032, section 5.1). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

const squared = (value: bigint, times: number): bigint => {
  let result = value;
  for (let count = 0; count < times; count += 1) result = (result * result) % P;
  return result;
};

/** `value` to the power of (P - 1) / 2 = 2^254 - 10: 1 for a square, P - 1 for a number that is none (Euler). */
const euler = (value: bigint): bigint => {
  const upTo = (have: bigint, bits: number, add: bigint): bigint => (squared(have, bits) * add) % P;
  const two = upTo(value, 1, value);
  const four = upTo(two, 2, two);
  const five = upTo(four, 1, value);
  const ten = upTo(five, 5, five);
  const twenty = upTo(ten, 10, ten);
  const forty = upTo(twenty, 20, twenty);
  const fifty = upTo(forty, 10, ten);
  const hundred = upTo(fifty, 50, fifty);
  const twoHundred = upTo(hundred, 100, hundred);
  const most = upTo(twoHundred, 50, fifty);
  // 2^254 - 10 = (2^250 - 1) * 2^4 + 6, and 6 is two ones and a zero.
  return upTo(most, 4, squared(two, 1));
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
  return product === 0n || euler(product) === 1n;
};
