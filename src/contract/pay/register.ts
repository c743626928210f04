import { defineEndpoint } from '../define.ts';
import { decimal, flag, oneOf, open, text, webAddress } from '../fields.ts';
import { EXAMPLE_PAYMENT_ID, EXECUTORS, GATEWAY_METHODS, paymentMethods, paymentRules, splitConfig } from './shared.ts';

/** Registers a payment intent. Document: POST /payment/register/intents-create-order. */
export const register = defineEndpoint({
  id: 'pay.register',
  method: 'POST',
  path: '/payment/register/intents-create-order',
  summary: 'Register a payment',
  effect: 'writes',
  body: {
    executor_id: oneOf(EXECUTORS, 'Who executes the payment: the API, or a checkout of an order'),
    order_code: text('Order that the payment belongs to; makes it a checkout').optional(),
    tenant_data: open(
      {
        public_client_id: text('Public client id: a prefix, an underscore and 32 hex digits').regex(
          /^[^_\s]\S*_[0-9a-fA-F]{32}$/,
          'must be a prefix, an underscore and 32 hex digits',
        ),
        webhook_url: webAddress('Where the service posts changes of the payment'),
      },
      'The tenant that receives the payment',
    ),
    payment_method_allowed: paymentMethods,
    split_payment_config: splitConfig,
    gateway_method: oneOf(GATEWAY_METHODS, 'One-time payment or recurring subscription'),
    from_currency_symbol: text('Currency that the amount is in'),
    amount_from: decimal('Amount in the source currency'),
    to_currency_symbol: text('Currency that the receivers get'),
    to_chain: text('Chain on which the receivers get it'),
    on_ramp: flag('On-ramp instead of off-ramp; incoming payments are never on-ramp'),
  },
  rules: paymentRules,
  invalid: 'validation_error',
  success: {
    payment_registered: {
      http: 201,
      data: open({ payment_id: text('Id of the payment') }, 'The payment'),
      example: { payment_id: EXAMPLE_PAYMENT_ID },
    },
  },
  errors: { unauthorized: 401, validation_error: 400 },
  example: {
    executor_id: 'api_transaction',
    tenant_data: {
      public_client_id: 'client_0123456789abcdef0123456789abcdef',
      webhook_url: 'https://shop.example/webhook',
    },
    payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
    split_payment_config: [
      { receiver_wallet: '0x1111111111111111111111111111111111111111', receiver_percent: 70 },
      { receiver_wallet: '0x2222222222222222222222222222222222222222', receiver_percent: 30 },
    ],
    gateway_method: 'direct',
    from_currency_symbol: 'USDT',
    amount_from: '10',
    to_currency_symbol: 'USDT',
    to_chain: 'polygon',
    on_ramp: false,
  },
});
