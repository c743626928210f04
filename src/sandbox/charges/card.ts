import { digitsOf, printJson } from '../../core/json.ts';
import { PENDING_TOKEN, REFUSED_CARD, REFUSING_TOKENS } from '../assumptions.ts';
import { putCharge, queuePayout, removeCharge } from '../ledger/charges.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { planOf } from '../payments/receivers.ts';

/** The decision on a card. It contains no card data. */
export type CardOutcome =
  | { readonly kind: 'approved' | 'pending' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

type CardData = {
  readonly card_token?: string | undefined;
  readonly card?: Readonly<Record<string, unknown>> | undefined;
};

const digits = (value: unknown): string => String(digitsOf(value) ?? value).replaceAll(/[\s-]/g, '');

/**
 * Decides by the token, or by the values of a raw card. All values count, because the document names no keys of a card.
 */
export const outcomeOf = ({ card_token, card }: CardData): CardOutcome => {
  if (card_token === undefined) {
    return Object.values(card ?? {}).some((value) => digits(value) === REFUSED_CARD) ? REFUSED : { kind: 'approved' };
  }
  if (card_token === PENDING_TOKEN) return { kind: 'pending' };
  const refusal = Object.hasOwn(REFUSING_TOKENS, card_token) ? REFUSING_TOKENS[card_token] : undefined;
  return refusal ? { kind: 'refused', ...refusal } : { kind: 'approved' };
};

/** A refusal without a special reason. */
export const REFUSED: CardOutcome = outcomeOf({ card_token: 'tok_refused' });

const STATUS = { approved: 'paid', pending: 'pending', refused: 'failed' } as const;
const TRANSACTION_STATUS = { approved: 'captured', pending: 'waiting', refused: 'not_authorized' } as const;

const responseOf = (outcome: CardOutcome) =>
  outcome.kind === 'refused'
    ? { code: outcome.code, errors: [{ message: outcome.message }] }
    : { code: outcome.kind === 'approved' ? '200' : '202', errors: [] };

/** `global_payment_data` of a card payment. Document: global_payment_data of card payments. */
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

const refusal = (row: PaymentRow, message: string) =>
  printJson({ code: 402, status: 'card_refused', details: { payment_id: row.id }, message });

/**
 * An approved `cardfiat` has ended. An approved `cardcrypto` is `processing` until the treasury has paid the receivers.
 */
const statusOf = (type: string, outcome: CardOutcome) => {
  if (outcome.kind === 'pending') return {};
  if (outcome.kind === 'refused') return { status: 'error' };
  return { status: type === 'cardcrypto' ? 'processing' : 'success' };
};

/** The changes of a card payment after the decision. `also` writes its records in the same transaction. */
export const applyOutcome = (row: PaymentRow, type: string, outcome: CardOutcome, now: number) => {
  const change = {
    ...statusOf(type, outcome),
    ...(outcome.kind === 'refused' && { data_error: refusal(row, outcome.message) }),
    global_payment_data: printJson(cardView(row, outcome)),
  };
  const also = async (step: Ledger): Promise<void> => {
    if (outcome.kind === 'pending') {
      return putCharge(step, { payment_id: row.id, kind: 'card', details: '{}', expires_ms: null });
    }
    await removeCharge(step, row.id);
    if (outcome.kind === 'approved' && type === 'cardcrypto') await queuePayout(step, row.id, planOf(row), now);
  };
  return { change, also };
};
