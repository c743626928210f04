import { create } from '../../contract/order/create.ts';
import { list } from '../../contract/order/list.ts';
import { toggle } from '../../contract/order/toggle.ts';
import { update } from '../../contract/order/update.ts';
import { MAX_ORDERS, ORDER_FILTERS } from '../assumptions.ts';
import { changeOrder, insertOrder, listOrders, type OrderRow } from '../ledger/orders.ts';
import {
  columnsOf,
  fieldsOf,
  mergeFields,
  type OrderFields,
  orderView,
  problemsOfOrder,
  readFilters,
  storableFields,
} from '../orders/order.ts';
import { fail, handle, succeed } from './handler.ts';

/** The order after an update, or the problems that the update would cause. */
const applyUpdate = (row: OrderRow, sent: OrderFields, updated_at: string) => {
  const merged = mergeFields(fieldsOf(row), sent);
  const problems = problemsOfOrder(merged);
  if (problems.length > 0) return { problems };
  const change = { ...columnsOf(merged), updated_at };
  return { problems, change, order: orderView({ ...row, ...change }) };
};

/** The handlers of orders, the payment templates of a tenant. */
export const ORDER_HANDLERS = {
  /** POST /order/create. Unknown fields are stored. */
  [create.id]: handle(create, async ({ services, tenant }, input) => {
    const fields = storableFields(input);
    const problems = problemsOfOrder(fields);
    if (problems.length > 0) return fail('invalid_parameters', 'The order cannot be stored.', problems);
    const id = await services.newCuid();
    const at = services.clock.nowIso();
    const row = { id, tenant_id: tenant, active: 1, ...columnsOf(fields), created_at: at, updated_at: at };
    if (!(await insertOrder(await services.ledger(), row, MAX_ORDERS))) {
      return fail('order_limit_reached', `An account has at most ${MAX_ORDERS} orders.`);
    }
    return succeed('order_created', 'The order was stored.', { order_id: id });
  }),
  /** GET /order/list: the tenant's own orders, newest first. Assumption: the names of the two filters. */
  [list.id]: handle(list, async ({ services, tenant }, input) => {
    const filters = readFilters(input);
    if (!filters.ok) return fail('invalid_parameters', `The filters are ${ORDER_FILTERS.join(', ')}.`, filters.errors);
    const { page, limit } = input;
    const { rows, total } = await listOrders(await services.ledger(), { tenant, page, limit, ...filters.value });
    return succeed('orders_listed', 'Orders, newest first.', {
      orders: rows.map(orderView),
      pagination: { total, page, limit, total_pages: Math.ceil(total / limit) },
    });
  }),
  /** PATCH /order/{order_id}. Fields that only the service sets, such as `active`, are ignored. */
  [update.id]: handle(update, async ({ services, tenant }, input) => {
    const sent = storableFields(input);
    if (Object.keys(sent).length === 0) return fail('no_fields_to_update', 'There is no field to update.');
    const at = services.clock.nowIso();
    const updated = await changeOrder(await services.ledger(), tenant, input.order_id, (row) =>
      applyUpdate(row, sent, at),
    );
    if (!updated) return fail('order_not_found', 'There is no such order.');
    if (!updated.order) return fail('invalid_parameters', 'The change would make the order invalid.', updated.problems);
    return succeed('order_updated', 'The order was updated.', updated.order);
  }),
  /** PATCH /order/{order_id}/toggle. */
  [toggle.id]: handle(toggle, async ({ services, tenant }, { order_id }) => {
    const updated_at = services.clock.nowIso();
    const toggled = await changeOrder(await services.ledger(), tenant, order_id, (row) => ({
      change: { active: 1 - row.active, updated_at },
    }));
    if (!toggled) return fail('order_not_found', 'There is no such order.');
    if (toggled.change.active === 1) {
      return succeed('order_activated', 'The order can be used.', { id: order_id, active: true });
    }
    return succeed('order_deactivated', 'The order can no longer be used.', { id: order_id, active: false });
  }),
};
