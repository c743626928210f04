import { compareDecimals, isDecimal } from '../../../core/decimal.ts';
import { digitsOf, valueAt } from '../../../core/json.ts';
import { isAccessible } from '../../../core/screen.ts';
import { bar } from '../../../output/table.ts';
import type { CommandContext } from '../../context/context.ts';
import type { PipeRows, TerminalList } from '../../print/print-result.ts';

/** The yield of a strategy in percent a year, including rewards that its provider reports. */
const rateOf = (strategy: unknown): string => {
  const digits = ['total_with_rewards', 'supply'].map((kind) => digitsOf(valueAt(strategy, 'apy', kind, 'percent')));
  return digits.find((one) => one !== undefined && isDecimal(one)) ?? '';
};

const byRate = (a: string, b: string): number => {
  if (a === '' || b === '') return Number(a === '') - Number(b === '');
  return compareDecimals(b, a);
};

/** Sorts strategies, the best rate first. */
export const byBestRate = (strategies: unknown): unknown =>
  Array.isArray(strategies)
    ? strategies.toSorted((a: unknown, b: unknown) => byRate(rateOf(a), rateOf(b)))
    : strategies;

/** The row of a strategy: its identity and its rate. */
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

/** The columns of strategies in a pipe. */
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

/** Strategies as rows of a pipe, without texts for a terminal. */
export const pipedStrategies = (strategies: unknown): PipeRows => ({
  rows: Array.isArray(strategies) ? strategies.map(rowOf) : strategies,
  columns: PIPED_COLUMNS,
});

/** The columns on a terminal, the most important first. Their order is that of a row. */
const COLUMNS = ['provider', 'token', 'apy_percent', 'rate', 'protocol', 'type', 'tvl_usd'];

/** Strategies as a table of a terminal, with a bar of the rate. */
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
