import { digitsOf } from '../../core/json.ts';
import { wrong } from '../wrong.ts';

/** The largest number that an EVM word holds. */
const LARGEST_WORD = 2n ** 256n - 1n;

const JSON_NUMBER = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The exact value of a JSON number's digits: 1e18 and 10000000000000000.0 are whole, 0.1 is not. */
const wholeOf = (digits: string): bigint => {
  const [, sign, whole = '', fraction = '', exponent = '0'] = JSON_NUMBER.exec(digits) ?? wrong('is not a number');
  if (sign) return wrong('must not be negative');
  const units = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length;
  if (shift >= 0) return units * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return units % divisor === 0n ? units / divisor : wrong('must be a whole number');
};

/**
 * A whole number of at most 256 bits, digit for digit, from a JSON number or from plain decimal text.
 * The service's document writes `value` as a number and gas fields as text. Throws `invalid_input`.
 */
export const readWhole = (value: unknown): bigint => {
  const text = typeof value === 'string' && /^(?:0|[1-9]\d{0,99})$/.test(value) ? value : undefined;
  const digits = text ?? digitsOf(value) ?? wrong('must be a whole number in decimal digits');
  const whole = wholeOf(digits);
  return whole <= LARGEST_WORD ? whole : wrong('is larger than any number on an EVM chain (2^256 - 1)');
};

/** As `readWhole`, for numbers that count things: chain ids and nonces. At most 2^53 - 1. */
export const readCount = (value: unknown): number => {
  const whole = readWhole(value);
  return whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : wrong('is too large');
};
