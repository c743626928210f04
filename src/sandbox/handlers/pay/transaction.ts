import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { transaction as endpoint } from '../../../contract/pay/transaction.ts';
import { type GateVerdict, identityGate } from '../../identity/status.ts';
import { findPayment, type PaymentRow } from '../../ledger/payments.ts';
import { hashOf } from '../../ledger/tenants.ts';
import { checkMethod } from '../../payments/check-transaction.ts';
import { judgeCardPayment } from '../../payments/create/card.ts';
import { judgeCryptoPayment } from '../../payments/create/crypto.ts';
import type { Input, Judge, Judged } from '../../payments/create/made.ts';
import { judgePixPayment } from '../../payments/create/pix.ts';
import { movePayment } from '../../payments/move.ts';
import type { Services } from '../../services.ts';
import { fail, handle, succeed } from '../handler.ts';

const JUDGES: Readonly<Record<Input['transaction_type'], Judge>> = {
  crypto: judgeCryptoPayment,
  pixcrypto: judgePixPayment,
  fiatcrypto: judgePixPayment,
  cardcrypto: judgeCardPayment,
  cardfiat: judgeCardPayment,
};

const REFUSALS = {
  kyc_verification_required: 'The payer has to be verified before this kind of payment.',
  kyc_not_approved: "The payer's verification is not approved.",
} as const;

const wrongPayment = (message: string) =>
  fail('validation_error', 'The transaction cannot be created.', [{ field: 'payment_id', message }]);

const judge = async (services: Services, row: PaymentRow, input: Input): Promise<Judged> => {
  const errors = checkMethod(row, input.transaction_type);
  return errors.length > 0 ? { ok: false, errors } : JUDGES[input.transaction_type](services, row, input);
};

/** Document: KYC/KYB rules for transaction creation. A checkout and a crypto payment never need it. */
const gate = async (services: Services, row: PaymentRow, input: Input): Promise<GateVerdict> =>
  row.executor_id === 'order_transaction' || input.transaction_type === 'crypto'
    ? 'approved'
    : identityGate(services, { email: input.payer_email, wallet: input.payer_wallet });

/** POST /payment/register/intents-create-transaction. Assumption: it may be repeated until the payment is executed. */
export const transaction = handle(endpoint, async ({ services, tenant }, input) => {
  const row = await findPayment(await services.ledger(), tenant, input.payment_id);
  if (!row) return wrongPayment('there is no such payment');
  if (!EXECUTABLE_STATUSES.includes(row.status)) return wrongPayment(`the payment is ${row.status}`);
  const judged = await judge(services, row, input);
  if (!judged.ok) return fail('validation_error', 'The transaction cannot be created.', judged.errors);
  const verdict = await gate(services, row, input);
  if (verdict !== 'approved') return fail(verdict, REFUSALS[verdict]);
  const { change, also, crypto_tx, fiat_tx } = await judged.make();
  const token = Buffer.from(services.io.random.bytes(24)).toString('base64url');
  const expected = { id: row.id, statuses: EXECUTABLE_STATUSES };
  if (!(await movePayment(services, expected, { ...change, session_hash: hashOf(token) }, also))) {
    return wrongPayment('the payment has moved on');
  }
  return succeed('payment_registered', 'The payer transaction was created.', {
    payment_id: row.id,
    session_payment: `${services.url()}/pay/${row.id}?token=${token}`,
    crypto_tx,
    fiat_tx,
  });
});
