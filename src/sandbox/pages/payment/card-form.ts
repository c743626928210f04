import { PENDING_TOKEN, REFUSED_CARD, REFUSING_TOKENS } from '../../assumptions.ts';
import { type CardOutcome, outcomeOf } from '../../charges/card.ts';

const CHECKED = ['number', 'expiry'] as const;

/** A field that can be wrong. */
export type CardField = (typeof CHECKED)[number];

/** A typed card: its issuer's decision, or the wrong fields. */
export type Entered =
  | { readonly ok: true; readonly outcome: CardOutcome }
  | { readonly ok: false; readonly wrong: readonly CardField[] };

const NUMBER = /^\d{12,19}$/;
const TOKEN = /^tok_\w{1,64}$/;
const EXPIRY = /^(0[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})$/;

/** Test values, and what each of them does. */
export const TEST_CARDS: readonly (readonly [string, string])[] = [
  ['4242424242424242', 'is approved, as any other number is'],
  [REFUSED_CARD, 'is refused by its issuer'],
  ...Object.entries(REFUSING_TOKENS).map(([token, { message }]) => [token, message] as const),
  [PENDING_TOKEN, 'leaves the payment waiting'],
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
  if (TOKEN.test(number)) return { ok: true, outcome: outcomeOf({ card_token: number }) };
  const isRight = { number: NUMBER.test(number), expiry: EXPIRY.test(expiry) };
  const wrong = CHECKED.filter((name) => !isRight[name]);
  if (wrong.length > 0) return { ok: false, wrong };
  return { ok: true, outcome: isFinal(expiry, now) ? EXPIRED : outcomeOf({ card: { number } }) };
};

/** The wrong fields that the page's address names. */
export const wrongFields = (names: readonly string[] | undefined): readonly CardField[] =>
  CHECKED.filter((name) => names?.includes(name));
