import { defineEndpoint } from '../define.ts';
import { base64Answer, decimal, open } from '../fields.ts';
import { EXAMPLE_REQUEST, EXAMPLE_TRANSACTION, yieldFields } from './shared.ts';

const built = open({ transaction: base64Answer('Unsigned Solana transaction as base64') }, 'The unsigned withdrawal');

/** Builds an unsigned withdrawal. No money moves before it is signed and broadcast. Document: POST /yield/withdraw. */
export const withdraw = defineEndpoint({
  id: 'yield.withdraw',
  method: 'POST',
  path: '/yield/withdraw',
  summary: 'Build an unsigned withdrawal',
  effect: 'writes',
  body: { ...yieldFields, amount: decimal('Amount to withdraw') },
  invalid: 'invalid_parameters',
  success: { withdraw_yield_strategy_ok: { http: 200, data: built, example: { transaction: EXAMPLE_TRANSACTION } } },
  errors: { unauthorized: 401, invalid_parameters: 400 },
  example: { ...EXAMPLE_REQUEST, amount: '12.5' },
});
