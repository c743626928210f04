import { rebalance as endpoint } from '../../../contract/yield/rebalance.ts';
import { fail, handle, succeed } from '../handler.ts';

/** PATCH /yield/rebalance. */
export const rebalance = handle(endpoint, async ({ services }, input) => {
  const { buildRebalance } = await import('../../yield/rebalance.ts');
  const built = await buildRebalance(services, input);
  if (!built.ok) return fail('invalid_parameters', 'The rebalance cannot be built.', built.errors);
  if (!built.value) return fail('rebalance_transaction_too_large', 'The rebalance does not even fit two transactions.');
  return succeed('rebalance_yield_strategy_ok', 'Sign what is there and broadcast it.', built.value);
});
