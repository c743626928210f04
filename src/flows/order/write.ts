import { type Client, call, type Input } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import { create } from '../../contract/order/create.ts';
import { update } from '../../contract/order/update.ts';
import { nextStep } from '../../core/next.ts';
import { type CallResult, isUnclear, readingBack, withFindings, withoutAnswer } from '../read-back.ts';
import { differingFields } from './alike.ts';
import { mergedOrder } from './merged.ts';
import { findOrder, type OrderRow, readOrders } from './rows.ts';

const named = ({ id, ...row }: OrderRow): string =>
  typeof row['created_at'] === 'string' ? `${id} (${row['created_at']})` : id;

/** Creates an order, once. After a lost answer the failure names the orders that are like it. */
export const createOrder = async (client: Client, input: Input): Promise<Envelope> => {
  try {
    return await call(client, create, input);
  } catch (error) {
    if (!isUnclear(error)) throw error;
    const rows = await readingBack(error, () => readOrders(client));
    const alike = rows.filter((row) => differingFields(input, row).length === 0);
    if (alike.length === 0) {
      const hint = 'The list shows no such order. Check the list once more before you create it again.';
      throw withFindings(error, { hint, next: nextStep('order.list') });
    }
    throw withFindings(error, {
      hint: `In the list, newest first, is what was asked for: ${alike.map(named).join(', ')}. Unless that was there before, it was made.`,
      next: nextStep('order.list'),
      data: { orders: alike },
    });
  }
};

/** Changes an order. After a lost answer the list shows whether it happened; it is not sent again. */
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
    const hint = row ? 'The order was read back, and is not changed.' : 'The order is not in the list.';
    throw withFindings(error, { hint, next: nextStep('order.list') });
  }
};
