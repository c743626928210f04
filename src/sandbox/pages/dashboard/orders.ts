import { countOf, latestOrders } from '../../ledger/latest.ts';
import type { OrderRow } from '../../ledger/orders.ts';
import { fieldsOf } from '../../orders/order.ts';
import { html } from '../html.ts';
import { mark, time } from '../marks.ts';
import { type Column, type Listing, listedOf, tableOf } from './listing.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const amount = (row: OrderRow): string => {
  const fields = fieldsOf(row);
  return `${text(fields['amount_from'])} ${text(fields['from_currency_symbol'])}`;
};

const COLUMNS: readonly Column<OrderRow>[] = [
  { name: 'Order', show: ({ id }) => html`<span class="mono">${id}</span>` },
  { name: 'State', show: ({ active }) => (active === 1 ? mark('good', 'active') : mark('none', 'switched off')) },
  { name: 'Amount', isWhole: true, show: amount },
  { name: 'Receives', show: (row) => text(fieldsOf(row)['to_currency_symbol']) },
  { name: 'Paid', show: ({ gateway_method }) => (gateway_method === 'subs' ? 'as a subscription' : 'once') },
  { name: 'Created', isWhole: true, show: ({ created_at }) => time(created_at) },
];

const NONE = html`No order yet. <code>bursar order create</code> makes one.`;

export const orders: Listing = {
  id: 'orders',
  title: 'Orders',
  list: async (services, _, wanted) => {
    const ledger = await services.ledger();
    const part = await latestOrders(ledger, wanted);
    return listedOf(await countOf(ledger, 'orders'), part, tableOf('Orders', COLUMNS, part.rows, NONE));
  },
};
