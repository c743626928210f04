import { defineEndpoint } from '../define.ts';
import { assetSymbol } from './shared.ts';
import { EXAMPLE_STRATEGIES, strategyList } from './strategy.ts';

/** Lists the strategies of one token. Document: GET /yield/strategies/{asset_symbol}. */
export const strategiesOf = defineEndpoint({
  id: 'yield.strategies-of',
  method: 'GET',
  path: '/yield/strategies/{asset_symbol}',
  summary: 'List yield strategies of one token',
  effect: 'reads',
  params: assetSymbol,
  invalid: 'invalid_parameters',
  success: { get_yield_strategies_ok: { http: 200, data: strategyList, example: EXAMPLE_STRATEGIES } },
  errors: { unauthorized: 401, invalid_parameters: 400 },
  example: { asset_symbol: 'USDC' },
});
