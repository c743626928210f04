import { decideCard, decidePix } from '../../../contract/control/charges.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { parseJson, printJson } from '../../../core/json.ts';
import { anyPayment, type ChargeRow, findCharge } from '../../ledger/charges.ts';
import { listEvents } from '../../ledger/events.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { historyOf, type PaymentRow } from '../../ledger/payments.ts';
import { receiversOf } from '../../payments/receivers.ts';
import type { Services } from '../../services.ts';
import { actForm } from '../acting/forms.ts';
import { type Content, facts, type Html, html, mark, mono, moodOf, section, stepsOf } from '../html.ts';
import { EVENT_COLUMNS } from './listings.ts';
import { hidden, tableOf, type Viewer } from './table.ts';

const MAX_EVENTS = 50;

const json = (text: string | null): Content =>
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

/** The form for the decision of the bank or the issuer; `undefined` for a payment that waits for none. */
const decisionOf = ({ id, status }: PaymentRow, charge: ChargeRow | undefined): Html | undefined => {
  if (!charge || !EXECUTABLE_STATUSES.includes(status)) return undefined;
  const [act, method, endpoint] =
    charge.kind === 'pix'
      ? (['charge.decide-pix', 'Pix', decidePix] as const)
      : (['charge.decide-card', 'card', decideCard] as const);
  const outcome = { name: 'outcome', label: `Outcome of the ${method}`, choices: endpoint.body.outcome.options };
  return actForm({ id: act, button: 'Decide', fixed: { payment_id: id }, fields: [outcome] });
};

const decisionView = async (ledger: Ledger, row: PaymentRow): Promise<Html> =>
  section(
    'decision',
    html`<h2 id="decision-name">Decide as the payer's bank or issuer</h2>`,
    decisionOf(row, await findCharge(ledger, row.id)) ?? html`<p class="quiet">The payment waits for no decision.</p>`,
  );

/**
 * The page of one payment: facts, history, webhooks and, with acting rights, its decision; `undefined` without a
 * payment.
 */
export const paymentView = async (services: Services, viewer: Viewer, id: string): Promise<Html | undefined> => {
  const ledger = await services.ledger();
  const row = await anyPayment(ledger, id);
  if (!row) return undefined;
  const events = await listEvents(ledger, id, MAX_EVENTS);
  const heading = html`<div class="head"><h2 class="break" id="facts-name">${mono(row.id)}</h2><span role="status">${mark(moodOf(row.status), row.status)}</span></div>`;
  const deliveries = tableOf('Webhooks of this payment', EVENT_COLUMNS(viewer).slice(1), events, 'No webhook yet.');
  return html`${section('facts', heading, factsOf(row, viewer))}
${viewer.canAct && (await decisionView(ledger, row))}
${section('history', html`<h2 id="history-name">Steps</h2>`, stepsOf(await historyOf(ledger, id)))}
${section('events', html`<h2 id="events-name">Webhooks</h2>`, deliveries)}`;
};
