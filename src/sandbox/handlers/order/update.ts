import { update as endpoint } from '../../../contract/order/update.ts';
import { changeOrder, type OrderRow } from '../../ledger/orders.ts';
import { columnsOf, fieldsOf, givenFields, type OrderFields, orderView } from '../../orders/order.ts';
import { mergeFields, problemsOfOrder } from '../../orders/rules.ts';
import { fail, handle, succeed } from '../handler.ts';

/** What an update makes of a stored order, or why it cannot be made. */
const decide = (row: OrderRow, sent: OrderFields, updated_at: string) => {
  const merged = mergeFields(fieldsOf(row), sent);
  const problems = problemsOfOrder(merged);
  if (problems.length > 0) return { problems };
  const change = { ...columnsOf(merged), updated_at };
  return { problems, change, order: orderView({ ...row, ...change }) };
};

/** PATCH /order/{order_id}. What only the service sets, such as `active`, is no field to update. */
export const update = handle(endpoint, async ({ services, tenant }, input) => {
  const sent = givenFields(input);
  if (Object.keys(sent).length === 0) return fail('no_fields_to_update', 'There is no field to update.');
  const at = services.clock.nowIso();
  const decided = await changeOrder(await services.ledger(), tenant, input.order_id, (row) => decide(row, sent, at));
  if (!decided) return fail('order_not_found', 'There is no such order.');
  if (!decided.order) return fail('invalid_parameters', 'The order cannot become that.', decided.problems);
  return succeed('order_updated', 'The order was updated.', decided.order);
});
