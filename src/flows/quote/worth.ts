import * as z from 'zod';
import { type Client, call } from '../../client/call.ts';
import { market } from '../../contract/quote/market.ts';
import { divideDecimals, isDecimal, multiplyDecimals } from '../../core/decimal.ts';
import { Failure, isUninterrupted, valueOn } from '../../core/failure.ts';
import { isSameText } from '../../core/text.ts';

/** Quotients are truncated, never rounded up, after this many decimals. */
const DIGITS = 18;

const name = z.string().nullish();

/** The fields of a quote that are used here. Document: Market quote; `price` is in the quote asset, per one base asset. */
const quoteSchema = z.looseObject({
  price: z.string(),
  source: z.string(),
  exchange: z.looseObject({ base: name, quote: name }).nullish(),
  requested: z.looseObject({ from: name, to: name, price: name }).nullish(),
  market: z.looseObject({ price: z.string() }).nullish(),
});

type Quote = z.infer<typeof quoteSchema>;

/** A price: `per` units of `quote` for one `base`. */
type Rate = { readonly base: string; readonly quote: string; readonly per: string };

/** Prefers the price of the market: a price that the service inverted is already truncated. */
const rateOf = ({ price, exchange, requested, market }: Quote): Rate | undefined => {
  const { base, quote } = exchange ?? {};
  if (market && base && quote) return { base, quote, per: market.price };
  if (requested?.from && requested.to && requested.price) {
    return { base: requested.from, quote: requested.to, per: requested.price };
  }
  return base && quote ? { base, quote, per: price } : undefined;
};

/** An amount of one asset in another. `is_exact` is false if the worth was truncated. */
const convert = ({ base, quote, per }: Rate, amount: string, from: string) => {
  if (from === base) return { amount, from, to: quote, worth: multiplyDecimals(amount, per), is_exact: true };
  const worth = divideDecimals(amount, per, DIGITS);
  const back = multiplyDecimals(worth, per);
  return { amount, from, to: base, worth, is_exact: back === multiplyDecimals(amount, '1') };
};

type Conversion = ReturnType<typeof convert>;

/** An amount of the first asset in the second one, and the same amount of the second in the first one (`reverse`). */
export type Worth = Conversion & { readonly reverse: Conversion; readonly price: string; readonly source: string };

/** The worth of an amount at a quote, as decimals. Throws `unexpected_answer` if the quote lacks a price or its assets. */
export const worthAt = (data: unknown, amount: string): Worth => {
  const quote = quoteSchema.safeParse(data);
  const rate = quote.success ? rateOf(quote.data) : undefined;
  if (!quote.success || !rate || !isDecimal(rate.per) || multiplyDecimals(rate.per, '1') === '0') {
    throw new Failure('unexpected_answer', 'the quote does not name the asset of its price', { data });
  }
  const from = quote.data.requested?.from ?? rate.base;
  const there = convert(rate, amount, from === rate.quote ? rate.quote : rate.base);
  const reverse = convert(rate, amount, there.to);
  return { ...there, reverse, price: quote.data.requested?.price ?? rate.per, source: quote.data.source };
};

/** The worth of an amount in another asset by the service's market quote; `undefined` without a usable quote. */
export const marketWorth =
  (client: Client) =>
  (amount: string, from: string, to: string): Promise<string | undefined> => {
    const quoted = call(client, market, { from, to }).then(({ data }) => worthAt(data, amount));
    const worth = quoted.then(({ to: unit, worth }) => (isSameText(unit, to) ? worth : undefined));
    return worth.catch(valueOn(isUninterrupted, undefined));
  };
