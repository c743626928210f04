import type { Input } from '../../client/call.ts';
import { isJsonObject } from '../../core/json.ts';
import type { PaymentState } from '../pay/status.ts';

/**
 * A payment that was read back and shows what became of the card that was sent: its type, and charges. `undefined` where
 * it does not, for then the card may be on its way yet. Document: global_payment_data of card payments.
 */
export const cardShownBy = (payment: unknown, { transaction_type: type }: Input): PaymentState | undefined => {
  if (!isJsonObject(payment) || payment['transaction_type'] !== type) return undefined;
  const { global_payment_data: data } = payment;
  const charges = isJsonObject(data) ? data['charges'] : undefined;
  return Array.isArray(charges) && charges.length > 0 ? (payment as PaymentState) : undefined;
};
