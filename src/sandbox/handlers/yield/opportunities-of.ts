import { opportunitiesOf as endpoint } from '../../../contract/yield/opportunities-of.ts';
import { fail, handle, succeed } from '../handler.ts';

/** GET /yield/rebalance-opportunities/{asset_symbol}: a token that no provider has gives an empty list. */
export const opportunitiesOf = handle(endpoint, async ({ services }, { asset_symbol }) => {
  const { listOpportunities, NO_OPPORTUNITIES } = await import('../../yield/opportunities.ts');
  const found = await listOpportunities(services, asset_symbol);
  return found
    ? succeed('get_rebalance_opportunity_by_symbol_ok', `Where ${asset_symbol} would yield more.`, found)
    : fail('get_rebalance_opportunities_failed', 'No provider answers.', undefined, NO_OPPORTUNITIES);
});
