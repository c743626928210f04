import { withdraw as endpoint } from '../../../contract/yield/withdraw.ts';
import { fail, handle, succeed } from '../handler.ts';

/** POST /yield/withdraw. */
export const withdraw = handle(endpoint, async ({ services }, input) => {
  const { buildWithdrawal } = await import('../../yield/withdraw.ts');
  const built = await buildWithdrawal(services, input);
  return built.ok
    ? succeed('withdraw_yield_strategy_ok', 'Sign the transaction and broadcast it.', built.value)
    : fail('invalid_parameters', 'The withdrawal cannot be built.', built.errors);
});
