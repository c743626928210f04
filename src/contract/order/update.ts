import * as z from 'zod';
import { defineEndpoint } from '../define.ts';
import { noPixOnRamp, oneMethod } from '../pay/shared.ts';
import { type Rule, worded } from '../rules.ts';
import { EXAMPLE_ORDER, optionalFields, orderId, orderRow, requiredFields, splitChanges } from './shared.ts';

/** The rule that an update has a field. Any name counts, because the document does not name all fields. */
const changesSomething: Rule = {
  ...worded(() => 'at least one field of the order'),
  status: 'no_fields_to_update',
  schema: { minProperties: 1 },
  check: (input) =>
    Object.entries(input).some(([field, value]) => field !== 'order_id' && value !== undefined)
      ? []
      : [{ field: 'body', message: 'at least one field of the order is required', isMissing: true }],
};

/**
 * Changes an order. The service merges lists with the stored lists by index. So only the service can check the sum of a
 * split. Document: PATCH /order/{order_id}.
 */
export const update = defineEndpoint({
  id: 'order.update',
  method: 'PATCH',
  path: '/order/{order_id}',
  summary: 'Change fields of an order',
  effect: 'writes',
  params: orderId,
  body: {
    ...z.object(requiredFields).partial().shape,
    ...optionalFields,
    // not shown: the name of the split array. Assumption: the name of a payment's split.
    split_payment_config: splitChanges('Changes of who receives which percentage').optional(),
  },
  // not shown: the names of the other fields that can be updated.
  unshownInput: true,
  rules: [changesSomething, oneMethod, noPixOnRamp],
  invalid: 'invalid_parameters',
  success: { order_updated: { http: 200, data: orderRow, example: EXAMPLE_ORDER } },
  unshownFields: true,
  errors: {
    unauthorized: 401,
    customer_not_logged: 401,
    invalid_parameters: 400,
    no_fields_to_update: 400,
    order_not_found: 404,
  },
  example: { order_id: EXAMPLE_ORDER.id, amount_from: '59.90' },
});
