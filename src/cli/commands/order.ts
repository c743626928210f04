import { create } from '../../contract/order/create.ts';
import { list } from '../../contract/order/list.ts';
import { toggle } from '../../contract/order/toggle.ts';
import { update } from '../../contract/order/update.ts';
import { escapeText } from '../../core/escape.ts';
import { toggleOrder } from '../../flows/order/toggle.ts';
import { createOrder, updateOrder } from '../../flows/order/write.ts';
import type { Leaf } from '../command.ts';
import { derive } from '../derive.ts';
import type { Argument } from '../options.ts';
import { ALLOW_AND_SPLIT, PAYMENT_DEFAULTS } from '../payment-options.ts';

const ORDER_ID: Argument = { name: 'ORDER_ID', says: 'Id of the order', completes: 'orders' };

/** What tells an order from the others, in 80 columns. */
const BRIEF = ['id', 'active', 'gateway_method', 'amount_from', 'from_currency_symbol', 'to_currency_symbol'];

export const order: readonly Leaf[] = [
  derive(create, {
    ...ALLOW_AND_SPLIT,
    defaults: PAYMENT_DEFAULTS,
    fetch: async (cli, _, input) => createOrder(await cli.client(), input),
    examples: ['order create --from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto'],
  }),
  derive(list, {
    rows: 'orders',
    brief: BRIEF,
    examples: ['order list --limit 5', 'order list --json'],
  }),
  derive(update, {
    ...ALLOW_AND_SPLIT,
    arguments: { order_id: ORDER_ID },
    fetch: async (cli, _, input) => updateOrder(await cli.client(), input),
    examples: ['order update cmb1x2y3z0000abcd1234efgh --amount-from 30'],
  }),
  derive(toggle, {
    arguments: { order_id: ORDER_ID },
    fetch: async (cli, _, input) => toggleOrder(await cli.client(), input, (line) => cli.say(escapeText(line))),
    examples: ['order toggle cmb1x2y3z0000abcd1234efgh'],
  }),
];
