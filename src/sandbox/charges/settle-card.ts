import { printJson } from '../../core/json.ts';
import { putCharge, removeCharge } from '../ledger/charges.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PaymentRow } from '../ledger/payments.ts';
import { queuePayout } from '../ledger/payouts.ts';
import { planPayout } from '../payouts/plan.ts';
import { type CardOutcome, cardView } from './card.ts';

const refusal = (row: PaymentRow, message: string) =>
  printJson({ code: 402, status: 'card_refused', details: { payment_id: row.id }, message });

/** `cardfiat` ends in fiat; `cardcrypto` is approved when its receivers have been paid on their chain. */
const statusOf = (type: string, outcome: CardOutcome) => {
  if (outcome.kind === 'pending') return {};
  if (outcome.kind === 'refused') return { status: 'error' };
  return { status: type === 'cardcrypto' ? 'processing' : 'success' };
};

/** What the acquirer's word makes of a card payment of that type, and what is recorded with it. */
export const applyOutcome = (row: PaymentRow, type: string, outcome: CardOutcome, now: number) => {
  const owe = async (step: Ledger): Promise<void> => {
    const planned = planPayout(row);
    if (!planned.ok) throw new Error(`payment ${row.id} cannot be paid out: ${planned.errors[0]?.message}`);
    await queuePayout(step, row.id, planned.plan, now);
  };
  return {
    change: {
      ...statusOf(type, outcome),
      ...(outcome.kind === 'refused' && { data_error: refusal(row, outcome.message) }),
      global_payment_data: printJson(cardView(row, outcome)),
    },
    also: async (step: Ledger): Promise<void> => {
      if (outcome.kind === 'pending') {
        return putCharge(step, { payment_id: row.id, kind: 'card', details: '{}', expires_ms: null });
      }
      await removeCharge(step, row.id);
      if (outcome.kind === 'approved' && type === 'cardcrypto') await owe(step);
    },
  };
};
