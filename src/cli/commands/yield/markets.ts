import type { Input } from '../../../client/call.ts';
import type { Endpoint } from '../../../contract/define.ts';
import { opportunities as allOpportunities } from '../../../contract/yield/opportunities.ts';
import { opportunitiesOf } from '../../../contract/yield/opportunities-of.ts';
import { strategies as allStrategies } from '../../../contract/yield/strategies.ts';
import { strategiesOf } from '../../../contract/yield/strategies-of.ts';
import { listAt, textAt } from '../../../core/json.ts';
import { silentSources } from '../../../flows/yield/silent-sources.ts';
import { readStrategies } from '../../../flows/yield/strategies.ts';
import type { Command } from '../../command/command.ts';
import { derive, type EndpointCommandOptions } from '../../command/derive.ts';
import { type Argument, boolArg, type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import type { TerminalList } from '../../print/print-result.ts';
import { saySilent } from './say-silent.ts';
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

/** Fetches strategies from the cache where it may; stderr then says how old they are. */
const fetchCached = (endpoint: Endpoint) => async (cli: CommandContext, given: ParsedArgs, input: Input) => {
  const { envelope, age } = await readStrategies(await cli.client(), endpoint, input, {
    // An envelope is the answer to a call, and what was kept is none of now.
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

/** Where each token would yield more, as a person reads it. Scripts get what the service said. */
const opportunityTable = (_: CommandContext, opportunities: unknown): TerminalList => ({
  rows: Array.isArray(opportunities) ? opportunities.map(rowOf) : opportunities,
  brief: COLUMNS,
});

const SYMBOL: Argument = {
  name: 'ASSET_SYMBOL',
  description: 'Only this token, such as USDC',
  isOptional: true,
  completes: 'assets',
  // The description has it.
  example: undefined,
};

/** The service has one endpoint for all tokens and one for a single token: one command with an optional symbol. */
const allOrOne = (all: Command, one: Command): Command => ({
  ...all,
  arguments: [SYMBOL],
  calls: [...(all.calls ?? []), ...(one.calls ?? [])],
  envelopeOf: [...(all.envelopeOf ?? []), ...(one.envelopeOf ?? [])],
  examples: [...all.examples, ...one.examples],
  run: (cli, given) => (stringArg(given, 'asset_symbol') === undefined ? all : one).run(cli, given),
});

/** Below a list: of whom it is without. */
const sayMissing: EndpointCommandOptions['after'] = (cli, _, { data }) => saySilent(cli.say, silentSources(data));

const strategyLeaf = (endpoint: Endpoint, examples: readonly string[], more = {}): Command =>
  derive(endpoint, {
    options: [REFRESH_OPTION],
    fetch: fetchCached(endpoint),
    rows: 'strategies',
    sorted: byBestRate,
    listed: strategyTable,
    piped: pipedStrategies,
    after: sayMissing,
    examples,
    ...more,
  });

const ONE_TOKEN = { arguments: { asset_symbol: SYMBOL } } as const;

/** `yield strategies`. */
export const strategies: Command = {
  ...allOrOne(
    strategyLeaf(allStrategies, ['yield strategies --json']),
    strategyLeaf(strategiesOf, ['yield strategies USDC'], ONE_TOKEN),
  ),
  about: [
    'The best rate first, rewards included where they are told.',
    `In a pipe a line is ${PIPED_COLUMNS.join(', ')}; --json has all as it was received.`,
  ],
};

/** The columns of a pipe. */
const OPPORTUNITY = [
  'token.symbol',
  'route_winner',
  'winner.protocol_display_name',
  'winner.apy_percent',
  'winner.provider',
  'apy_spread_percent',
];

const opportunityLeaf = (endpoint: Endpoint, examples: readonly string[], more = {}): Command =>
  derive(endpoint, {
    rows: 'opportunities',
    listed: opportunityTable,
    piped: (rows: unknown) => ({ rows, columns: OPPORTUNITY }),
    after: sayMissing,
    examples,
    ...more,
  });

/** `yield opportunities`. */
export const opportunities: Command = {
  ...allOrOne(
    opportunityLeaf(allOpportunities, ['yield opportunities --json']),
    opportunityLeaf(opportunitiesOf, ['yield opportunities USDC'], ONE_TOKEN),
  ),
  about: [`In a pipe a line is ${OPPORTUNITY.join(', ')}; --json has all as it was received.`],
};
