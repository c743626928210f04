import type { EvmCoin } from '../../contract/chains.ts';
import { divideDecimals, multiplyDecimals } from '../../core/decimal.ts';
import { PRICE_DIGITS } from '../assumptions.ts';

/** One market of an exchange. `price` is in `quote` for one `base`. */
type Market = { readonly base: string; readonly quote: string; readonly price: string };

/** An exchange with its markets. */
type Book = { readonly exchange: string; readonly markets: readonly Market[] };

const market = (base: string, quote: string, price: string): Market => ({ base, quote, price });

/** The price of each chain's coin in USDT. A coin without a price is a type error. */
const COIN_PRICES: Readonly<Record<EvmCoin | 'SOL', string>> = { ETH: '3200', SOL: '160', POL: '0.4', BNB: '600' };

/**
 * The sandbox's two exchanges; the first has priority. Prices are fixed, so tests can depend on them. Assumption: all
 * markets and prices. There is no market between ETH and SOL, and none for BRL in USDT, only for USDT in BRL. Only the second
 * exchange lists EUR, USD and LTC.
 */
export const BOOKS: readonly Book[] = [
  {
    exchange: 'exchange_a',
    markets: [
      market('BTC', 'USDT', '64000'),
      ...Object.entries(COIN_PRICES).map(([coin, price]) => market(coin, 'USDT', price)),
      market('USDC', 'USDT', '0.9998'),
      market('USDT', 'BRL', '5.25'),
      market('BTC', 'BRL', '336200'),
      market('ETH', 'BTC', '0.05'),
    ],
  },
  {
    exchange: 'exchange_b',
    markets: [
      market('EUR', 'USDT', '1.08'),
      market('USDT', 'USD', '0.9995'),
      market('LTC', 'USDT', '84.5'),
      market('SOL', 'BTC', '0.0025'),
      market('ETH', 'USDT', '3201.5'),
    ],
  },
];

/** The asset between two assets without a market of their own. Document: Quote. */
const INTERMEDIARY = 'USDT';

/** A market with its symbol, and the exchange that lists it. */
export type Listing = Market & { readonly symbol: string; readonly source: string };

/** The price of one asset in another. `price` is in `to` for one `from`. */
export type Rate = { readonly from: string; readonly to: string; readonly price: string };

/** The price of a pair with its source: one market, or two markets through USDT. */
export type Pricing =
  | (Rate & { readonly kind: 'direct'; readonly listing: Listing })
  | (Rate & { readonly kind: 'cross'; readonly legs: readonly [Listing, Listing] });

/** All markets by symbol. If both exchanges list a market, the first one counts. Document: Quote. */
const LISTINGS: ReadonlyMap<string, Listing> = new Map(
  BOOKS.toReversed().flatMap(({ exchange, markets }) =>
    markets.map((market) => {
      const symbol = market.base + market.quote;
      return [symbol, { ...market, symbol, source: exchange }];
    }),
  ),
);

/** Finds the market with this symbol. */
export const findListing = (symbol: string): Listing | undefined => LISTINGS.get(symbol);

/** The price in the other direction, truncated after PRICE_DIGITS decimals. */
export const inverseOf = (price: string): string => divideDecimals('1', price, PRICE_DIGITS);

/** The price of `from` in the other asset of a market. */
const priceFrom = ({ base, price }: Market, from: string): string => (base === from ? price : inverseOf(price));

const directListing = (from: string, to: string): Listing | undefined =>
  findListing(from + to) ?? findListing(to + from);

const truncate = (price: string): string => divideDecimals(price, '1', PRICE_DIGITS);

/** The price of one asset in another; `undefined` without a market, and for an asset in itself. */
export const priceOf = (from: string, to: string): Pricing | undefined => {
  const listing = directListing(from, to);
  if (listing) return { kind: 'direct', from, to, price: priceFrom(listing, from), listing };
  const [first, second] = [directListing(from, INTERMEDIARY), directListing(INTERMEDIARY, to)];
  if (!first || !second || from === to) return undefined;
  const price = truncate(multiplyDecimals(priceFrom(first, from), priceFrom(second, INTERMEDIARY)));
  return { kind: 'cross', from, to, price, legs: [first, second] };
};

const describeRate = ({ from, to, price }: Rate) => ({ from, to, price, description: `1 ${from} = ${price} ${to}` });

const directAnswer = (rate: Rate, { symbol, base, quote, price, source }: Listing) => ({
  symbol,
  price,
  source,
  exchange: { symbol, base, quote, meaning: `price is ${quote} per 1 ${base}` },
  requested: describeRate(rate),
  market: { symbol, price },
  rates: [
    describeRate({ from: base, to: quote, price }),
    describeRate({ from: quote, to: base, price: inverseOf(price) }),
  ],
});

const crossAnswer = (rate: Rate, legs: readonly [Listing, Listing]) => ({
  symbol: null,
  price: rate.price,
  source: [...new Set(legs.map((leg) => leg.source))].join('+'),
  exchange: {
    symbol: `${rate.from}${rate.to}`,
    base: rate.from,
    quote: rate.to,
    meaning: `no market of its own; computed through ${INTERMEDIARY}: ${rate.to} per 1 ${rate.from}`,
  },
  requested: describeRate(rate),
  route: {
    type: 'via_usdt' as const,
    intermediary: INTERMEDIARY,
    from: rate.from,
    to: rate.to,
    legs: legs.map(({ symbol, price, source }) => ({ symbol, price, source })),
  },
});

/** The data of the quote endpoint's answer. Document: Market quote. */
export const quoteAnswer = (pricing: Pricing) =>
  pricing.kind === 'direct' ? directAnswer(pricing, pricing.listing) : crossAnswer(pricing, pricing.legs);
