import { strategiesOf as endpoint } from '../../../contract/yield/strategies-of.ts';
import { handle, succeed } from '../handler.ts';

/** GET /yield/strategies/{asset_symbol}: a token that no provider has gives an empty list. */
export const strategiesOf = handle(endpoint, async ({ services }, { asset_symbol }) => {
  const { listStrategies } = await import('../../yield/strategies.ts');
  const found = await listStrategies(services, asset_symbol);
  return succeed('get_yield_strategies_ok', `Strategies of ${asset_symbol}.`, found);
});
