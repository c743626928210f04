import * as z from 'zod';
import { type Client, call } from '../../client/call.ts';
import { market } from '../../contract/quote/market.ts';
import { divideDecimals, isDecimal, multiplyDecimals } from '../../core/decimal.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { isSameText } from '../../core/same-text.ts';

/** Quotients have no end: they are cut, never rounded up, after so many decimals. */
const DIGITS = 18;

/** An amount of one asset in another. `is_exact` is false where the number was cut. */
export type Conversion = {
  readonly amount: string;
  readonly from: string;
  readonly to: string;
  readonly worth: string;
  readonly is_exact: boolean;
};

/** What an amount is worth at a quote: of the one asset in the other, and the other way round. */
export type Worth = Conversion & { readonly reverse: Conversion; readonly price: string; readonly source: string };

const name = z.string().nullish();

/** What is needed of a quote. Document: Market quote; `price` is in the quote asset, per one base asset. */
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

/** The market's own price where there is one: what the service turned round is cut already. */
const rateOf = ({ price, exchange, requested, market }: Quote): Rate | undefined => {
  const { base, quote } = exchange ?? {};
  if (market && base && quote) return { base, quote, per: market.price };
  if (requested?.from && requested.to && requested.price) {
    return { base: requested.from, quote: requested.to, per: requested.price };
  }
  return base && quote ? { base, quote, per: price } : undefined;
};

const convert = ({ base, quote, per }: Rate, amount: string, from: string): Conversion => {
  if (from === base) return { amount, from, to: quote, worth: multiplyDecimals(amount, per), is_exact: true };
  const worth = divideDecimals(amount, per, DIGITS);
  const back = multiplyDecimals(worth, per);
  return { amount, from, to: base, worth, is_exact: back === multiplyDecimals(amount, '1') };
};

/** What an amount is worth at a quote, in decimals. Throws `unexpected_answer` where the quote does not tell. */
export const worthAt = (data: unknown, amount: string): Worth => {
  const quote = quoteSchema.safeParse(data);
  const rate = quote.success ? rateOf(quote.data) : undefined;
  if (!quote.success || !rate || !isDecimal(rate.per) || multiplyDecimals(rate.per, '1') === '0') {
    throw new Failure('unexpected_answer', 'the quote does not tell which asset its price is in', { data });
  }
  const from = quote.data.requested?.from ?? rate.base;
  const there = convert(rate, amount, from === rate.quote ? rate.quote : rate.base);
  const reverse = convert(rate, amount, there.to);
  return { ...there, reverse, price: quote.data.requested?.price ?? rate.per, source: quote.data.source };
};

/** What an amount of one asset is worth in another by the service's market quote; `undefined` where no quote tells. */
export const marketWorth =
  (client: Client) =>
  async (amount: string, from: string, to: string): Promise<string | undefined> => {
    try {
      const { data } = await call(client, market, { from, to });
      const { to: unit, worth } = worthAt(data, amount);
      return isSameText(unit, to) ? worth : undefined;
    } catch (error) {
      if (isFailure(error) && error.code !== 'interrupted') return undefined;
      throw error;
    }
  };
