import type { Input } from '../../client/call.ts';
import { isJsonObject } from '../../core/json.ts';
import type { PaymentState } from '../pay/status.ts';

/** How many charges a payment shows. Document: global_payment_data of card payments. */
export const chargesIn = (payment: unknown): number => {
  const data = isJsonObject(payment) ? payment['global_payment_data'] : undefined;
  const charges = isJsonObject(data) ? data['charges'] : undefined;
  return Array.isArray(charges) ? charges.length : 0;
};

/**
 * A payment that was read back and shows what became of the card that was sent: its type, and more charges than it had
 * `before`. `undefined` where it does not, for then the card may be on its way yet.
 */
export const cardShownBy = (
  payment: unknown,
  { transaction_type: type }: Input,
  before = 0,
): PaymentState | undefined => {
  if (!isJsonObject(payment) || payment['transaction_type'] !== type) return undefined;
  return chargesIn(payment) > before ? (payment as PaymentState) : undefined;
};
