import type { Endpoint } from '../../../contract/define.ts';
import { opportunities as allOpportunities } from '../../../contract/yield/opportunities.ts';
import { opportunitiesOf } from '../../../contract/yield/opportunities-of.ts';
import { strategies as allStrategies } from '../../../contract/yield/strategies.ts';
import { strategiesOf } from '../../../contract/yield/strategies-of.ts';
import { silentSources } from '../../../flows/yield/silent-sources.ts';
import type { Command } from '../../command/command.ts';
import { derive, type EndpointCommandOptions } from '../../command/derive.ts';
import { type Argument, stringArg } from '../../command/options.ts';
import { fetchCached, REFRESH_OPTION } from './cached.ts';
import { opportunityTable } from './opportunities-table.ts';
import { saySilent } from './say-silent.ts';
import { byBestRate, PIPED_COLUMNS, pipedStrategies, strategyTable } from './strategies-table.ts';

const SYMBOL: Argument = {
  name: 'ASSET_SYMBOL',
  description: 'Only this token, such as USDC',
  isOptional: true,
  completes: 'assets',
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
