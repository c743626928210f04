import { countOf, latestPayments } from '../../ledger/latest.ts';
import type { PaymentRow } from '../../ledger/payments.ts';
import { html } from '../html.ts';
import { mark, moodOf, time } from '../marks.ts';
import { type Column, hidden, type Listing, listedOf, tableOf, type Viewer } from './listing.ts';

/** A payment by its id, which leads to all that is known about it. */
export const paymentLink = (id: string, where: string) =>
  html`<a class="id" id="${where}-${id}" href="/?payment=${encodeURIComponent(id)}">${id}</a>`;

const COLUMNS = ({ isOwner }: Viewer): readonly Column<PaymentRow>[] => [
  { name: 'Payment', show: ({ id }) => paymentLink(id, 'payment') },
  { name: 'Status', show: ({ status }) => mark(moodOf(status), status) },
  { name: 'Type', isWhole: true, show: ({ transaction_type }) => transaction_type ?? 'none yet' },
  { name: 'From', isWhole: true, show: (row) => `${row.amount_from} ${row.from_currency_symbol}` },
  { name: 'To', isWhole: true, show: (row) => `${row.amount_to} ${row.to_currency_symbol}, ${row.to_chain}` },
  { name: 'Payer', show: ({ payer_email }) => (isOwner ? payer_email || 'none yet' : hidden) },
  { name: 'Created', isWhole: true, show: ({ created_at }) => time(created_at) },
];

const NONE = html`No payment yet. <code>bursar demo</code> makes one.`;

export const payments: Listing = {
  id: 'payments',
  title: 'Payments',
  list: async (services, viewer, wanted) => {
    const ledger = await services.ledger();
    const part = await latestPayments(ledger, wanted);
    return listedOf(await countOf(ledger, 'payments'), part, tableOf('Payments', COLUMNS(viewer), part.rows, NONE));
  },
};
