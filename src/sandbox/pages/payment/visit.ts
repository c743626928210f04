import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { parseJson } from '../../../core/json.ts';
import { APPROVED_TOKEN, CARD_TOKENS, PENDING_TOKEN, REFUSED_CARD, REFUSING_TOKENS } from '../../assumptions.ts';
import { type CardOutcome, type cardView, outcomeOf } from '../../charges/card.ts';
import { findCharge } from '../../ledger/charges.ts';
import { findBySession, historyOf } from '../../ledger/payments.ts';
import { hashOf } from '../../ledger/tenants.ts';
import { receiversOf } from '../../payments/receivers.ts';
import type { Services } from '../../services.ts';
import { facts, type Html, html, mono } from '../html.ts';
import { liveNow } from '../page.ts';

/** The data of a payment's page. */
export type Visit = NonNullable<Awaited<ReturnType<typeof findVisit>>>;

/** The payment of a token; `undefined` for a wrong token and for the token of an earlier payer transaction. */
export const findVisit = async (services: Services, id: string, token: string) => {
  const live = await liveNow(services);
  const ledger = await services.ledger();
  const row = await findBySession(ledger, id, hashOf(token));
  if (!row) return undefined;
  const address = (path: string) => `/pay/${encodeURIComponent(id)}${path}?token=${encodeURIComponent(token)}`;
  return {
    row,
    /** The open charge; `undefined` when the payment waits for none. */
    charge: EXECUTABLE_STATUSES.includes(row.status) ? await findCharge(ledger, id) : undefined,
    live,
    history: await historyOf(ledger, id),
    /** The address of the page with its token. */
    address: address(''),
    /** The address of an act on the page. */
    act: (path: string) => address(`/${path}`),
  };
};

const METHODS: Readonly<Record<string, string>> = {
  crypto: 'Crypto',
  pixcrypto: 'Pix',
  fiatcrypto: 'Pix',
  cardcrypto: 'Card',
  cardfiat: 'Card',
};

/** The facts of a payment: method, receivers and payer. */
export const paymentView = ({ row }: Visit): Html => {
  const receivers = receiversOf(row).map(({ wallet, percent }) => html`<div>${percent} % ${mono(wallet)}</div>`);
  return facts([
    ['Method', METHODS[row.transaction_type ?? ''] ?? row.transaction_type],
    ['Receivers get', `${row.amount_to} ${row.to_currency_symbol}, ${row.to_chain}`],
    ['Receivers', receivers],
    ['Payer', row.payer_email],
    ['Payment', mono(row.id)],
  ]);
};

/** The gateway's code and messages about a card; `undefined` for other payments. */
const gatewayOf = (text: string): string | undefined => {
  const { charges } = parseJson(text) as Partial<ReturnType<typeof cardView>>;
  const response = charges?.[0]?.last_transaction.gateway_response;
  const messages = (response?.errors ?? []).map(({ message }) => message);
  return response && [response.code, ...messages].join(': ');
};

/** The transaction and the gateway's answer of a payment; `undefined` before any of them. */
export const outcomeView = ({ row }: Visit): Html | undefined => {
  const gateway = gatewayOf(row.global_payment_data);
  if (!row.tid_hash && !gateway) return undefined;
  return html`<div class="card"><h2>Outcome</h2>${facts([
    ['Transaction', row.tid_hash && mono(row.tid_hash)],
    ['Gateway', gateway],
  ])}</div>`;
};

const CHECKED = ['number', 'expiry'] as const;

/** A card field that is checked. */
export type CardField = (typeof CHECKED)[number];

/** The result of a card form: the issuer's decision, or the wrong fields. */
type CardResult =
  | { readonly ok: true; readonly outcome: CardOutcome }
  | { readonly ok: false; readonly wrong: readonly CardField[] };

const NUMBER = /^\d{12,19}$/;
const EXPIRY = /^(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})$/;

/** Test values of cards, each with its effect. */
export const TEST_CARDS: readonly (readonly [string, string])[] = [
  [APPROVED_TOKEN, 'Approved'],
  ['4242424242424242', 'Approved, as any other card number'],
  [REFUSED_CARD, 'Declined by the issuer'],
  ...Object.entries(REFUSING_TOKENS).map(([token, { message }]) => [token, `Declined: ${message}`] as const),
  [PENDING_TOKEN, 'Pending, until you decide as the issuer'],
];

const EXPIRED: CardOutcome = outcomeOf({ card_token: 'tok_expired' });

/** Whether a card has expired. It is valid until the end of its month. */
const isExpired = (expiry: string, now: number): boolean => {
  const [, month, year] = EXPIRY.exec(expiry) ?? [];
  return month !== undefined && Date.UTC(2000 + Number(year), Number(month)) <= now;
};

/** Reads a card form. The card is not stored, not logged and not shown again. */
export const readCard = (form: URLSearchParams, now: number): CardResult => {
  const number = (form.get('number') ?? '').replaceAll(/[\s-]/g, '');
  const expiry = (form.get('expiry') ?? '').trim();
  if (CARD_TOKENS.includes(number)) return { ok: true, outcome: outcomeOf({ card_token: number }) };
  const isValid = { number: NUMBER.test(number), expiry: EXPIRY.test(expiry) };
  const wrong = CHECKED.filter((name) => !isValid[name]);
  if (wrong.length > 0) return { ok: false, wrong };
  return { ok: true, outcome: isExpired(expiry, now) ? EXPIRED : outcomeOf({ card: { number } }) };
};

/** The wrong fields in the page's address. */
export const wrongFields = (names: readonly string[] | undefined): readonly CardField[] =>
  CHECKED.filter((name) => names?.includes(name));
