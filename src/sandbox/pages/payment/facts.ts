import { parseJson } from '../../../core/json.ts';
import { receiversOf } from '../../payments/receivers.ts';
import { type Html, html } from '../html.ts';
import { facts, mark, moodOf, time } from '../marks.ts';
import type { Visit } from './find.ts';

const METHODS: Readonly<Record<string, string>> = {
  crypto: 'Crypto',
  pixcrypto: 'Pix',
  fiatcrypto: 'Pix',
  cardcrypto: 'Card',
  cardfiat: 'Card',
};

/** Who pays whom, and how. */
export const paymentView = ({ row }: Visit): Html => {
  const receivers = receiversOf(row).map(
    ({ wallet, percent }) => html`<div>${percent} % <span class="mono">${wallet}</span></div>`,
  );
  return facts([
    ['Method', METHODS[row.transaction_type ?? ''] ?? row.transaction_type],
    ['Receivers get', `${row.amount_to} ${row.to_currency_symbol}, ${row.to_chain}`],
    ['Receivers', receivers],
    ['Payer', row.payer_email],
    ['Payment', html`<span class="mono">${row.id}</span>`],
  ]);
};

type Charges = {
  readonly charges?: readonly {
    readonly last_transaction?: {
      readonly gateway_response?: {
        readonly code?: string;
        readonly errors?: readonly { readonly message?: string }[];
      };
    };
  }[];
};

/** The gateway's own words on a card. */
const gatewayOf = (text: string): string | undefined => {
  const { charges } = parseJson(text) as Charges;
  const response = charges?.[0]?.last_transaction?.gateway_response;
  const messages = (response?.errors ?? []).map(({ message }) => message);
  return response && [response.code, ...messages].join(': ');
};

/** What came of a payment that is under way or over. */
export const outcomeView = ({ row }: Visit): Html | undefined => {
  const gateway = gatewayOf(row.global_payment_data);
  if (!row.tid_hash && !gateway) return undefined;
  return html`<div class="card"><h2>Outcome</h2>${facts([
    ['Transaction', row.tid_hash && html`<span class="mono">${row.tid_hash}</span>`],
    ['Gateway', gateway],
  ])}</div>`;
};

/** Every status that the payment has had, with its time. */
export const stepsView = ({ history }: Visit): Html => html`<h2 id="steps-name">Steps</h2>
<ol class="steps">${history.map(
  ({ status, at }) => html`<li>${mark(moodOf(status), status)}<span class="quiet small">${time(at)} UTC</span></li>`,
)}</ol>`;
