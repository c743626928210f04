import { create as endpoint } from '../../../contract/order/create.ts';
import { createOrder } from '../../../flows/order/write.ts';
import { derive } from '../../derive.ts';
import { ALLOW_AND_SPLIT, PAYMENT_DEFAULTS } from '../../payment-options.ts';

/** `order create`. */
export const create = derive(endpoint, {
  ...ALLOW_AND_SPLIT,
  defaults: PAYMENT_DEFAULTS,
  fetch: async (cli, _, input) => createOrder(await cli.client(), input),
  examples: ['order create --from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto'],
});
