import { defineEndpoint } from '../define.ts';
import { EXAMPLE_OPPORTUNITIES, NO_OPPORTUNITIES, opportunityList } from './opportunity.ts';
import { assetSymbol } from './shared.ts';

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
