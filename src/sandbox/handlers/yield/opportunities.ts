import { opportunities as endpoint } from '../../../contract/yield/opportunities.ts';
import { fail, handle, succeed } from '../handler.ts';

/** GET /yield/rebalance-opportunities. */
export const opportunities = handle(endpoint, async ({ services }) => {
  const { listOpportunities, NO_OPPORTUNITIES } = await import('../../yield/opportunities.ts');
  const found = await listOpportunities(services);
  return found
    ? succeed('get_rebalance_opportunities_ok', 'Tokens that would yield more elsewhere.', found)
    : fail('get_rebalance_opportunities_failed', 'No provider answers.', undefined, NO_OPPORTUNITIES);
});
