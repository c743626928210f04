import { defineEndpoint } from '../define.ts';
import { anyText, list, number, open, text } from '../fields.ts';
import { assetSymbol, EXAMPLE_MINT, sources, tokenFields } from './shared.ts';

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

/** A token with a better strategy. Document: Rebalance opportunity. */
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

/** The data of both lists of opportunities, and of their error. */
export const opportunityList = open(
  { opportunities: list(opportunity, 'Tokens that would earn more elsewhere'), sources: sources.nullable() },
  'Opportunities',
  'OpportunityList',
);

/** The data of the error: no opportunities and no sources. */
export const NO_OPPORTUNITIES = { opportunities: [], sources: null };

/** An opportunity for USDC with provider_b, for examples. */
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

/** Lists tokens with a better yield elsewhere. Document: GET /yield/rebalance-opportunities. */
export const opportunities = defineEndpoint({
  id: 'yield.opportunities',
  method: 'GET',
  path: '/yield/rebalance-opportunities',
  summary: 'List tokens that would yield more elsewhere',
  effect: 'reads',
  success: { get_rebalance_opportunities_ok: { http: 200, data: opportunityList, example: EXAMPLE_OPPORTUNITIES } },
  errors: { unauthorized: 401, get_rebalance_opportunities_failed: 502 },
  // The error has the data of a success, with no opportunities and null sources.
  errorData: { get_rebalance_opportunities_failed: opportunityList },
  errorExample: { get_rebalance_opportunities_failed: NO_OPPORTUNITIES },
  example: {},
});

/** Shows whether one token would yield more elsewhere. Document: GET /yield/rebalance-opportunities/{asset_symbol}. */
export const opportunitiesOf = defineEndpoint({
  id: 'yield.opportunities-of',
  method: 'GET',
  path: '/yield/rebalance-opportunities/{asset_symbol}',
  summary: 'Show where one token would yield more',
  effect: 'reads',
  params: assetSymbol,
  invalid: 'invalid_parameters',
  success: {
    get_rebalance_opportunity_by_symbol_ok: { http: 200, data: opportunityList, example: EXAMPLE_OPPORTUNITIES },
  },
  errors: { unauthorized: 401, invalid_parameters: 400, get_rebalance_opportunities_failed: 502 },
  errorData: { get_rebalance_opportunities_failed: opportunityList },
  errorExample: { get_rebalance_opportunities_failed: NO_OPPORTUNITIES },
  example: { asset_symbol: 'USDC' },
});
