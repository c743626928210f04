import { PAYMENT_STATUSES } from '../../../contract/pay/shared.ts';
import type { EventRow } from '../../ledger/events.ts';
import type { Email } from '../../ledger/identities.ts';
import { latestEmails, latestEvents, latestOrders, latestPayments } from '../../ledger/latest.ts';
import type { EventState } from '../../ledger/ledger.ts';
import type { OrderRow } from '../../ledger/orders.ts';
import type { PaymentRow } from '../../ledger/payments.ts';
import { fieldsOf } from '../../orders/order.ts';
import { actLink } from '../acting/forms.ts';
import { type Content, email, html, type Mood, mark, mono, moodOf, time } from '../html.ts';
import { paymentChart } from './chart.ts';
import { type Column, hidden, listingOf, type Viewer } from './table.ts';

/** A link to the page of a payment. `where` makes the id of the element unique. */
export const paymentLink = (id: string, where: string) =>
  html`<a class="id" id="${where}-${id}" href="?payment=${encodeURIComponent(id)}">${id}</a>`;

const PAYMENT_COLUMNS = ({ isOwner }: Viewer): readonly Column<PaymentRow>[] => [
  { name: 'Payment', show: ({ id }) => paymentLink(id, 'payment') },
  { name: 'Status', show: ({ status }) => mark(moodOf(status), status) },
  { name: 'Type', kind: 'whole', show: ({ transaction_type }) => transaction_type ?? 'none yet' },
  { name: 'From', kind: 'whole', show: (row) => `${row.amount_from} ${row.from_currency_symbol}` },
  { name: 'To', show: (row) => `${row.amount_to} ${row.to_currency_symbol}, ${row.to_chain}` },
  { name: 'Payer', kind: 'email', show: (row) => (isOwner ? (email(row.payer_email) ?? 'none yet') : hidden) },
  { name: 'Created', kind: 'whole', show: ({ created_at }) => time(created_at) },
];

const NO_PAYMENT = html`No payment yet. <code>bursar demo</code> makes one.`;

/** The list of payments. Only the owner can search by e-mail address. */
export const payments = listingOf(
  {
    title: 'Payments',
    none: NO_PAYMENT,
    filters: [
      { name: 'status', label: 'Status', choices: PAYMENT_STATUSES },
      { name: 'search', label: 'Id, wallet, hash, order or e-mail' },
    ],
    above: async ({ ledger }) => paymentChart(await ledger()),
  },
  {
    table: 'payments',
    latest: (ledger, { filter, ...page }, { isOwner }) => latestPayments(ledger, page, { ...filter, isOwner }),
  },
  PAYMENT_COLUMNS,
);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const amount = (row: OrderRow): string => {
  const fields = fieldsOf(row);
  return `${text(fields['amount_from'])} ${text(fields['from_currency_symbol'])}`;
};

const [ACTIVE, OFF] = ['active', 'switched off'];

const ORDER_COLUMNS = (): readonly Column<OrderRow>[] => [
  { name: 'Order', show: ({ id }) => mono(id) },
  { name: 'State', show: ({ active }) => (active === 1 ? mark('good', ACTIVE) : mark('none', OFF)) },
  { name: 'Amount', kind: 'whole', show: amount },
  { name: 'Receives', show: (row) => text(fieldsOf(row)['to_currency_symbol']) },
  { name: 'Paid', show: ({ gateway_method }) => (gateway_method === 'subs' ? 'as a subscription' : 'once') },
  { name: 'Created', kind: 'whole', show: ({ created_at }) => time(created_at) },
];

const NO_ORDER = html`No order yet. <code>bursar order create</code> makes one.`;

/** The list of orders. */
export const orders = listingOf(
  {
    title: 'Orders',
    none: NO_ORDER,
    filters: [
      { name: 'state', label: 'State', choices: [ACTIVE, OFF] },
      { name: 'search', label: 'Id, amount or other field' },
    ],
  },
  {
    table: 'orders',
    latest: (ledger, { filter: { state, search }, ...page }, { isOwner }) =>
      latestOrders(ledger, page, { active: state === undefined ? undefined : state === ACTIVE, search, isOwner }),
  },
  ORDER_COLUMNS,
);

/** The subject without the one-time code that it may contain. */
const withoutCode = ({ subject, code }: Email): string => (code ? subject.replaceAll(code, '••••••') : subject);

const EMAIL_COLUMNS = ({ isOwner }: Viewer): readonly Column<Email>[] => [
  { name: 'To', kind: 'email', show: ({ to }) => (isOwner ? email(to) : hidden) },
  { name: 'Subject', show: (row) => html`<strong>${isOwner ? row.subject : withoutCode(row)}</strong>` },
  { name: 'Code', show: ({ code }) => (isOwner ? mono(code ?? 'none') : hidden) },
  { name: 'Text', show: ({ text }) => (isOwner ? html`<div class="text">${text}</div>` : hidden) },
  { name: 'Sent', kind: 'whole', show: ({ sent_at }) => time(sent_at) },
];

const NO_EMAIL = 'No e-mail yet. The one-time codes of KYC arrive here.';

/** The list of e-mails, which the sandbox stores and does not send. */
export const inbox = listingOf(
  {
    title: 'Inbox',
    none: NO_EMAIL,
    caption: 'E-mails',
    filters: [{ name: 'search', label: 'Address, subject or text' }],
  },
  {
    table: 'inbox',
    latest: (ledger, { filter, ...page }, { isOwner }) => latestEmails(ledger, page, { ...filter, isOwner }),
  },
  EMAIL_COLUMNS,
);

const MOODS: Readonly<Record<EventState, readonly [Mood, string]>> = {
  pending: ['wait', 'pending'],
  delivered: ['good', 'delivered'],
  failed: ['bad', 'given up'],
  not_sent: ['none', 'not sent'],
};

const answerOf = ({ last_http, last_answer, state }: EventRow): Content => {
  if (state === 'not_sent') return last_answer ?? 'not allowed there';
  if (last_http === null && last_answer === null) return 'none yet';
  return html`<span class="break">${last_http ?? 'no answer'}${last_answer && `: ${last_answer}`}</span>`;
};

/** The columns of webhooks and their deliveries. */
export const EVENT_COLUMNS = ({ isOwner, canAct }: Viewer): readonly Column<EventRow>[] => [
  { name: 'Payment', show: ({ payment_id, seq }) => paymentLink(payment_id, `event-${seq}`) },
  { name: 'Status', kind: 'whole', show: ({ payment_status }) => payment_status },
  { name: 'Delivery', show: ({ state }) => mark(...MOODS[state]) },
  { name: 'Tries', kind: 'whole', show: ({ attempts }) => attempts },
  { name: 'To', show: ({ url }) => (isOwner ? url : hidden) },
  { name: 'Last answer', show: (row) => (isOwner ? answerOf(row) : (row.last_http ?? 'none yet')) },
  { name: 'Created', kind: 'whole', show: ({ created_at }) => time(created_at) },
  ...(canAct
    ? [
        {
          name: 'Act',
          show: ({ seq }: EventRow) => actLink('event.resend', { id: String(seq) }, 'Send again', String(seq)),
        },
      ]
    : []),
];

const NO_EVENT = 'No webhook yet. One is sent when a payment changes its status.';

/** The list of webhooks. */
export const webhooks = listingOf(
  { title: 'Webhooks', none: NO_EVENT, filters: [{ name: 'status', label: 'Delivery', choices: Object.keys(MOODS) }] },
  { table: 'webhook_events', latest: (ledger, { filter, ...page }) => latestEvents(ledger, page, filter['status']) },
  EVENT_COLUMNS,
);
