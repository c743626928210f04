import { COIN_DECIMALS, findEvmChain } from '../../../contract/chains.ts';
import { fromUnits } from '../../../core/decimal.ts';
import { digitsOf, parseJson } from '../../../core/json.ts';
import { actOnCard, actOnPix, decideCard } from '../../charges/act.ts';
import { type PixDetails, type PixOutcome, qrOf } from '../../charges/pix.ts';
import type { App, RequestContext } from '../../http/envelope.ts';
import { readForm } from '../../http/read-input.ts';
import type { ChargeRow } from '../../ledger/charges.ts';
import type { PaymentRow } from '../../ledger/payments.ts';
import { readUnsigned } from '../../payments/signed.ts';
import type { Services } from '../../services.ts';
import { decisionForms, facts, type Html, html, type Mood, mono, section, stateBox, stepsOf, time } from '../html.ts';
import { backTo, page } from '../page.ts';
import {
  type CardField,
  findVisit,
  outcomeView,
  paymentView,
  readCard,
  TEST_CARDS,
  type Visit,
  wrongFields,
} from './visit.ts';

const NONE = html`<div class="card"><h1>No such payment page</h1>
<p>The address is wrong, or the payment got another one since. The newest is in the last answer of create-transaction.</p></div>`;

const notThere = (): Response => page({ http: 404, title: 'No such payment page', main: NONE, isNarrow: true });

/** The part of the page for the payer's method: the open charge, the transaction to sign, or the outcome. */
const methodView = async (visit: Visit, wrong: readonly CardField[]): Promise<Html | undefined> => {
  const { charge, row } = visit;
  if (charge?.kind === 'pix') return pixView(visit, charge);
  if (charge?.kind === 'card') return cardView(visit, wrong);
  const isOpen = row.status === 'registered' || row.status === 'retry';
  return row.transaction_type === 'crypto' && isOpen ? cryptoView(visit) : outcomeView(visit);
};

const pageOf = async (visit: Visit, wrong: readonly CardField[]): Promise<Response> => {
  const { amount_from: amount, from_currency_symbol: currency } = visit.row;
  const main = html`<div class="card">
<h1 class="amount"><span>Payment of</span> ${amount} ${currency}</h1>
<div role="status" id="state" data-live tabindex="-1">${stateBox(...stateOf(visit))}</div>
</div>
<div class="pay" id="method" data-live tabindex="-1">${await methodView(visit, wrong)}</div>
${section('details', html`<h2 id="details-name">Details</h2>`, paymentView(visit))}
${section('steps', html`<h2 id="steps-name">Steps</h2>`, stepsOf(visit.history))}`;
  // A reload would empty the card form.
  const isRefreshed = visit.charge?.kind !== 'card';
  return page({ title: `Payment of ${amount} ${currency}`, main, live: visit.live, isNarrow: true, isRefreshed });
};

/**
 * Adds the hosted payment pages. The address is the permission to pay or refuse: its token is random, and stored as a
 * hash.
 */
export const addPaymentPages = (app: App, services: Services): void => {
  const onPage =
    (act: (visit: Visit, context: RequestContext) => Promise<Response>) => async (context: RequestContext) => {
      const { req } = context;
      const visit = await findVisit(services, req.param('id') ?? '', req.query('token') ?? '');
      return visit ? act(visit, context) : notThere();
    };
  const show = onPage((visit, { req }) => pageOf(visit, wrongFields(req.queries('wrong'))));
  app.get('/pay/:id', show);
  const acts = [
    ...PIX_BUTTONS.map(([outcome]) => [`pix/${outcome}`, (id: string) => actOnPix(services, id, outcome)] as const),
    ...CARD_BUTTONS.map(([outcome]) => [`card/${outcome}`, (id: string) => actOnCard(services, id, outcome)] as const),
  ];
  for (const [path, act] of acts) {
    const decide = onPage(async (visit) => {
      // A late outcome changes nothing. The page shows the payment's status.
      await act(visit.row.id);
      return backTo(visit.address);
    });
    app.post(`/pay/:id/${path}`, decide);
  }
  const payByCard = onPage(async (visit, { env }) => {
    const card = readCard(await readForm(env.incoming), services.clock.now());
    if (!card.ok) return backTo(visit.address + card.wrong.map((name) => `&wrong=${name}`).join(''));
    await decideCard(services, visit.row.id, card.outcome);
    return backTo(visit.address);
  });
  app.post('/pay/:id/card', payByCard);
};

/** The transaction for the payer to sign, and the command that signs it. */
const cryptoView = ({ row }: Visit): Html | undefined => {
  if (row.unsigned_tx === null) return undefined;
  const { transactionRequest: tx } = readUnsigned(row.unsigned_tx);
  const coin = findEvmChain(row.chain_name ?? '')?.coin ?? '';
  const fee = fromUnits(BigInt(tx.gasLimit) * BigInt(tx.maxFeePerGas), COIN_DECIMALS);
  return html`<div class="card">
<h2>What is to be signed</h2>
${facts([
  ['From', mono(tx.from)],
  ['Calls', mono(tx.to)],
  ['Pays in', `${row.payer_token_symbol} on ${row.chain_name}`],
  ['Coin sent', `${fromUnits(BigInt(digitsOf(tx.value) ?? '0'), COIN_DECIMALS)} ${coin}`],
  ['Fee', `at most ${fee} ${coin}`],
  ['Chain id', tx.chainId],
  ['Nonce', tx.nonce],
])}
<div class="field">
<h2>Review, sign and send it</h2>
<pre class="code" id="command" tabindex="0">bursar pay execute ${row.id} --key NAME</pre>
<button type="button" id="copy" data-copy="command">Copy the command</button>
<p class="small quiet" id="copied" role="status"></p>
</div>
</div>`;
};

