import { defineEndpoint } from '../define.ts';
import { EXAMPLE_OPPORTUNITIES, NO_OPPORTUNITIES, opportunityList } from './opportunity.ts';

/** Lists tokens with a better yield elsewhere. Document: GET /yield/rebalance-opportunities. */
export const opportunities = defineEndpoint({
  id: 'yield.opportunities',
  method: 'GET',
  path: '/yield/rebalance-opportunities',
  summary: 'List tokens that would yield more elsewhere',
  effect: 'reads',
  success: { get_rebalance_opportunities_ok: { http: 200, data: opportunityList, example: EXAMPLE_OPPORTUNITIES } },
  errors: { unauthorized: 401, get_rebalance_opportunities_failed: 502 },
  // Like a success, with no opportunities and null sources.
  errorData: { get_rebalance_opportunities_failed: opportunityList },
  errorExample: { get_rebalance_opportunities_failed: NO_OPPORTUNITIES },
  example: {},
});
