import { toggle as endpoint } from '../../../contract/order/toggle.ts';
import { changeOrder } from '../../ledger/orders.ts';
import { fail, handle, succeed } from '../handler.ts';

/** PATCH /order/{order_id}/toggle. */
export const toggle = handle(endpoint, async ({ services, tenant }, { order_id }) => {
  const updated_at = services.clock.nowIso();
  const flipped = await changeOrder(await services.ledger(), tenant, order_id, (row) => ({
    change: { active: 1 - row.active, updated_at },
  }));
  if (!flipped) return fail('order_not_found', 'There is no such order.');
  if (flipped.change.active === 1) {
    return succeed('order_activated', 'The order can be used.', { id: order_id, active: true });
  }
  return succeed('order_deactivated', 'The order can no longer be used.', { id: order_id, active: false });
});
