import { COIN_DECIMALS, EVM_CHAINS, type EvmChain, type StableToken } from '../../contract/chains.ts';
import { divideDecimals, multiplyDecimals, parseDecimal, toUnits } from '../../core/decimal.ts';
import { AMOUNT_TO_DIGITS, FIATS, TEST_TOKENS } from '../assumptions.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { priceOf } from '../quote/price.ts';

/** A sandbox chain by its name, in lower case as the service writes it. */
export const chainOf = (name: string): EvmChain | undefined => EVM_CHAINS.find((chain) => chain.name === name);

/** What a payer can pay with there: the native coin and the test tokens. */
export const symbolsOf = (chain: EvmChain): readonly string[] => [chain.coin, ...TEST_TOKENS];

/** Decimals of one of these symbols on that chain. */
export const decimalsOf = (chain: EvmChain, symbol: string): number =>
  symbol === chain.coin ? COIN_DECIMALS : chain.tokens[symbol as StableToken].decimals;

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

/**
 * `amount_to` of a payment: its amount in the target currency. It is cut to a unit of that token on its chain, so that it
 * can be paid exactly.
 */
export const amountTo = (amount: string, from: string, to: string, chainName: string): string => {
  const converted = convert(amount, from, to, rateOf(from, to) ?? '1');
  const chain = chainOf(chainName);
  if (!chain || !symbolsOf(chain).includes(to)) return converted;
  const digits = decimalsOf(chain, to);
  return parseDecimal(converted).scale <= digits ? converted : divideDecimals(converted, '1', digits);
};

/** A decimal in smallest units, rounded up to a whole one: a receiver never gets less than the quoted amount. */
export const ceilUnits = (text: string, decimals: number): bigint => {
  const { units, scale } = parseDecimal(text);
  if (scale <= decimals) return units * 10n ** BigInt(decimals - scale);
  const cut = 10n ** BigInt(scale - decimals);
  return (units + cut - 1n) / cut;
};

/** A decimal in smallest units; a finer part is cut. */
export const floorUnits = (text: string, decimals: number): bigint =>
  toUnits(divideDecimals(text, '1', decimals), decimals);

/** The amounts of a payment in its two currencies. */
type Due = Pick<PaymentRow, 'amount_from' | 'from_currency_symbol' | 'amount_to' | 'to_currency_symbol'>;

/**
 * Smallest units of a token that the payer owes. In the payment's own currency they are the amount exactly; an amount finer than
 * the token throws `invalid_input`. In its target currency they are `amount_to`. In a third currency they follow the
 * quote, rounded up.
 */
export const unitsDue = (due: Due, token: string, decimals: number, rate: string): bigint => {
  if (due.from_currency_symbol === token) return toUnits(due.amount_from, decimals);
  if (due.to_currency_symbol === token) return toUnits(due.amount_to, decimals);
  return ceilUnits(multiplyDecimals(due.amount_from, rate), decimals);
};
