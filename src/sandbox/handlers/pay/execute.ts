import { execute as endpoint } from '../../../contract/pay/execute.ts';
import { findPayment } from '../../ledger/payments.ts';
import { executePayment } from '../../payments/execute.ts';
import { queueFor } from '../../payments/settle.ts';
import { fail, handle, succeed } from '../handler.ts';

/** POST /payment/execute/on-chain: one payer's executions on one chain happen one after the other. */
export const execute = handle(endpoint, async ({ services, tenant }, { payment_id, signed_transaction }) => {
  const row = await findPayment(await services.ledger(), tenant, payment_id);
  if (!row) return fail('payment_not_found', 'There is no such payment.');
  const executed = await services.inTurn(queueFor(row), () =>
    executePayment(services, tenant, payment_id, signed_transaction),
  );
  if (executed.status === 'payment_received') {
    return succeed('payment_received', 'The payment was received; the bridge pays out on the destination chain.', {
      id: payment_id,
      tx_hash: executed.hash,
    });
  }
  if (executed.status !== 'payment_confirmed') return fail(executed.status, executed.message);
  return succeed('payment_confirmed', 'The payment was confirmed on its chain.', {
    id: payment_id,
    tid_hash: executed.hash,
  });
});
