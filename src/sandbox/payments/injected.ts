import type { Endpoint } from '../../contract/define.ts';
import { execute } from '../../contract/pay/execute.ts';
import { EXECUTABLE_STATUSES, STALE_NONCE } from '../../contract/pay/shared.ts';
import { changePaymentThrough, findPayment } from '../ledger/payments.ts';
import type { Services } from '../services.ts';
import { dataErrorOf } from './settle.ts';
import { hashOfSigned } from './signed.ts';

/** Errors of execute that come after the signed transaction is saved: the payment ends in `error`. */
const AFTER_SAVING = ['payment_failed', 'finalizer_payment_order_on_chain_failed'];

/** Whether an injected error leaves a payment in another state than it was in. */
export const leavesState = ({ id }: Endpoint, status: string): boolean =>
  id === execute.id && (status === STALE_NONCE || AFTER_SAVING.includes(status));

type Injected = { readonly tenant: string; readonly input: Readonly<Record<string, unknown>> };

/**
 * An injected error of execute leaves its payment in the state in which the real error leaves it. Only a payment that
 * the call could have executed moves; nothing is sent to its chain.
 */
export const leaveInjected = async (services: Services, status: string, { tenant, input }: Injected): Promise<void> => {
  const ledger = await services.ledger();
  const row = await findPayment(ledger, tenant, String(input['payment_id']));
  if (!row || row.unsigned_tx === null) return;
  const expected = { id: row.id, statuses: EXECUTABLE_STATUSES, unsigned_tx: row.unsigned_tx };
  const updated_at = services.clock.nowIso();
  if (status === STALE_NONCE) {
    await changePaymentThrough(ledger, expected, [{ status: 'retry', updated_at }]);
  } else {
    const signed_tx = String(input['signed_transaction']);
    const hash = await hashOfSigned(signed_tx).catch(() => null);
    const data_error = dataErrorOf(row.id, hash, { status, message: 'A fault was injected.' });
    await changePaymentThrough(ledger, expected, [
      { status: 'processing', signed_tx, updated_at },
      { status: 'error', data_error, updated_at },
    ]);
  }
  services.nudge();
};
