/** One market of an exchange: `price` is in `quote`, per one `base`. */
export type Market = { readonly base: string; readonly quote: string; readonly price: string };

/** An exchange and the markets it lists. */
export type Book = { readonly exchange: string; readonly markets: readonly Market[] };

const market = (base: string, quote: string, price: string): Market => ({ base, quote, price });

/**
 * The sandbox's two exchanges, asked in this order. Prices are fixed, so that tests can count on them.
 * Assumption: all of it. ETH and SOL have no market of their own; USDT is listed in BRL, not BRL in USDT;
 * the second exchange alone lists the euro, the dollar and some coins.
 */
export const BOOKS: readonly Book[] = [
  {
    exchange: 'exchange_a',
    markets: [
      market('BTC', 'USDT', '64000'),
      market('ETH', 'USDT', '3200'),
      market('SOL', 'USDT', '160'),
      market('POL', 'USDT', '0.4'),
      market('BNB', 'USDT', '600'),
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
export const INTERMEDIARY = 'USDT';
