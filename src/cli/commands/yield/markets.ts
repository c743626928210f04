import type { Input } from '../../../client/call.ts';
import type { Endpoint } from '../../../contract/define.ts';
import { opportunities as allOpportunities, opportunitiesOf } from '../../../contract/yield/opportunities.ts';
import { strategies as allStrategies, strategiesOf } from '../../../contract/yield/strategies.ts';
import { listAt, textAt } from '../../../core/json.ts';
import { rankStrategies } from '../../../flows/yield/best.ts';
import { readStrategies, silentSources } from '../../../flows/yield/strategies.ts';
import { withOwnNames } from '../../command/build-input.ts';
import type { Command } from '../../command/command.ts';
import { derive, type EndpointCommandOptions } from '../../command/derive.ts';
import { type Argument, boolArg, type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import type { TerminalList } from '../../print/print-result.ts';
import { printMissingProviders } from './show.ts';
import { byBestRate, PIPED_COLUMNS, pipedStrategies, strategyTable } from './strategies-table.ts';

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
  if (age > 0) await cli.say(`these strategies are ${ageInWords(age)} old; --refresh asks for new ones`);
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

/** One command for two endpoints: that of all tokens, and that of a single token if a symbol is given. */
const allOrOne = (all: Command, one: Command): Command => ({
  ...all,
  arguments: [SYMBOL],
  calls: [...(all.calls ?? []), ...(one.calls ?? [])],
  envelopeOf: [...(all.envelopeOf ?? []), ...(one.envelopeOf ?? [])],
  examples: [...all.examples, ...one.examples],
  run: (cli, given) => (stringArg(given, 'asset_symbol') === undefined ? all : one).run(cli, given),
});

/** Prints below a list which providers are missing. */
const printMissing: EndpointCommandOptions['after'] = (cli, _, { data }) =>
  printMissingProviders(cli.say, silentSources(data));

const strategyCommand = (endpoint: Endpoint, examples: readonly string[], more = {}): Command =>
  derive(endpoint, {
    options: [REFRESH_OPTION],
    fetch: fetchCached(endpoint),
    rows: 'strategies',
    sorted: byBestRate,
    listed: strategyTable,
    piped: pipedStrategies,
    after: printMissing,
    examples,
    ...more,
  });

const ONE_TOKEN = { arguments: { asset_symbol: SYMBOL } } as const;

/** `yield strategies`. */
export const strategies: Command = {
  ...allOrOne(
    strategyCommand(allStrategies, ['yield strategies --json']),
    strategyCommand(strategiesOf, ['yield strategies USDC'], ONE_TOKEN),
  ),
  about: [
    'The best rate first, including rewards that a provider reports.',
    `In a pipe a line is ${PIPED_COLUMNS.join(', ')}; --json has all as it was received.`,
  ],
};

/** The columns of opportunities in a pipe. */
const OPPORTUNITY = [
  'token.symbol',
  'route_winner',
  'winner.protocol_display_name',
  'winner.apy_percent',
  'winner.provider',
  'apy_spread_percent',
];

const opportunityCommand = (endpoint: Endpoint, examples: readonly string[], more = {}): Command =>
  derive(endpoint, {
    rows: 'opportunities',
    listed: opportunityTable,
    piped: (rows: unknown) => ({ rows, columns: OPPORTUNITY }),
    after: printMissing,
    examples,
    ...more,
  });

/** `yield opportunities`. */
export const opportunities: Command = {
  ...allOrOne(
    opportunityCommand(allOpportunities, ['yield opportunities --json']),
    opportunityCommand(opportunitiesOf, ['yield opportunities USDC'], ONE_TOKEN),
  ),
  about: [`In a pipe a line is ${OPPORTUNITY.join(', ')}; --json has all as it was received.`],
};

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
    await printMissingProviders(cli.say, silent);
    const [winner, ...alternatives] = ranked;
    const answer = { asset, ...winner, alternatives, ...(silent.length > 0 && { not_answered: silent }) };
    const shown = await withOwnNames(cli, answer);
    const summary = async () => (await import('../../summaries/yield-summary.ts')).bestSummary(shown);
    await cli.printResult(answer, shown, { summary });
  },
};