/** The outcomes of a Pix with the texts of their buttons. */
const PIX_BUTTONS: readonly (readonly [PixOutcome, string])[] = [
  ['pay', 'Pay'],
  ['refuse', 'Refuse'],
  ['expire', 'Let it expire'],
];

const expiry = (charge: ChargeRow): Html => {
  const at = charge.expires_ms ?? 0;
  return html`<p class="quiet small">Can be paid until ${time(new Date(at).toISOString())} UTC <span data-until="${at}"></span></p>`;
};

/** An open Pix: its QR code, its code, and the buttons of its outcomes. */
const pixView = async ({ act }: Visit, charge: ChargeRow): Promise<Html> => {
  const { code, amount } = parseJson(charge.details) as PixDetails;
  return html`<div class="card">
<h2>Pix of ${amount} BRL</h2>
<div class="qr"><img src="${await qrOf(code)}" width="216" height="216" alt="QR code of the Pix code below"></div>
<div class="field">
<label for="pix-code">Pix code to copy and paste</label>
<textarea id="pix-code" rows="5" readonly spellcheck="false">${code}</textarea>
<button type="button" id="copy" data-copy="pix-code">Copy the code</button>
<p class="small quiet" id="copied" role="status"></p>
</div>
${expiry(charge)}
<hr>
<h2>Decide as the payer's bank</h2>
${decisionForms(PIX_BUTTONS, (outcome) => act(`pix/${outcome}`))}
</div>`;
};

const isCrypto = ({ transaction_type }: PaymentRow): boolean => transaction_type === 'crypto';

const waitingFor = ({ row, charge }: Visit): readonly [string, string] => {
  if (charge?.kind === 'pix') return ['Waiting for the Pix', 'Pay with the code, or choose the outcome of the bank.'];
  if (charge?.kind === 'card') return ['Waiting for a card', 'Enter one, or choose the outcome of its issuer.'];
  if (isCrypto(row)) return ['Waiting for a signature', 'The owner of the wallet pays, with its key.'];
  return ['Waiting', 'Nothing can be done here at the moment.'];
};

/** The message of the payment's `data_error`. */
const failureOf = (row: PaymentRow): string => {
  const error = row.data_error === null ? undefined : (parseJson(row.data_error) as { readonly message?: unknown });
  return typeof error?.message === 'string' ? error.message : 'The payment failed.';
};

const stateOf = (visit: Visit): readonly [Mood, string, string] => {
  const { row } = visit;
  const { status, to_chain: chain, transaction_type: type } = row;
  switch (status) {
    case 'registered':
    case 'retry':
      return ['wait', ...waitingFor(visit)];
    case 'processing':
      if (isCrypto(row)) return ['wait', 'Sent', `Waiting for ${row.chain_name} to confirm it.`];
      return ['wait', 'Paid', `The receivers are being paid on ${chain}.`];
    case 'received':
      return ['wait', 'Received', `The bridge brings it to ${chain}.`];
    case 'success':
      return ['good', 'Paid', type === 'cardfiat' ? 'The card was charged.' : `The receivers were paid on ${chain}.`];
    case 'error':
      return ['bad', 'Not paid', failureOf(row)];
    default:
      return ['wait', status, ''];
  }
};

/** The decisions of a card's issuer with the texts of their buttons. */
const CARD_BUTTONS = [
  ['approve', 'Approve'],
  ['refuse', 'Refuse'],
] as const;

const WHY: Readonly<Record<CardField, string>> = {
  number: 'Enter 12 to 19 digits, or one of the test tokens below.',
  expiry: 'Enter month and year, such as 09/31.',
};

type Field = { readonly name: string; readonly label: string; readonly hint?: string; readonly wrong?: string | false };

const field = ({ name, label, hint, wrong }: Field): Html => {
  const about = [hint && `${name}-hint`, wrong && `${name}-wrong`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" autocomplete="off" spellcheck="false" maxlength="80"${about && html` aria-describedby="${about}"`}${wrong && html` aria-invalid="true"`}>
${hint && html`<p class="quiet small" id="${name}-hint">${hint}</p>`}
${wrong && html`<p class="wrong small" id="${name}-wrong">${wrong}</p>`}
</div>`;
};

const testCards = html`<details id="test-cards" open><summary>Test values: approved, declined, pending</summary>
<dl class="facts small">${TEST_CARDS.map(([value, what]) => html`<div><dt class="mono break">${value}</dt><dd>${what}</dd></div>`)}</dl>
</details>`;

/** The form for a card, and the buttons of its outcomes. After a wrong entry the form is empty again. */
const cardView = ({ act, row }: Visit, wrong: readonly CardField[]): Html => html`<div class="card">
<h2>Pay by card</h2>
<form class="form" method="post" action="${act('card')}" novalidate>
${wrong.length > 0 && html`<p class="wrong" role="alert">The card was not taken. It is not kept, so please enter it again.</p>`}
${field({ name: 'number', label: 'Card number or token', hint: 'Test values only: the list below has what each does. Nothing of it is kept.', wrong: wrong.includes('number') && WHY.number })}
${field({ name: 'holder', label: 'Name on the card' })}
<div class="fields">
${field({ name: 'expiry', label: 'Expires (MM/YY)', wrong: wrong.includes('expiry') && WHY.expiry })}
${field({ name: 'cvc', label: 'Security code' })}
</div>
<button class="main" id="pay-card">Pay ${row.amount_from} ${row.from_currency_symbol}</button>
</form>
${testCards}
<hr>
<h2>Or decide as the card's issuer</h2>
${decisionForms(CARD_BUTTONS, (outcome) => act(`card/${outcome}`), false)}
</div>`;
