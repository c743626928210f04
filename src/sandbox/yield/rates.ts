import { memoize } from '../../core/once.ts';
import type { Provider, Vault } from '../solana/tokens.ts';

/** The offer of a provider for a token. Rates are hundredths of a percent a year. */
type Terms = {
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
type Market = {
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

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
const YEAR_MS = 365n * 24n * BigInt(HOUR_MS);

/** Where prices of shares are 1: 2026-01-01, in milliseconds since 1970. Assumption. */
const BEGINNING_MS = 1_767_225_600_000;

/** Fixed point of all that follows. */
const ONE = 10n ** 30n;
/** Fixed point of the price of a share. */
export const PRICE_ONE = 10n ** 18n;

/** Providers' days begin at other hours, so that the better one changes. */
const FIRST_HOUR: Readonly<Record<Provider, number>> = { provider_a: 0, provider_b: 9 };

/** A provider's offer for a token: a vault without its accounts. */
export type Offer = Pick<Vault, 'provider'> & { readonly token: Pick<Vault['token'], 'symbol'> };

/** The terms of a vault's provider for its token. Throws for a token without a market. */
export const termsOf = (vault: Offer): Terms => {
  const market = MARKETS[vault.token.symbol];
  if (!market) throw new Error(`no market for ${vault.token.symbol}`);
  return market.terms[vault.provider];
};

/** A wave over the day, from -6 to 6. */
const waveAt = (hour: number): number => Math.abs((hour % HOURS_A_DAY) - 12) - 6;

const supplyIn = (vault: Offer, hour: number): number => {
  const { supply, swing } = termsOf(vault);
  return supply + (swing / 6) * waveAt(hour + FIRST_HOUR[vault.provider]);
};

const hourAt = (nowMs: number): number => Math.floor(Math.max(0, nowMs - BEGINNING_MS) / HOUR_MS);

/** The yield of the deposit alone at a time, in hundredths of a percent a year. It changes every hour. */
export const supplyRate = (vault: Offer, nowMs: number): number => supplyIn(vault, hourAt(nowMs));

/** The whole yield of a deposit: the growth of its share's price. */
export const wholeRate = (vault: Offer, nowMs: number): number =>
  supplyRate(vault, nowMs) + (termsOf(vault).rewards ?? 0);

/** ln(1 + rate) in fixed point, by its series. */
const logOfRate = (rate: number): bigint => {
  const x = (BigInt(rate) * ONE) / 10_000n;
  let [sum, power] = [0n, x];
  for (let n = 1n; power !== 0n; n += 1n) {
    sum += n % 2n === 1n ? power / n : -(power / n);
    power = (power * x) / ONE;
  }
  return sum;
};

const exponential = (x: bigint): bigint => {
  let [sum, term] = [ONE, ONE];
  for (let n = 1n; term !== 0n; n += 1n) {
    term = (term * x) / (ONE * n);
    sum += term;
  }
  return sum;
};

/** Growth of each hour of the day, as logarithms of a whole year's. They are the same every day. */
const logsOfDay = memoize((vault: Vault): readonly bigint[] =>
  Array.from({ length: HOURS_A_DAY }, (_, hour) => logOfRate(supplyIn(vault, hour) + (termsOf(vault).rewards ?? 0))),
);

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/**
 * The price of a share in its token, in fixed point. It grows by each hour's rate, compounded: a constant rate yields
 * exactly itself in a year.
 */
export const sharePrice = (vault: Vault, nowMs: number): bigint => {
  const logs = logsOfDay(vault);
  const passed = Math.max(0, nowMs - BEGINNING_MS);
  const hours = hourAt(nowMs);
  const [days, hour] = [Math.floor(hours / HOURS_A_DAY), hours % HOURS_A_DAY];
  const whole = (sum(logs) * BigInt(days) + sum(logs.slice(0, hour))) * BigInt(HOUR_MS);
  const rest = (logs[hour] ?? 0n) * BigInt(passed - hours * HOUR_MS);
  return (exponential((whole + rest) / YEAR_MS) * PRICE_ONE) / ONE;
};

/** Shares are finer than their token, so that a deposit is worth exactly itself: rounded up here, down there. */
const sharesPerUnit = ({ shareDecimals, token }: Vault): bigint => 10n ** BigInt(shareDecimals - token.decimals);

/** The shares, in their smallest units, that some units of the token are worth at a price. */
export const sharesFor = (vault: Vault, units: bigint, price: bigint): bigint =>
  (units * sharesPerUnit(vault) * PRICE_ONE + price - 1n) / price;

/** The value of shares in smallest units of the token. */
export const unitsOf = (vault: Vault, shares: bigint, price: bigint): bigint =>
  (shares * price) / (sharesPerUnit(vault) * PRICE_ONE);
