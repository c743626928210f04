import { create as endpoint } from '../../../contract/order/create.ts';
import { isJsonObject } from '../../../core/json.ts';
import { createOrder } from '../../../flows/order/write.ts';
import { checkReceivers } from '../../check-receivers.ts';
import { derive } from '../../derive.ts';
import { ALLOW_AND_SPLIT, PAYMENT_DEFAULTS } from '../../payment-options.ts';
import { rememberOrders } from '../../seen-orders.ts';

/** `order create`. */
export const create = derive(endpoint, {
  ...ALLOW_AND_SPLIT,
  defaults: PAYMENT_DEFAULTS,
  card: async (data, input) => (await import('../../cards/order-card.ts')).createdCard(data, input),
  after: async ({ io }, _, { data }) => {
    const id = isJsonObject(data) ? data['order_id'] : undefined;
    if (typeof id === 'string') await rememberOrders(io, [id]);
  },
  judge: checkReceivers,
  fetch: async (cli, _, input) => createOrder(await cli.client(), input),
  examples: ['order create --from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto'],
});
