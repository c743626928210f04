import { INTERMEDIARY } from './books.ts';
import { inverseOf, type Listing, type Pricing, type Rate } from './price.ts';

const described = ({ from, to, price }: Rate) => ({ from, to, price, description: `1 ${from} = ${price} ${to}` });

const meaningOf = ({ base, quote }: Listing): string => `price is ${quote} per 1 ${base}`;

const exchangeOf = (listing: Listing) => ({
  symbol: listing.symbol,
  base: listing.base,
  quote: listing.quote,
  meaning: meaningOf(listing),
});

const directAnswer = (rate: Rate, listing: Listing) => ({
  symbol: listing.symbol,
  price: listing.price,
  source: listing.source,
  exchange: exchangeOf(listing),
  requested: described(rate),
  market: { symbol: listing.symbol, price: listing.price },
  rates: [
    described({ from: listing.base, to: listing.quote, price: listing.price }),
    described({ from: listing.quote, to: listing.base, price: inverseOf(listing.price) }),
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
