import { defineEndpoint } from '../define.ts';
import { open, text } from '../fields.ts';
import { paymentRules, splitConfig } from '../pay/shared.ts';
import { EXAMPLE_ORDER_ID, optionalFields, requiredFields } from './shared.ts';

/** Stores an order. Other fields pass. Document: POST /order/create. */
export const create = defineEndpoint({
  id: 'order.create',
  method: 'POST',
  path: '/order/create',
  summary: 'Create an order',
  effect: 'writes',
  body: {
    ...requiredFields,
    ...optionalFields,
    // not shown: the name of the split array. Assumption: the name and the rule of a payment's split.
    split_payment_config: splitConfig.optional(),
  },
  rules: paymentRules,
  invalid: 'invalid_parameters',
  success: {
    order_created: {
      http: 200,
      data: open({ order_id: text('Id of the order') }, 'The order'),
      example: { order_id: EXAMPLE_ORDER_ID },
    },
  },
  errors: { unauthorized: 401, customer_not_logged: 401, invalid_parameters: 400, order_limit_reached: 429 },
  example: {
    executor_id: 'order_transaction',
    from_currency_symbol: 'BRL',
    amount_from: '49.90',
    to_currency_symbol: 'USDT',
    on_ramp: false,
    gateway_method: 'direct',
    payment_method_allowed: { pixcrypto: true, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
    split_payment_config: [
      { receiver_wallet: '0x1111111111111111111111111111111111111111', receiver_percent: 97.5 },
      { receiver_wallet: '0x2222222222222222222222222222222222222222', receiver_percent: 2.5 },
    ],
  },
});
