import { defineEndpoint } from '../define.ts';
import { EXAMPLE_STRATEGIES, strategyList } from './strategy.ts';

/** Lists all strategies. Document: GET /yield/strategies. */
export const strategies = defineEndpoint({
  id: 'yield.strategies',
  method: 'GET',
  path: '/yield/strategies',
  summary: 'List yield strategies',
  effect: 'reads',
  success: { get_yield_strategies_ok: { http: 200, data: strategyList, example: EXAMPLE_STRATEGIES } },
  errors: { unauthorized: 401 },
  example: {},
});
