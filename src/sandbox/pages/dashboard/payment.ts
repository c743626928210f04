import { parseJson, printJson } from '../../../core/json.ts';
import { listEvents } from '../../ledger/events.ts';
import { historyOf, type PaymentRow } from '../../ledger/payments.ts';
import { anyPayment } from '../../ledger/payouts.ts';
import { receiversOf } from '../../payments/receivers.ts';
import type { Services } from '../../services.ts';
import { type Html, html, type Shown } from '../html.ts';
import { facts, mark, moodOf, time } from '../marks.ts';
import { hidden, tableOf, type Viewer } from './listing.ts';
import { EVENT_COLUMNS } from './webhooks.ts';

const MAX_EVENTS = 50;

const mono = (text: string): Html => html`<span class="mono">${text}</span>`;

const json = (text: string | null): Shown =>
  text !== null && html`<pre class="code">${printJson(parseJson(text), 2)}</pre>`;

const factsOf = (row: PaymentRow, { isOwner }: Viewer): Html =>
  facts([
    ['Type', row.transaction_type],
    ['Pays', `${row.amount_from} ${row.from_currency_symbol}`],
    ['Receivers get', `${row.amount_to} ${row.to_currency_symbol}, ${row.to_chain}`],
    ['Receivers', receiversOf(row).map(({ wallet, percent }) => html`<div>${percent} % ${mono(wallet)}</div>`)],
    ['Payer', isOwner ? row.payer_email : row.payer_email && hidden],
    ['Wallet', row.payer_wallet && mono(row.payer_wallet)],
    ['Order', row.order_code && mono(row.order_code)],
    ['Transaction', row.tid_hash && mono(row.tid_hash)],
    ['Tenant', row.tenant_id],
    ['Details', json(row.global_payment_data)],
    ['Error', json(row.data_error)],
    ['Metadata', json(row.metadata)],
  ]);

/** All that is known about one payment; `undefined` when there is none. */
export const paymentView = async (services: Services, viewer: Viewer, id: string): Promise<Html | undefined> => {
  const ledger = await services.ledger();
  const row = await anyPayment(ledger, id);
  if (!row) return undefined;
  const history = await historyOf(ledger, id);
  const events = await listEvents(ledger, id, MAX_EVENTS);
  return html`<section class="card" id="facts" data-live tabindex="-1" aria-labelledby="facts-name">
<div class="head"><h2 class="break" id="facts-name">${mono(row.id)}</h2><span role="status">${mark(moodOf(row.status), row.status)}</span></div>
${factsOf(row, viewer)}
</section>
<section class="card" id="history" data-live tabindex="-1" aria-labelledby="history-name">
<h2 id="history-name">Steps</h2>
<ol class="steps">${history.map(({ status, at }) => html`<li>${mark(moodOf(status), status)}<span class="quiet small">${time(at)} UTC</span></li>`)}</ol>
</section>
<section class="card" id="events" data-live tabindex="-1" aria-labelledby="events-name">
<h2 id="events-name">Webhooks</h2>
${tableOf('Webhooks of this payment', EVENT_COLUMNS(viewer).slice(1), events, 'No webhook yet.')}
</section>`;
};
