import { digitsOf } from '../../core/json.ts';
import { PENDING_TOKEN, REFUSED_CARD, REFUSING_TOKENS } from '../assumptions.ts';
import type { PaymentRow } from '../ledger/payments.ts';

/** What the acquirer says of a card. Nothing of the card itself is in it. */
export type CardOutcome =
  | { readonly kind: 'approved' | 'pending' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

type CardData = {
  readonly card_token?: string | undefined;
  readonly card?: Readonly<Record<string, unknown>> | undefined;
};

/** What the acquirer says of a card that it refuses for no reason of its own. */
export const REFUSED: CardOutcome = {
  kind: 'refused',
  ...(REFUSING_TOKENS['tok_refused'] ?? { code: '1000', message: 'The card was refused.' }),
};

const digits = (value: unknown): string => String(digitsOf(value) ?? value).replaceAll(/[\s-]/g, '');

/** Approval or refusal by the token or, its keys not being documented, by any value of the raw card. */
export const outcomeOf = ({ card_token, card }: CardData): CardOutcome => {
  if (card_token === undefined) {
    return Object.values(card ?? {}).some((value) => digits(value) === REFUSED_CARD) ? REFUSED : { kind: 'approved' };
  }
  if (card_token === PENDING_TOKEN) return { kind: 'pending' };
  const refusal = Object.hasOwn(REFUSING_TOKENS, card_token) ? REFUSING_TOKENS[card_token] : undefined;
  return refusal ? { kind: 'refused', ...refusal } : { kind: 'approved' };
};

const STATUS = { approved: 'paid', pending: 'pending', refused: 'failed' } as const;
const TRANSACTION_STATUS = { approved: 'captured', pending: 'waiting', refused: 'not_authorized' } as const;

const responseOf = (outcome: CardOutcome) =>
  outcome.kind === 'refused'
    ? { code: outcome.code, errors: [{ message: outcome.message }] }
    : { code: outcome.kind === 'approved' ? '200' : '202', errors: [] };

/** What came of a card payment. Document: global_payment_data of card payments. */
export const cardView = (row: PaymentRow, outcome: CardOutcome) => ({
  status: STATUS[outcome.kind],
  amount: row.amount_from,
  currency: row.from_currency_symbol,
  charges: [
    {
      status: STATUS[outcome.kind],
      payment_method: 'credit_card',
      last_transaction: {
        status: TRANSACTION_STATUS[outcome.kind],
        success: outcome.kind === 'approved',
        gateway_response: responseOf(outcome),
      },
    },
  ],
});
