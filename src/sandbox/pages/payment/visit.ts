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

/** A payment as its page shows it. */
export type Visit = NonNullable<Awaited<ReturnType<typeof findVisit>>>;

/** The payment that a token opens; the token of an earlier payer transaction opens nothing. */
export const findVisit = async (services: Services, id: string, token: string) => {
  const live = await liveNow(services);
  const ledger = await services.ledger();
  const row = await findBySession(ledger, id, hashOf(token));
  if (!row) return undefined;
  const address = (what: string) => `/pay/${encodeURIComponent(id)}${what}?token=${encodeURIComponent(token)}`;
  return {
    row,
    /** What it waits for, while it does. */
    charge: EXECUTABLE_STATUSES.includes(row.status) ? await findCharge(ledger, id) : undefined,
    live,
    history: await historyOf(ledger, id),
    /** The address of the page, with the token that opens it. */
    address: address(''),
    /** The address of something that can be done on it. */
    act: (what: string) => address(`/${what}`),
  };
};

const METHODS: Readonly<Record<string, string>> = {
  crypto: 'Crypto',
  pixcrypto: 'Pix',
  fiatcrypto: 'Pix',
  cardcrypto: 'Card',
  cardfiat: 'Card',
};

/** Who pays whom, and how. */
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

/** The gateway's own words on a card. */
const gatewayOf = (text: string): string | undefined => {
  const { charges } = parseJson(text) as Partial<ReturnType<typeof cardView>>;
  const response = charges?.[0]?.last_transaction.gateway_response;
  const messages = (response?.errors ?? []).map(({ message }) => message);
  return response && [response.code, ...messages].join(': ');
};

/** What came of a payment that is under way or over. */
export const outcomeView = ({ row }: Visit): Html | undefined => {
  const gateway = gatewayOf(row.global_payment_data);
  if (!row.tid_hash && !gateway) return undefined;
  return html`<div class="card"><h2>Outcome</h2>${facts([
    ['Transaction', row.tid_hash && mono(row.tid_hash)],
    ['Gateway', gateway],
  ])}</div>`;
};

const CHECKED = ['number', 'expiry'] as const;

/** A field that can be wrong. */
export type CardField = (typeof CHECKED)[number];

/** A typed card: its issuer's decision, or the wrong fields. */
type Entered =
  | { readonly ok: true; readonly outcome: CardOutcome }
  | { readonly ok: false; readonly wrong: readonly CardField[] };

const NUMBER = /^\d{12,19}$/;
const EXPIRY = /^(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})$/;

/** Test values, and what each of them does. */
export const TEST_CARDS: readonly (readonly [string, string])[] = [
  [APPROVED_TOKEN, 'Approved'],
  ['4242424242424242', 'Approved, as any other card number'],
  [REFUSED_CARD, 'Declined by the issuer'],
  ...Object.entries(REFUSING_TOKENS).map(([token, { message }]) => [token, `Declined: ${message}`] as const),
  [PENDING_TOKEN, 'Pending, until you decide as the issuer'],
];

const EXPIRED: CardOutcome = outcomeOf({ card_token: 'tok_expired' });

/** A card is good until the end of its month. */
const isFinal = (expiry: string, now: number): boolean => {
  const [, month, year] = EXPIRY.exec(expiry) ?? [];
  return month !== undefined && Date.UTC(2000 + Number(year), Number(month)) <= now;
};

/** Reads the form and forgets it: a card is not kept, not logged and not shown again. */
export const readCard = (form: URLSearchParams, now: number): Entered => {
  const number = (form.get('number') ?? '').replaceAll(/[\s-]/g, '');
  const expiry = (form.get('expiry') ?? '').trim();
  if (CARD_TOKENS.includes(number)) return { ok: true, outcome: outcomeOf({ card_token: number }) };
  const isRight = { number: NUMBER.test(number), expiry: EXPIRY.test(expiry) };
  const wrong = CHECKED.filter((name) => !isRight[name]);
  if (wrong.length > 0) return { ok: false, wrong };
  return { ok: true, outcome: isFinal(expiry, now) ? EXPIRED : outcomeOf({ card: { number } }) };
};

/** The wrong fields that the page's address names. */
export const wrongFields = (names: readonly string[] | undefined): readonly CardField[] =>
  CHECKED.filter((name) => names?.includes(name));
