import { deposit as endpoint } from '../../../contract/yield/deposit.ts';
import { fail, handle, succeed } from '../handler.ts';

/** POST /yield/deposit. */
export const deposit = handle(endpoint, async ({ services }, input) => {
  const { buildDeposit } = await import('../../yield/deposit.ts');
  const built = await buildDeposit(services, input);
  return built.ok
    ? succeed('deposit_yield_strategy_ok', 'Sign the transaction and broadcast it.', built.value)
    : fail('invalid_parameters', 'The deposit cannot be built.', built.errors);
});
