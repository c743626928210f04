import { memoize } from '../../core/once.ts';
import type { Provider, Vault } from '../solana/tokens.ts';

/** The terms of a provider for a token. Rates are hundredths of a percent a year. */
type Terms = {
  /** The yield of a deposit without rewards, in the middle of its daily range. */
  readonly supply: number;
  /** The maximum change of `supply` up or down in a day: a multiple of 6. */
  readonly swing: number;
  /** The additional rewards; `undefined` if the provider has none. */
  readonly rewards?: number;
  /** The rate of borrowing minus the yield of a deposit; `undefined` if the provider does not lend. */
  readonly spread?: number;
  /** The maximum loan, in percent of the collateral's value. */
  readonly maxLtv?: number;
  /** The utilization: the lent part of the supply, in percent. */
  readonly lent?: number;
};

/** A token's price in USD, the length of its price report, and the terms of each provider. */
type Market = {
  readonly usd: string;
  /** The bytes of a market's price report in a transaction; 0 without a report. */
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
 * The market of each token. Assumption: all values. The better provider changes during a day. Tokens that are not dollars
 * need price reports in each transaction, so rebalances of all sizes occur. USDC and USDT fit into one transaction, EURC
 * needs two, and XAUT does not fit into two.
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

/** The time when the price of each share is 1: 2026-01-01, in milliseconds since 1970. Assumption. */
const PRICE_START_MS = 1_767_225_600_000;

/** The number 1 in the fixed point of the computations. */
const ONE = 10n ** 30n;
/** The number 1 in the fixed point of a share's price. */
export const PRICE_ONE = 10n ** 18n;

/** The days of the providers start at different hours, so the better provider changes. */
const FIRST_HOUR: Readonly<Record<Provider, number>> = { provider_a: 0, provider_b: 9 };

/** A provider and a token: a vault without its accounts. */
export type Offer = Pick<Vault, 'provider'> & { readonly token: Pick<Vault['token'], 'symbol'> };

/** The terms of an offer. Throws an error for a token without a market. */
export const termsOf = (vault: Offer): Terms => {
  const market = MARKETS[vault.token.symbol];
  if (!market) throw new Error(`no market for ${vault.token.symbol}`);
  return market.terms[vault.provider];
};

/** The position in the daily wave, from -6 to 6. */
const waveAt = (hour: number): number => Math.abs((hour % HOURS_A_DAY) - 12) - 6;

const supplyIn = (vault: Offer, hour: number): number => {
  const { supply, swing } = termsOf(vault);
  return supply + (swing / 6) * waveAt(hour + FIRST_HOUR[vault.provider]);
};

const hourAt = (nowMs: number): number => Math.floor(Math.max(0, nowMs - PRICE_START_MS) / HOUR_MS);

/** The yield of a deposit without rewards, in hundredths of a percent a year. It changes every hour. */
export const supplyRate = (vault: Offer, nowMs: number): number => supplyIn(vault, hourAt(nowMs));

/** The yield of a deposit with rewards, in hundredths of a percent a year: the growth of the share's price. */
export const wholeRate = (vault: Offer, nowMs: number): number =>
  supplyRate(vault, nowMs) + (termsOf(vault).rewards ?? 0);

/** ln(1 + rate) in fixed point, as a power series. */
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

/** For each hour of the day, the logarithm of a year's growth at that hour's rate. It is the same every day. */
const logsOfDay = memoize((vault: Vault): readonly bigint[] =>
  Array.from({ length: HOURS_A_DAY }, (_, hour) => logOfRate(supplyIn(vault, hour) + (termsOf(vault).rewards ?? 0))),
);

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/**
 * The price of a share in its token, in the fixed point of `PRICE_ONE`. It grows with each hour's rate, compounded. So a
 * constant rate of 5 % yields exactly 5 % in a year.
 */
export const sharePrice = (vault: Vault, nowMs: number): bigint => {
  const logs = logsOfDay(vault);
  const elapsed = Math.max(0, nowMs - PRICE_START_MS);
  const hours = hourAt(nowMs);
  const [days, hour] = [Math.floor(hours / HOURS_A_DAY), hours % HOURS_A_DAY];
  const whole = (sum(logs) * BigInt(days) + sum(logs.slice(0, hour))) * BigInt(HOUR_MS);
  const rest = (logs[hour] ?? 0n) * BigInt(elapsed - hours * HOUR_MS);
  return (exponential((whole + rest) / YEAR_MS) * PRICE_ONE) / ONE;
};

/** The smallest units of a share for each smallest unit of its token. Rounding then does not change a deposit's value. */
const sharesPerUnit = ({ shareDecimals, token }: Vault): bigint => 10n ** BigInt(shareDecimals - token.decimals);

/** The shares for an amount at a price, rounded up. Both are in smallest units. */
export const sharesFor = (vault: Vault, units: bigint, price: bigint): bigint =>
  (units * sharesPerUnit(vault) * PRICE_ONE + price - 1n) / price;

/** The value of shares at a price, rounded down. Both are in smallest units. */
export const unitsOf = (vault: Vault, shares: bigint, price: bigint): bigint =>
  (shares * price) / (sharesPerUnit(vault) * PRICE_ONE);
