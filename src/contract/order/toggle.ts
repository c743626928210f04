import { defineEndpoint } from '../define.ts';
import { flag, open, text } from '../fields.ts';
import { EXAMPLE_ORDER_ID, orderId } from './shared.ts';

const toggled = open(
  { id: text('Id of the order'), active: flag('Whether the order can be used now') },
  'The order',
  'ToggledOrder',
);

/** Flips `active` of an order. Document: PATCH /order/{order_id}/toggle. */
export const toggle = defineEndpoint({
  id: 'order.toggle',
  method: 'PATCH',
  path: '/order/{order_id}/toggle',
  summary: 'Switch an order on or off',
  effect: 'writes',
  params: orderId,
  invalid: 'invalid_parameters',
  success: {
    order_activated: { http: 200, data: toggled, example: { id: EXAMPLE_ORDER_ID, active: true } },
    order_deactivated: { http: 200, data: toggled, example: { id: EXAMPLE_ORDER_ID, active: false } },
  },
  errors: { unauthorized: 401, customer_not_logged: 401, invalid_parameters: 400, order_not_found: 404 },
  example: { order_id: EXAMPLE_ORDER_ID },
});
