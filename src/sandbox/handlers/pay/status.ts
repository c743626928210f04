import { status as endpoint } from '../../../contract/pay/status.ts';
import { findPayment } from '../../ledger/payments.ts';
import { paymentView } from '../../payments/view.ts';
import { fail, handle, succeed } from '../handler.ts';

/** GET /payment/{id}/status. Assumption: an unknown id, and another tenant's, is 404 `payment_not_found`. */
export const status = handle(endpoint, async ({ services, tenant }, { id }) => {
  const row = await findPayment(await services.ledger(), tenant, id);
  if (!row) return fail('payment_not_found', 'There is no such payment.');
  return succeed('payment_found', 'The payment was found.', paymentView(row));
});
