import { Failure } from './failure.ts';

/**
 * Money is text or bigint, never a number. A decimal here is plain digits with an optional fraction:
 * no sign, no exponent, no separators.
 */
export const DECIMAL = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** An exact decimal: `units` divided by ten to the power of `scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

/** A longer text is no amount, and arithmetic on it would be slow. */
const LONGEST = 120;

/** Whether a text is a decimal that is short enough for arithmetic. */
export const isDecimal = (text: string): boolean => text.length <= LONGEST && DECIMAL.test(text);

/** Reads a decimal. Throws `invalid_input` for anything but plain digits with an optional fraction. */
export const parseDecimal = (text: string): Decimal => {
  if (!isDecimal(text)) {
    throw new Failure('invalid_input', `"${text.slice(0, 40)}" is not a decimal amount, such as 10 or 10.50`);
  }
  const [whole = '', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
};

/** A decimal as programs write numbers: with spaces around it, a plus sign, an exponent, or an omitted half (`.5`, `1.`). */
export const LOOSE_DECIMAL = /^\s*\+?(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d{1,3}))?\s*$/;

/** A loose decimal as exact plain digits: "1e1" becomes "10". A plain decimal stays the same; other text gives `undefined`. */
export const plainDecimal = (text: string): string | undefined => {
  if (isDecimal(text)) return text;
  const found = text.length <= LONGEST ? LOOSE_DECIMAL.exec(text) : null;
  if (!found) return undefined;
  const [, whole = '', after = '', alone = '', exponent = '0'] = found;
  const fraction = after || alone;
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, -scale));
  const plain = formatDecimal({ units, scale: Math.max(0, scale) });
  return isDecimal(plain) ? plain : undefined;
};

/** Writes a decimal without trailing zeros: 10.50 becomes "10.5". */
export const formatDecimal = ({ units, scale }: Decimal): string => {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
};

const align = (a: Decimal, b: Decimal): readonly [bigint, bigint, number] => {
  const scale = Math.max(a.scale, b.scale);
  return [a.units * 10n ** BigInt(scale - a.scale), b.units * 10n ** BigInt(scale - b.scale), scale];
};

/** The sum of decimal texts, exactly. */
export const sumDecimals = (texts: readonly string[]): string => {
  let total: Decimal = { units: 0n, scale: 0 };
  for (const text of texts) {
    const [a, b, scale] = align(total, parseDecimal(text));
    total = { units: a + b, scale };
  }
  return formatDecimal(total);
};

/** Negative, zero or positive, as `a` is less than, equal to or more than `b`. */
export const compareDecimals = (a: string, b: string): number => {
  const [left, right] = align(parseDecimal(a), parseDecimal(b));
  return left < right ? -1 : Number(left > right);
};

/** The product of two decimal texts, exactly. */
export const multiplyDecimals = (a: string, b: string): string => {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return formatDecimal({ units: left.units * right.units, scale: left.scale + right.scale });
};

/** The quotient of two decimal texts, cut (not rounded) after `digits` decimals. Throws on division by zero. */
export const divideDecimals = (a: string, b: string, digits: number): string => {
  const [left, right] = align(parseDecimal(a), parseDecimal(b));
  if (right === 0n) throw new Failure('invalid_input', 'cannot divide by zero');
  return formatDecimal({ units: (left * 10n ** BigInt(digits)) / right, scale: digits });
};

/**
 * A decimal text in the smallest units of a coin with that many decimals: ("1.5", 6) is 1500000n.
 * Throws `invalid_input` if the text has more decimals than the coin: bursar never rounds silently.
 */
export const toUnits = (text: string, decimals: number): bigint => {
  const { units, scale } = parseDecimal(text);
  if (scale <= decimals) return units * 10n ** BigInt(decimals - scale);
  const cut = 10n ** BigInt(scale - decimals);
  if (units % cut !== 0n) {
    throw new Failure('invalid_input', `${text} has more than the ${decimals} decimals of this currency`);
  }
  return units / cut;
};

/** Smallest units as a decimal text: (1500000n, 6) is "1.5". */
export const fromUnits = (units: bigint, decimals: number): string => formatDecimal({ units, scale: decimals });

/**
 * Divides `total` units by percentages. Each share is cut to a whole unit. The first share gets the
 * remainder, so that the shares sum to the total. Throws `invalid_input` unless the percentages sum to
 * exactly 100: otherwise the first share would silently get the difference.
 */
export const splitUnits = (total: bigint, percents: readonly string[]): readonly bigint[] => {
  const sum = sumDecimals(percents);
  if (sum !== '100') throw new Failure('invalid_input', `percentages sum to ${sum}, not to 100`);
  const shares = percents.map((percent) => {
    const { units, scale } = parseDecimal(percent);
    return (total * units) / (100n * 10n ** BigInt(scale));
  });
  const rest = total - shares.reduce((sum, share) => sum + share, 0n);
  return shares.map((share, index) => (index === 0 ? share + rest : share));
};

/** The units of several amounts together. */
export const sumOf = (all: readonly { readonly units: bigint }[]): bigint =>
  all.reduce((sum, { units }) => sum + units, 0n);

/** The units of each key, together. */
export const sumsBy = <T extends { readonly units: bigint }>(
  all: readonly T[],
  keyOf: (one: T) => string,
): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const one of all) {
    const key = keyOf(one);
    sums.set(key, (sums.get(key) ?? 0n) + one.units);
  }
  return sums;
};

/** The larger of two numbers of units. */
export const largerOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The smaller of two numbers of units. */
export const smallerOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);
