import { divideDecimals, multiplyDecimals, parseDecimal, toUnits } from '../../core/decimal.ts';
import { AMOUNT_TO_DIGITS, FIATS, TEST_TOKENS } from '../assumptions.ts';
import { priceOf } from '../quote/price.ts';

/** The price of one currency in another, 1 in itself; `undefined` where no exchange gives one. */
export const rateOf = (from: string, to: string): string | undefined => (from === to ? '1' : priceOf(from, to)?.price);

/** Whether the sandbox's exchanges know a currency at all. */
export const isKnownCurrency = (symbol: string): boolean => rateOf(symbol, 'USDT') !== undefined;

const digitsOf = (symbol: string): number => {
  if (FIATS.includes(symbol)) return AMOUNT_TO_DIGITS.fiat;
  return (TEST_TOKENS as readonly string[]).includes(symbol) ? AMOUNT_TO_DIGITS.stablecoin : AMOUNT_TO_DIGITS.other;
};

/** What an amount of one currency is in another, at the quote; cut, never rounded up. */
export const convert = (amount: string, from: string, to: string, rate: string): string =>
  from === to ? amount : divideDecimals(multiplyDecimals(amount, rate), '1', digitsOf(to));

/** A decimal in smallest units, rounded up to a whole one: a receiver never gets less than the quote says. */
export const ceilUnits = (text: string, decimals: number): bigint => {
  const { units, scale } = parseDecimal(text);
  if (scale <= decimals) return units * 10n ** BigInt(decimals - scale);
  const cut = 10n ** BigInt(scale - decimals);
  return (units + cut - 1n) / cut;
};

/** A decimal in smallest units; what is finer than a unit is cut. */
export const floorUnits = (text: string, decimals: number): bigint => {
  const { units, scale } = parseDecimal(text);
  return scale <= decimals ? units * 10n ** BigInt(decimals - scale) : units / 10n ** BigInt(scale - decimals);
};

/** An amount to pay: the currency that the payment is in, and the token that the payer pays with. */
export type Due = {
  readonly amount: string;
  readonly currency: string;
  readonly token: string;
  readonly decimals: number;
};

/**
 * Smallest units that the payer owes. In the payment's own currency they are the amount exactly, and an amount
 * finer than the token throws `invalid_input`; in another they follow the quote, rounded up.
 */
export const unitsDue = ({ amount, currency, token, decimals }: Due, rate: string): bigint =>
  currency === token ? toUnits(amount, decimals) : ceilUnits(multiplyDecimals(amount, rate), decimals);
