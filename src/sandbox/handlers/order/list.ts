import { list as endpoint } from '../../../contract/order/list.ts';
import { ORDER_FILTERS } from '../../assumptions.ts';
import { listOrders } from '../../ledger/orders.ts';
import { orderView } from '../../orders/order.ts';
import { readFilters } from '../../orders/rules.ts';
import { fail, handle, succeed } from '../handler.ts';

/** GET /order/list: the tenant's own, newest first. The names of its two filters are assumptions. */
export const list = handle(endpoint, async ({ services, tenant }, input) => {
  const filters = readFilters(input);
  if (!filters.ok) return fail('invalid_parameters', `The filters are ${ORDER_FILTERS.join(', ')}.`, filters.errors);
  const { page, limit } = input;
  const { rows, total } = await listOrders(await services.ledger(), { tenant, page, limit, ...filters.value });
  return succeed('orders_listed', 'Orders, newest first.', {
    orders: rows.map(orderView),
    pagination: { total, page, limit, total_pages: Math.ceil(total / limit) },
  });
});
