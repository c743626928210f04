import { isAccessible } from '../../../core/accessible.ts';
import { compareDecimals, isDecimal } from '../../../core/decimal.ts';
import { digitsOf, isJsonObject } from '../../../core/json.ts';
import { bar } from '../../../output/bar.ts';
import type { Cli } from '../../cli.ts';

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);

/** What a strategy yields in percent a year, rewards included where its provider tells of them. */
const rateOf = (strategy: unknown): string => {
  const digits = ['total_with_rewards', 'supply'].map((kind) => digitsOf(at(strategy, 'apy', kind, 'percent')));
  return digits.find((one) => one !== undefined && isDecimal(one)) ?? '';
};

const byRate = (a: string, b: string): number => {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  return compareDecimals(b, a);
};

/** The columns of a narrow terminal. */
export const STRATEGY_COLUMNS = ['provider', 'protocol', 'token', 'type', 'apy_percent', 'rate'];

/** Strategies as a person compares them: the best rate first, with a bar of it. Scripts get what the service said. */
export const strategyRows = (cli: Cli, strategies: unknown): unknown => {
  if (!Array.isArray(strategies)) return strategies;
  const rated = strategies
    .map((strategy: unknown) => ({ strategy, rate: rateOf(strategy) }))
    .toSorted((a, b) => byRate(a.rate, b.rate));
  const most = rated[0]?.rate ?? '';
  const hasBars = !isAccessible(cli.io.env);
  return rated.map(({ strategy, rate }) => ({
    provider: at(strategy, 'provider'),
    protocol: at(strategy, 'protocol_display_name'),
    token: at(strategy, 'token', 'symbol'),
    type: at(strategy, 'product_type'),
    apy_percent: at(strategy, 'enabled') === false ? `${rate} (off)` : rate,
    ...(hasBars && { rate: bar(rate, most, cli.talkStyle.unicode) }),
    tvl_usd: at(strategy, 'liquidity', 'tvl_usd'),
    strategy_id: at(strategy, 'strategy_id'),
  }));
};
