import type { EvmCoin } from '../../contract/chains.ts';
import { divideDecimals, multiplyDecimals } from '../../core/decimal.ts';
import { PRICE_DIGITS } from '../assumptions.ts';

/** One market of an exchange: `price` is in `quote`, per one `base`. */
type Market = { readonly base: string; readonly quote: string; readonly price: string };

/** An exchange and the markets it lists. */
type Book = { readonly exchange: string; readonly markets: readonly Market[] };

const market = (base: string, quote: string, price: string): Market => ({ base, quote, price });

/** The price of each chain's coin in USDT. A coin without a price is a type error. */
const COIN_PRICES: Readonly<Record<EvmCoin | 'SOL', string>> = { ETH: '3200', SOL: '160', POL: '0.4', BNB: '600' };

/**
 * The sandbox's two exchanges, asked in this order. Prices are fixed, so that tests can count on them.
 * Assumption: all of it. ETH and SOL have no direct market. USDT is listed in BRL, and BRL is not listed in USDT.
 * Only the second exchange lists the euro, the dollar and some coins.
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

/** The asset through which pairs without a market are priced. Document: Quote. */
const INTERMEDIARY = 'USDT';

/** A market, and the exchange that answered for it. */
export type Listing = Market & { readonly symbol: string; readonly source: string };

/** The price of one asset in another: `price` is in `to`, per one `from`. */
export type Rate = { readonly from: string; readonly to: string; readonly price: string };

/** How a pair is priced: by one market, or by two through USDT. */
export type Pricing =
  | (Rate & { readonly kind: 'direct'; readonly listing: Listing })
  | (Rate & { readonly kind: 'cross'; readonly legs: readonly [Listing, Listing] });

/** Every market by its symbol, of the first exchange that lists it. Document: Quote, first exchange, then second. */
const LISTINGS: ReadonlyMap<string, Listing> = new Map(
  BOOKS.toReversed().flatMap(({ exchange, markets }) =>
    markets.map((market) => {
      const symbol = market.base + market.quote;
      return [symbol, { ...market, symbol, source: exchange }];
    }),
  ),
);

/** The market of that symbol. */
export const findListing = (symbol: string): Listing | undefined => LISTINGS.get(symbol);

/** One asset per the other, turned round: cut after PRICE_DIGITS decimals. */
export const inverseOf = (price: string): string => divideDecimals('1', price, PRICE_DIGITS);

/** The listing's price of `from` in the other asset of its market. */
const priceFrom = ({ base, price }: Market, from: string): string => (base === from ? price : inverseOf(price));

const directListing = (from: string, to: string): Listing | undefined =>
  findListing(from + to) ?? findListing(to + from);

const cut = (price: string): string => divideDecimals(price, '1', PRICE_DIGITS);

/** The price of one asset in another, or `undefined` where no exchange gives one. An asset has no price in itself. */
export const priceOf = (from: string, to: string): Pricing | undefined => {
  const listing = directListing(from, to);
  if (listing) return { kind: 'direct', from, to, price: priceFrom(listing, from), listing };
  const [first, second] = [directListing(from, INTERMEDIARY), directListing(INTERMEDIARY, to)];
  if (!first || !second || from === to) return undefined;
  const price = cut(multiplyDecimals(priceFrom(first, from), priceFrom(second, INTERMEDIARY)));
  return { kind: 'cross', from, to, price, legs: [first, second] };
};

const described = ({ from, to, price }: Rate) => ({ from, to, price, description: `1 ${from} = ${price} ${to}` });

const directAnswer = (rate: Rate, { symbol, base, quote, price, source }: Listing) => ({
  symbol,
  price,
  source,
  exchange: { symbol, base, quote, meaning: `price is ${quote} per 1 ${base}` },
  requested: described(rate),
  market: { symbol, price },
  rates: [described({ from: base, to: quote, price }), described({ from: quote, to: base, price: inverseOf(price) })],
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
  requested: described(rate),
  route: {
    type: 'via_usdt' as const,
    intermediary: INTERMEDIARY,
    from: rate.from,
    to: rate.to,
    legs: legs.map(({ symbol, price, source }) => ({ symbol, price, source })),
  },
});

/** A priced pair as the quote endpoint answers it. Document: Market quote. */
export const quoteAnswer = (pricing: Pricing) =>
  pricing.kind === 'direct' ? directAnswer(pricing, pricing.listing) : crossAnswer(pricing, pricing.legs);
