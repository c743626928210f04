import { type Client, call, dataOf } from '../../../client/call.ts';
import { create } from '../../../contract/order/create.ts';
import { list } from '../../../contract/order/list.ts';
import { textAt } from '../../../core/json.ts';

/** The order that `checkout-payment` pays in a sandbox, as the defaults of its inputs state it. */
const ORDER = {
  executor_id: 'order_transaction',
  from_currency_symbol: 'BRL',
  amount_from: '10.00',
  to_currency_symbol: 'USDT',
  on_ramp: false,
  gateway_method: 'direct',
} as const;

/** An account keeps at most 20 orders, and none can be deleted: all fit one page, and one is used again. */
const PAGE = { page: 1, limit: 100 };

/** The id of an order in a sandbox to pay: that of an earlier run, or a new one. */
export const orderToPay = async (client: Client): Promise<string> => {
  const { orders } = dataOf(list, 'orders_listed', await call(client, list, PAGE));
  const isOurs = (order: unknown) =>
    Object.entries(ORDER).every(([name, value]) => Object(order)[name] === value) && Object(order)['active'] === true;
  const earlier = textAt(orders.find(isOurs), 'id');
  return earlier ?? dataOf(create, 'order_created', await call(client, create, ORDER)).order_id;
};
