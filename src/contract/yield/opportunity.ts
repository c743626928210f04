import { anyText, list, number, open, text } from '../fields.ts';
import { EXAMPLE_MINT, sources, tokenFields } from './shared.ts';

const route = (description: string) =>
  open(
    {
      provider: text('Provider of the strategy'),
      protocol_display_name: anyText('Name of the protocol'),
      strategy_id: text('Id of the strategy'),
      apy_percent: number('Yield in percent a year'),
    },
    description,
  );

/** Document: Rebalance opportunity. */
const opportunity = open(
  {
    token: open(tokenFields, 'Token that would earn more elsewhere'),
    route_winner: anyText('The winning route in words'),
    winner: route('The strategy with the highest yield'),
    alternatives: list(route('Another strategy'), 'The others'),
    apy_spread_percent: number('How much more the winner yields, in percent'),
  },
  'One opportunity',
  'Opportunity',
);

/** The answer to both lists of opportunities, and what their failure carries as `data`. */
export const opportunityList = open(
  { opportunities: list(opportunity, 'Tokens that would earn more elsewhere'), sources: sources.nullable() },
  'Opportunities',
  'OpportunityList',
);

/** What the failure carries: no opportunities, and no sources. */
export const NO_OPPORTUNITIES = { opportunities: [], sources: null };

/** USDC that would earn more with provider_b, for examples. */
export const EXAMPLE_OPPORTUNITIES = {
  opportunities: [
    {
      token: { symbol: 'USDC', mint: EXAMPLE_MINT },
      route_winner: 'provider_b',
      winner: {
        provider: 'provider_b',
        protocol_display_name: 'Provider B',
        strategy_id: `provider_b:${EXAMPLE_MINT}:7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF`,
        apy_percent: 4.21,
      },
      alternatives: [
        {
          provider: 'provider_a',
          protocol_display_name: 'Provider A',
          strategy_id: `provider_a:${EXAMPLE_MINT}:9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D`,
          apy_percent: 3.06,
        },
      ],
      apy_spread_percent: 1.15,
    },
  ],
  sources: null,
};
