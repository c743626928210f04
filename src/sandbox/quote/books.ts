import type { EvmCoin } from '../../contract/chains.ts';

/** One market of an exchange: `price` is in `quote`, per one `base`. */
export type Market = { readonly base: string; readonly quote: string; readonly price: string };

/** An exchange and the markets it lists. */
export type Book = { readonly exchange: string; readonly markets: readonly Market[] };

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
export const INTERMEDIARY = 'USDT';
