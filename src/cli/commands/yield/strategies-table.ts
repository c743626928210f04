import { compareDecimals, isDecimal } from '../../../core/decimal.ts';
import { isAccessible } from '../../../core/environment.ts';
import { digitsOf, valueAt } from '../../../core/json.ts';
import { bar } from '../../../output/table.ts';
import type { CommandContext } from '../../context/context.ts';
import type { PipeRows, TerminalList } from '../../print/print-result.ts';

/** What a strategy yields in percent a year, rewards included where its provider tells of them. */
const rateOf = (strategy: unknown): string => {
  const digits = ['total_with_rewards', 'supply'].map((kind) => digitsOf(valueAt(strategy, 'apy', kind, 'percent')));
  return digits.find((one) => one !== undefined && isDecimal(one)) ?? '';
};

const byRate = (a: string, b: string): number => {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  return compareDecimals(b, a);
};

/** The best rate first. */
export const byBestRate = (strategies: unknown): unknown =>
  Array.isArray(strategies)
    ? strategies.toSorted((a: unknown, b: unknown) => byRate(rateOf(a), rateOf(b)))
    : strategies;

/** What tells a strategy from the others, and what it yields. */
const rowOf = (strategy: unknown) => ({
  provider: valueAt(strategy, 'provider'),
  protocol: valueAt(strategy, 'protocol_display_name'),
  token: valueAt(strategy, 'token', 'symbol'),
  type: valueAt(strategy, 'product_type'),
  apy_percent: rateOf(strategy),
  enabled: valueAt(strategy, 'enabled'),
  tvl_usd: valueAt(strategy, 'liquidity', 'tvl_usd'),
  strategy_id: valueAt(strategy, 'strategy_id'),
});

/** The columns of a pipe. */
export const PIPED_COLUMNS = [
  'provider',
  'protocol',
  'token',
  'type',
  'apy_percent',
  'enabled',
  'tvl_usd',
  'strategy_id',
];

/** The same as columns without words for a person, where stdout is no terminal. */
export const pipedStrategies = (strategies: unknown): PipeRows => ({
  rows: Array.isArray(strategies) ? strategies.map(rowOf) : strategies,
  columns: PIPED_COLUMNS,
});

/** The most important first; they stand in the order of a row. */
const COLUMNS = ['provider', 'token', 'apy_percent', 'rate', 'protocol', 'type', 'tvl_usd'];

/** Strategies as a person compares them, with a bar of the rate. */
export const strategyTable = (cli: CommandContext, strategies: unknown): TerminalList => {
  if (!Array.isArray(strategies)) return { rows: strategies, brief: COLUMNS };
  const most = rateOf(strategies[0]);
  const hasBars = !isAccessible(cli.io.env);
  const rows = strategies.map((strategy: unknown) => {
    const { enabled, apy_percent: rate, tvl_usd, strategy_id, ...row } = rowOf(strategy);
    const shown = { ...row, apy_percent: enabled === false ? `${rate} (off)` : rate };
    return { ...shown, ...(hasBars && { rate: bar(rate, most, cli.talkStyle.unicode) }), tvl_usd, strategy_id };
  });
  return { rows, brief: COLUMNS };
};
