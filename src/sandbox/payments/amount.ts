import { COIN_DECIMALS, EVM_CHAINS, type EvmChain, type StableToken } from '../../contract/chains.ts';
import { divideDecimals, multiplyDecimals, parseDecimal, toUnits } from '../../core/decimal.ts';
import { AMOUNT_TO_DIGITS, FIATS, TEST_TOKENS } from '../assumptions.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { priceOf } from '../quote/price.ts';

/** An EVM chain of the sandbox by its exact name; `undefined` for another name. */
export const chainOf = (name: string): EvmChain | undefined => EVM_CHAINS.find((chain) => chain.name === name);

/** The symbols that a payer can pay with on a chain: the native coin and the test tokens. */
export const symbolsOf = (chain: EvmChain): readonly string[] => [chain.coin, ...TEST_TOKENS];

/** The decimals of one of these symbols on the chain. */
export const decimalsOf = (chain: EvmChain, symbol: string): number =>
  symbol === chain.coin ? COIN_DECIMALS : chain.tokens[symbol as StableToken].decimals;

/** The price of one currency in another; `undefined` without a price at any exchange. A currency costs 1 of itself. */
export const rateOf = (from: string, to: string): string | undefined => (from === to ? '1' : priceOf(from, to)?.price);

/** Whether an exchange of the sandbox has a price for a currency. */
export const isKnownCurrency = (symbol: string): boolean => rateOf(symbol, 'USDT') !== undefined;

const digitsOf = (symbol: string): number => {
  if (FIATS.includes(symbol)) return AMOUNT_TO_DIGITS.fiat;
  return (TEST_TOKENS as readonly string[]).includes(symbol) ? AMOUNT_TO_DIGITS.stablecoin : AMOUNT_TO_DIGITS.other;
};

/** Converts an amount at a rate. The result is cut to the digits of the target currency, not rounded up. */
export const convert = (amount: string, from: string, to: string, rate: string): string =>
  from === to ? amount : divideDecimals(multiplyDecimals(amount, rate), '1', digitsOf(to));

/**
 * `amount_to` of a payment: its amount in the target currency. It is cut to the smallest unit of the token on the
 * chain, so that the chain can pay it exactly.
 */
export const amountTo = (amount: string, from: string, to: string, chainName: string): string => {
  const converted = convert(amount, from, to, rateOf(from, to) ?? '1');
  const chain = chainOf(chainName);
  if (!chain || !symbolsOf(chain).includes(to)) return converted;
  const digits = decimalsOf(chain, to);
  return parseDecimal(converted).scale <= digits ? converted : divideDecimals(converted, '1', digits);
};

/** A decimal in smallest units, rounded up, so that a receiver gets at least the quoted amount. */
export const ceilUnits = (text: string, decimals: number): bigint => {
  const { units, scale } = parseDecimal(text);
  if (scale <= decimals) return units * 10n ** BigInt(decimals - scale);
  const cut = 10n ** BigInt(scale - decimals);
  return (units + cut - 1n) / cut;
};

/** A decimal in smallest units, rounded down. */
export const floorUnits = (text: string, decimals: number): bigint =>
  toUnits(divideDecimals(text, '1', decimals), decimals);

/** The amounts of a payment in its two currencies. */
type PaymentAmounts = Pick<PaymentRow, 'amount_from' | 'from_currency_symbol' | 'amount_to' | 'to_currency_symbol'>;

/**
 * The amount that the payer owes, in smallest units of a token. In the payment's own currency this is exactly the
 * amount, and in its target currency `amount_to`. In a third currency it follows the rate, rounded up. Throws
 * `invalid_input` for an amount with more decimals than the token.
 */
export const unitsDue = (due: PaymentAmounts, token: string, decimals: number, rate: string): bigint => {
  if (due.from_currency_symbol === token) return toUnits(due.amount_from, decimals);
  if (due.to_currency_symbol === token) return toUnits(due.amount_to, decimals);
  return ceilUnits(multiplyDecimals(due.amount_from, rate), decimals);
};
