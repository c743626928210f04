import type { Input } from '../../client/call.ts';
import { isJsonObject } from '../../core/json.ts';
import type { PaymentState } from '../pay/status.ts';

/** The number of charges of a payment. Document: global_payment_data of card payments. */
export const chargesIn = (payment: unknown): number => {
  const data = isJsonObject(payment) ? payment['global_payment_data'] : undefined;
  const charges = isJsonObject(data) ? data['charges'] : undefined;
  return Array.isArray(charges) ? charges.length : 0;
};

/**
 * The payment if it shows the outcome of the sent card: the same type, and more charges than `before`. Otherwise
 * `undefined`, because the card request may still be running.
 */
export const cardShownBy = (
  payment: unknown,
  { transaction_type: type }: Input,
  before = 0,
): PaymentState | undefined => {
  if (!isJsonObject(payment) || payment['transaction_type'] !== type) return undefined;
  return chargesIn(payment) > before ? (payment as PaymentState) : undefined;
};
