import { defineEndpoint } from '../define.ts';
import { base64Answer, decimal, flag, number, open } from '../fields.ts';
import { EXAMPLE_REQUEST, EXAMPLE_TRANSACTION, yieldFields } from './shared.ts';

// The fees exist when they are configured. not shown: their values otherwise.
const built = open(
  {
    transaction: base64Answer('Unsigned Solana transaction as base64'),
    charged_platform_fee_amount: number('Fee of the platform').nullish(),
    charged_whitelabel_fee_amount: number('Fee of the account').nullish(),
    platform_fee_percentage_applied: number('Percentage that the platform took').nullish(),
    used_yield_platform_custom_fee: flag('Whether that percentage is a special one').nullish(),
  },
  'The unsigned deposit',
  'UnsignedDeposit',
);

/** Builds an unsigned deposit. No money moves before it is signed and broadcast. Document: POST /yield/deposit. */
export const deposit = defineEndpoint({
  id: 'yield.deposit',
  method: 'POST',
  path: '/yield/deposit',
  summary: 'Build an unsigned deposit',
  effect: 'writes',
  body: { ...yieldFields, amount: decimal('Amount to deposit') },
  invalid: 'invalid_parameters',
  success: {
    deposit_yield_strategy_ok: {
      http: 200,
      data: built,
      example: {
        transaction: EXAMPLE_TRANSACTION,
        charged_platform_fee_amount: 0.025,
        charged_whitelabel_fee_amount: 0,
        platform_fee_percentage_applied: 0.1,
        used_yield_platform_custom_fee: false,
      },
    },
  },
  errors: { unauthorized: 401, invalid_parameters: 400 },
  example: { ...EXAMPLE_REQUEST, amount: '25' },
});
