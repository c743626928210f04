import { isPaymentIntent } from '../../../journal/state.ts';
import type { MovementArea } from '../../movements/area.ts';

/** Payments as the journal has them. */
export const PAYMENTS: MovementArea = {
  area: 'pay',
  noun: 'payment',
  isOwn: isPaymentIntent,
  facts: ({ begun: { intent }, payment_id, signed }) => ({
    payment_id: payment_id ?? null,
    ...(isPaymentIntent(intent) && { amount: intent.amount, currency: intent.currency, chain: intent.chain }),
    tid_hash: signed.findLast(({ sent }) => sent !== 'no')?.hash ?? null,
  }),
  brief: ['payment_id', 'amount', 'currency', 'chain'],
};
