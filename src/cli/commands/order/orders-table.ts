import { textAt, valueAt } from '../../../core/text-at.ts';
import type { Listed } from '../../print/print-result.ts';
import { methodsOf, switchOf } from '../../summaries/order-summary.ts';

/** The columns of a pipe. */
export const PIPED_COLUMNS = [
  'id',
  'active',
  'gateway_method',
  'amount_from',
  'from_currency_symbol',
  'to_currency_symbol',
  'on_ramp',
  'payment_method_allowed',
  'created_at',
  'updated_at',
];

/** The columns of a terminal, the most important first. */
const COLUMNS = ['id', 'state', 'amount', 'for', 'methods', 'gateway', 'created_at'];

const rowOf = (order: unknown) => ({
  id: valueAt(order, 'id'),
  state: switchOf(order) ?? 'not known',
  amount: [textAt(order, 'amount_from'), textAt(order, 'from_currency_symbol')].filter(Boolean).join(' '),
  for: valueAt(order, 'to_currency_symbol'),
  methods: methodsOf(order),
  gateway: [textAt(order, 'gateway_method'), valueAt(order, 'on_ramp') === true && 'on-ramp']
    .filter(Boolean)
    .join(', '),
  created_at: valueAt(order, 'created_at'),
});

/** Orders as a person tells them apart. Scripts get what the service said. */
export const orderTable = (orders: unknown): Listed => ({
  rows: Array.isArray(orders) ? orders.map(rowOf) : orders,
  brief: COLUMNS,
});
