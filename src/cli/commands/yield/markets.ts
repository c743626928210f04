import type { Input } from '../../../client/call.ts';
import type { Endpoint } from '../../../contract/define.ts';
import { opportunities as allOpportunities, opportunitiesOf } from '../../../contract/yield/opportunities.ts';
import { strategies as allStrategies, strategiesOf } from '../../../contract/yield/strategies.ts';
import { compareDecimals, isDecimal } from '../../../core/decimal.ts';
import { digitsOf, listAt, textAt, valueAt } from '../../../core/json.ts';
import { isAccessible } from '../../../core/screen.ts';
import { rankStrategies } from '../../../flows/yield/best.ts';
import { readStrategies, silentSources } from '../../../flows/yield/strategies.ts';
import { bar } from '../../../output/table.ts';
import { withOwnNames } from '../../command/build-input.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { derive, type EndpointCommandOptions } from '../../command/derive.ts';
import { type Argument, boolArg, type Option, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import type { PipeRows, TerminalList } from '../../print/print-result.ts';
import { printMissingProviders } from './context.ts';

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
const byBestRate = (strategies: unknown): unknown =>
  Array.isArray(strategies)
    ? strategies.toSorted((a: unknown, b: unknown) => byRate(rateOf(a), rateOf(b)))
    : strategies;

/** The row of a strategy: its identity and its rate. */
const strategyRow = (strategy: unknown) => ({
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
const PIPED_COLUMNS = ['provider', 'protocol', 'token', 'type', 'apy_percent', 'enabled', 'tvl_usd', 'strategy_id'];

/** Strategies as rows of a pipe, without texts for a terminal. */
const pipedStrategies = (strategies: unknown): PipeRows => ({
  rows: Array.isArray(strategies) ? strategies.map(strategyRow) : strategies,
  columns: PIPED_COLUMNS,
});

/** The columns on a terminal, the most important first. Their order is that of a row. */
const STRATEGY_COLUMNS = ['provider', 'token', 'apy_percent', 'rate', 'protocol', 'type', 'tvl_usd'];

/** Strategies as a table of a terminal, with a bar of the rate. */
const strategyTable = (cli: CommandContext, strategies: unknown): TerminalList => {
  if (!Array.isArray(strategies)) return { rows: strategies, brief: STRATEGY_COLUMNS };
  const most = rateOf(strategies[0]);
  const hasBars = !isAccessible(cli.io.env);
  const rows = strategies.map((strategy: unknown) => {
    const { enabled, apy_percent: rate, tvl_usd, strategy_id, ...row } = strategyRow(strategy);
    const shown = { ...row, apy_percent: enabled === false ? `${rate} (off)` : rate };
    return { ...shown, ...(hasBars && { rate: bar(rate, most, cli.talkStyle.unicode) }), tvl_usd, strategy_id };
  });
  return { rows, brief: STRATEGY_COLUMNS };
};

const REFRESH_OPTION: Option = {
  flag: '--refresh',
  description: 'Ask the service anew; otherwise what it said in the last 10 hours counts',
};

const MINUTE_MS = 60_000;

const ageInWords = (age: number): string => {
  const minutes = Math.floor(age / MINUTE_MS);
  if (minutes < 1) return 'less than a minute';
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** Reads strategies, from the cache if it is recent. stderr then shows their age. */
const fetchCached = (endpoint: Endpoint) => async (cli: CommandContext, given: ParsedArgs, input: Input) => {
  const { envelope, age } = await readStrategies(await cli.client(), endpoint, input, {
    // --envelope prints the result of a real call, so the cache is not used.
    isFresh: boolArg(given, 'refresh') || cli.globals.envelope,
  });
  if (age > 0) await cli.printNote(`these strategies are ${ageInWords(age)} old; --refresh asks for new ones`);
  return envelope;
};

const COLUMNS = ['token', 'provider', 'apy_percent', 'more_by', 'instead_of', 'protocol'];

const rowOf = (opportunity: unknown) => ({
  token: textAt(opportunity, 'token', 'symbol'),
  provider: textAt(opportunity, 'winner', 'provider'),
  apy_percent: textAt(opportunity, 'winner', 'apy_percent'),
  more_by: textAt(opportunity, 'apy_spread_percent'),
  instead_of: listAt(opportunity, 'alternatives').map((one) => textAt(one, 'provider')),
  protocol: textAt(opportunity, 'winner', 'protocol_display_name'),
});

/** Opportunities as a table of a terminal. Scripts get the data of the service. */
const opportunityTable = (_: CommandContext, opportunities: unknown): TerminalList => ({
  rows: Array.isArray(opportunities) ? opportunities.map(rowOf) : opportunities,
  brief: COLUMNS,
});

const SYMBOL: Argument = {
  name: 'ASSET_SYMBOL',
  description: 'Only this token, such as USDC',
  isOptional: true,
  completes: 'assets',
  // The description has the example.
  example: undefined,
};

/** Prints below a list which providers are missing. */
const printMissing: EndpointCommandOptions['after'] = (cli, _, { data }) =>
  printMissingProviders(cli.printNote, silentSources(data));

/** One command for two endpoints: that of all tokens, and that of a single token if a symbol is given. */
const listCommand = (
  rows: 'strategies' | 'opportunities',
  [all, one]: readonly [Endpoint, Endpoint],
  about: readonly string[],
  viewOf: (endpoint: Endpoint) => Pick<EndpointCommandOptions, 'options' | 'fetch' | 'sorted' | 'listed' | 'piped'>,
): Command => {
  const usual = (endpoint: Endpoint) => ({ ...viewOf(endpoint), rows, after: printMissing });
  const ofAll = derive(all, { ...usual(all), about, examples: [`yield ${rows} --json`] });
  const ofOne = derive(one, { ...usual(one), arguments: { asset_symbol: SYMBOL }, examples: [`yield ${rows} USDC`] });
  return {
    ...ofAll,
    arguments: [SYMBOL],
    calls: [all.id, one.id],
    envelopeOf: [all.id, one.id],
    examples: [...ofAll.examples, ...ofOne.examples],
    run: (cli, given) => (stringArg(given, 'asset_symbol') === undefined ? ofAll : ofOne).run(cli, given),
  };
};

const STRATEGIES_ABOUT = [
  'The best rate first, including rewards that a provider reports.',
  `In a pipe a line is ${PIPED_COLUMNS.join(', ')}; --json has all as it was received.`,
];

/** `yield strategies`. */
export const strategies = listCommand('strategies', [allStrategies, strategiesOf], STRATEGIES_ABOUT, (endpoint) => ({
  options: [REFRESH_OPTION],
  fetch: fetchCached(endpoint),
  sorted: byBestRate,
  listed: strategyTable,
  piped: pipedStrategies,
}));

/** The columns of opportunities in a pipe. */
const OPPORTUNITY = [
  'token.symbol',
  'route_winner',
  'winner.protocol_display_name',
  'winner.apy_percent',
  'winner.provider',
  'apy_spread_percent',
];

const OPPORTUNITIES_ABOUT = [`In a pipe a line is ${OPPORTUNITY.join(', ')}; --json has all as it was received.`];

/** `yield opportunities`. */
export const opportunities = listCommand(
  'opportunities',
  [allOpportunities, opportunitiesOf],
  OPPORTUNITIES_ABOUT,
  () => ({ listed: opportunityTable, piped: (rows) => ({ rows, columns: OPPORTUNITY }) }),
);

/** `yield best`. */
export const best: Command = {
  words: ['yield', 'best'],
  summary: 'Name the strategy that yields most for a token now',
  about: [
    'Always reads from the service, never from the cache. Ranked by yield alone, including rewards that a provider reports.',
  ],
  arguments: [{ name: 'ASSET_SYMBOL', description: 'The token, such as USDC', completes: 'assets' }],
  calls: ['yield.strategies-of'],
  fails: ['not_found'],
  examples: ['yield best USDC', 'yield best USDC --fields provider'],
  run: async (cli, given) => {
    const { ASSET_SYMBOL: asset } = required({ ASSET_SYMBOL: stringArg(given, 'asset_symbol') });
    // The result should include the providers of the profile.
    const expected = Object.values((await cli.profile()).providers ?? {});
    const { ranked, silent } = await rankStrategies(await cli.client(), asset, expected);
    await printMissingProviders(cli.printNote, silent);
    const [winner, ...alternatives] = ranked;
    const answer = { asset, ...winner, alternatives, ...(silent.length > 0 && { not_answered: silent }) };
    const shown = await withOwnNames(cli, answer);
    const summary = async () => (await import('../../summaries/yield-summary.ts')).bestSummary(shown);
    await cli.printResult(answer, shown, { summary });
  },
};
