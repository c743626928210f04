import type { PayContext } from '../context.ts';
import { expectedOf } from '../expected.ts';
import { createTransaction } from '../prepare.ts';
import { executeAndWait } from '../run.ts';
import { reviewAndSign } from '../sign.ts';
import type { PaymentState } from '../status.ts';
import { inputsOf, keyOf, type Resumed, type Resumption } from './resumption.ts';

/** Reviews what the service built for the payment, signs it and sends it. */
export const signAnew = async (
  context: PayContext,
  resumption: Resumption,
  payment: PaymentState,
): Promise<Resumed> => {
  const { intent, inputs } = resumption;
  const withKey = keyOf(resumption, `payment ${payment.id} is ${payment.status}`);
  return withKey(async (key) => {
    // A transaction that was built a while ago has an old nonce and old fees.
    const cryptoTx = inputs ? await createTransaction(context, payment.id, inputs.transaction) : payment['unsigned_tx'];
    if (!cryptoTx) inputsOf(resumption);
    const unsigned = { cryptoTx, expected: expectedOf(intent) };
    return executeAndWait(context, payment.id, await reviewAndSign(context, payment.id, unsigned, key));
  });
};
