import { type Client, call, type Input } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import { create } from '../../contract/order/create.ts';
import { update } from '../../contract/order/update.ts';
import { withDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { type CallResult, isUnclear, readingBack, withoutAnswer } from '../read-back.ts';
import { differingFields, mergedOrder } from './difference.ts';
import { findOrder, type OrderRow, readOrders } from './rows.ts';

const idAndTime = ({ id, ...row }: OrderRow): string =>
  typeof row['created_at'] === 'string' ? `${id} (${row['created_at']})` : id;

/** Creates an order with one call. After a lost response, the failure names the stored orders that match it. */
export const createOrder = async (client: Client, input: Input): Promise<Envelope> => {
  try {
    return await call(client, create, input);
  } catch (error) {
    if (!isUnclear(error)) throw error;
    const rows = await readingBack(error, () => readOrders(client));
    const alike = rows.filter((row) => differingFields(input, row).length === 0);
    if (alike.length === 0) {
      const hint = 'The list has no such order. Check the list again before you repeat the command.';
      throw withDetails(error, { hint, next: nextStep('order.list') });
    }
    throw withDetails(error, {
      hint: `The list has these matching orders, newest first: ${alike.map(idAndTime).join(', ')}. If none of them is older, the order was created.`,
      next: nextStep('order.list'),
      data: { orders: alike },
    });
  }
};

/** Changes an order with one call. After a lost response, the list shows whether it had its effect. */
export const updateOrder = async (client: Client, input: Input): Promise<CallResult> => {
  const { order_id, ...changes } = input;
  try {
    return await call(client, update, input);
  } catch (error) {
    if (!isUnclear(error)) throw error;
    const row = await readingBack(error, () => findOrder(client, String(order_id)));
    if (row && differingFields(mergedOrder(row, changes), row).length === 0) {
      return withoutAnswer('read_back', 'order_updated', row);
    }
    const hint = row ? 'The list shows that the order is not changed.' : 'The order is not in the list.';
    throw withDetails(error, { hint, next: nextStep('order.list') });
  }
};
