import type { PayContext } from '../context.ts';
import { expectedOf } from '../expected.ts';
import { createTransaction } from '../prepare.ts';
import { executeAndWait } from '../run.ts';
import { type Reviewed, reviewAndSign, reviewSigned } from '../sign.ts';
import type { PaymentState } from '../status.ts';
import { giveUp, keyOf, type Resumed, type Resumption } from './resumption.ts';

/** Bytes that were signed elsewhere and are approved now. */
const reviewAgain = async (
  context: PayContext,
  resumption: Resumption,
  payment: PaymentState,
  hex: string,
): Promise<Reviewed> => {
  // What was shown to be dead is not sent again, and whoever signed it must sign another.
  if (resumption.state.signed.some(({ isDead }) => isDead)) return giveUp(context, resumption);
  const unsigned = { cryptoTx: payment['unsigned_tx'], expected: expectedOf(resumption.intent, context.stating) };
  return reviewSigned(context, payment.id, unsigned, hex);
};

/** What the service builds for the payment, reviewed and signed. */
const signNext = async (context: PayContext, resumption: Resumption, payment: PaymentState): Promise<Reviewed> => {
  const { state, intent, inputs } = resumption;
  const withKey = keyOf(resumption, `payment ${payment.id} is ${payment.status}`);
  const isSpent = state.signed.some(({ isDead }) => isDead);
  // A transaction that was built a while ago has an old nonce and old fees: one that is dead cannot be signed again.
  if (!inputs.transaction && (isSpent || !payment['unsigned_tx'])) return giveUp(context, resumption);
  return withKey(async (key) => {
    const cryptoTx = inputs.transaction
      ? await createTransaction(context, payment.id, inputs.transaction)
      : payment['unsigned_tx'];
    return reviewAndSign(context, payment.id, { cryptoTx, expected: expectedOf(intent, context.stating) }, key);
  });
};

/** Reviews what the service built for the payment, signs it, or takes what was signed elsewhere, and sends it. */
export const signAnew = async (
  context: PayContext,
  resumption: Resumption,
  payment: PaymentState,
): Promise<Resumed> => {
  const hex = resumption.inputs.signed_transaction;
  keyOf(resumption, `payment ${payment.id} is ${payment.status}`);
  const reviewed = hex
    ? await reviewAgain(context, resumption, payment, hex)
    : await signNext(context, resumption, payment);
  return executeAndWait(context, payment.id, reviewed);
};
