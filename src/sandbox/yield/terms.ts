import type { Provider } from '../solana/tokens.ts';

/** The offer of a provider for a token. Rates are hundredths of a percent a year. */
export type Terms = {
  /** The yield of the deposit alone, in the middle of its daily swing. */
  readonly supply: number;
  /** By how much that goes up and down in the course of a day: a multiple of 6. */
  readonly swing: number;
  /** Rewards beside it; `undefined` where the provider has none. */
  readonly rewards?: number;
  /** The margin of borrowing over the deposit; `undefined` where the provider does not lend. */
  readonly spread?: number;
  /** Most that can be borrowed of the value, in percent. */
  readonly maxLtv?: number;
  /** Utilization: lent of supplied, in percent. */
  readonly lent?: number;
};

/** The price of a token, and the length of the price report that its markets need. */
export type Market = {
  readonly usd: string;
  /** Bytes of the price report that each market's part of a transaction carries. */
  readonly reportBytes: number;
  readonly terms: Readonly<Record<Provider, Terms>>;
};

const lender = (supply: number, swing: number, rewards: number): Terms => ({ supply, swing, rewards });
const bank = (supply: number, swing: number, maxLtv: number): Terms => ({
  supply,
  swing,
  spread: 230,
  maxLtv,
  lent: 68,
});

/**
 * Assumption: all of it. Which provider yields more changes in the course of a day. Markets of other assets than
 * the dollar need a price report in every transaction, so that all sizes of a rebalance occur. USDC and USDT fit into one
 * transaction, EURC needs two, and XAUT does not fit into two.
 */
export const MARKETS: Readonly<Record<string, Market>> = {
  USDC: { usd: '1', reportBytes: 0, terms: { provider_a: lender(480, 60, 70), provider_b: bank(540, 90, 80) } },
  USDT: { usd: '1', reportBytes: 0, terms: { provider_a: lender(410, 48, 55), provider_b: bank(430, 72, 75) } },
  EURC: { usd: '1.08', reportBytes: 220, terms: { provider_a: lender(330, 36, 25), provider_b: bank(300, 54, 70) } },
  XAUT: { usd: '2650', reportBytes: 460, terms: { provider_a: lender(90, 18, 10), provider_b: bank(120, 30, 60) } },
};

/** `protocol_display_name` of each provider. */
export const PROTOCOL_NAMES: Readonly<Record<Provider, string>> = {
  provider_a: 'Sandbox Lender A',
  provider_b: 'Sandbox Lender B',
};
