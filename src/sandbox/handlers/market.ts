import { list } from '../../contract/products/list.ts';
import { market } from '../../contract/quote/market.ts';
import { PRODUCTS } from '../assumptions.ts';
import { findListing, type Pricing, priceOf, quoteAnswer } from '../quote/price.ts';
import { fail, handle, succeed } from './handler.ts';

/** The price of a market by its name, as its exchange lists it; `undefined` for an unknown market. */
const priceOfMarket = (symbol: string): Pricing | undefined => {
  const listing = findListing(symbol);
  return listing && { kind: 'direct', from: listing.base, to: listing.quote, price: listing.price, listing };
};

const firstPriced = (symbols: readonly string[]): Pricing | undefined =>
  symbols.map(priceOfMarket).find((pricing) => pricing !== undefined);

/** The handlers of products and quotes. */
export const MARKET_HANDLERS = {
  /** GET /config/products. */
  [list.id]: handle(list, async () => succeed('products_listed', 'Enabled products and methods.', PRODUCTS)),
  /** GET /quote/market: an asset pair, or the legacy names of markets. Symbols may be in any case. */
  [market.id]: handle(market, async (_, { from, to, pair, try_one, try_two }) => {
    const upper = (symbol: string | undefined): string => (symbol ?? '').toUpperCase();
    const names = [pair, try_one, try_two].map(upper).filter(Boolean);
    const pricing = from && to ? priceOf(upper(from), upper(to)) : firstPriced(names);
    if (!pricing) {
      const requested = from && to ? `${upper(from)}/${upper(to)}` : names.join(', ');
      return fail('pair_not_found', `No exchange has a price for ${requested}, directly or through USDT.`);
    }
    const message = pricing.kind === 'direct' ? 'Quote found.' : 'No direct pair: cross rate through USDT.';
    return succeed('quote_ok', message, quoteAnswer(pricing));
  }),
};
