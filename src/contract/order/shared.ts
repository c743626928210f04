import { anyText, decimal, flag, list, oneOf, open, percent, segment, text, undocumented } from '../fields.ts';
import { GATEWAY_METHODS, paymentMethods } from '../pay/shared.ts';

/** An id in the form of the service's ids (CUID), for examples. */
export const EXAMPLE_ORDER_ID = 'cmb1x2y3z0000abcd1234efgh';

/** The path parameter of one order. Document: PATCH /order/{order_id}. */
export const orderId = { order_id: segment('Id of the order') };

/** The required fields of an order. Document: Order template. */
export const requiredFields = {
  executor_id: text('Who executes payments of the order'),
  from_currency_symbol: text('Fiat currency that the amount is in'),
  amount_from: decimal('Amount in the source currency'),
  to_currency_symbol: text('Crypto currency that the receivers get'),
  on_ramp: flag('On-ramp instead of off-ramp; incoming payments are never on-ramp'),
  gateway_method: oneOf(GATEWAY_METHODS, 'One-time payment or recurring subscription'),
};

/** The optional fields of an order, without its split. */
export const optionalFields = {
  payment_method_allowed: paymentMethods.optional(),
  // not shown: the inner fields of its entries.
  order_items: list(undocumented('One item'), 'Items of the order').optional(),
  // not shown: its inner fields.
  subscription_payment_config: undocumented('How a subscription is paid').optional(),
};

/**
 * The split entries of an update. Entries may be partial, because the service merges them with the stored entries by
 * index.
 */
export const splitChanges = (description: string) =>
  list(
    open(
      {
        receiver_wallet: text('Wallet that receives the share').optional(),
        receiver_percent: percent('Percentage of the amount').optional(),
      },
      'One receiver, or a part of it',
    ),
    description,
  );

/** A stored order. Document: Order template. */
export const orderRow = open(
  {
    id: text('Id of the order'),
    active: flag('Whether the order can be used'),
    executor_id: anyText('Who executes payments of the order'),
    from_currency_symbol: anyText('Fiat currency that the amount is in'),
    amount_from: anyText('Amount in the source currency'),
    to_currency_symbol: anyText('Crypto currency that the receivers get'),
    on_ramp: flag('On-ramp instead of off-ramp'),
    gateway_method: anyText('One-time payment or recurring subscription'),
    payment_method_allowed: paymentMethods.nullish(),
    order_items: list(undocumented('One item'), 'Items of the order').nullish(),
    subscription_payment_config: undocumented('How a subscription is paid').nullish(),
    // not shown: further fields of the row, and the form of missing optional fields.
  },
  'A stored order',
  'Order',
);

/** A stored order, for examples. */
export const EXAMPLE_ORDER = {
  id: EXAMPLE_ORDER_ID,
  active: true,
  executor_id: 'order_transaction',
  from_currency_symbol: 'BRL',
  amount_from: '59.90',
  to_currency_symbol: 'USDT',
  on_ramp: false,
  gateway_method: 'direct',
  payment_method_allowed: { pixcrypto: true, crypto: true },
  order_items: [],
  subscription_payment_config: null,
};
