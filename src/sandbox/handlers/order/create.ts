import { create as endpoint } from '../../../contract/order/create.ts';
import { MAX_ORDERS } from '../../assumptions.ts';
import { insertOrder } from '../../ledger/orders.ts';
import { columnsOf, givenFields } from '../../orders/order.ts';
import { problemsOfOrder } from '../../orders/rules.ts';
import { fail, handle, succeed } from '../handler.ts';

/** POST /order/create. Unknown fields are stored. */
export const create = handle(endpoint, async ({ services, tenant }, input) => {
  const fields = givenFields(input);
  const problems = problemsOfOrder(fields);
  if (problems.length > 0) return fail('invalid_parameters', 'The order cannot be stored.', problems);
  const { createId } = await import('@paralleldrive/cuid2');
  // Document: a CUID, which is a c and 24 characters; the library's own ids of 24 begin with any letter.
  const id = `c${createId()}`;
  const at = services.clock.nowIso();
  const row = { id, tenant_id: tenant, active: 1, ...columnsOf(fields), created_at: at, updated_at: at };
  if (!(await insertOrder(await services.ledger(), row, MAX_ORDERS))) {
    return fail('order_limit_reached', `An account has at most ${MAX_ORDERS} orders.`);
  }
  return succeed('order_created', 'The order was stored.', { order_id: id });
});
