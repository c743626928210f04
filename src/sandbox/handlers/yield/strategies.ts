import { strategies as endpoint } from '../../../contract/yield/strategies.ts';
import { handle, succeed } from '../handler.ts';

/** GET /yield/strategies. */
export const strategies = handle(endpoint, async ({ services }) => {
  const { listStrategies } = await import('../../yield/strategies.ts');
  return succeed('get_yield_strategies_ok', 'Strategies of all providers.', await listStrategies(services));
});
