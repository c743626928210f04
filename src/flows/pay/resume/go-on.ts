import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure } from '../../../core/failure.ts';
import type { SignedPart } from '../../../journal/state.ts';
import type { PayContext } from '../context.ts';
import { expectedOf } from '../expected.ts';
import { createTransaction, registerPayment } from '../prepare.ts';
import { executeAndWait } from '../run.ts';
import { reviewAndSign } from '../sign.ts';
import type { PaymentState } from '../status.ts';
import { followPayment } from './follow.ts';
import { ended, inputsOf, keyOf, type Resumed, type Resumption } from './resumption.ts';
import { sendAgain } from './send-again.ts';
import { signAnew } from './sign-anew.ts';

/** Bytes that were approved and never left this machine. */
const sendFirst = async (context: PayContext, resumption: Resumption, part: SignedPart): Promise<Resumed> => {
  keyOf(resumption, `payment ${resumption.state.payment_id} is signed`);
  return sendAgain(context, resumption, part);
};

/** Nothing was sent that moves money: it goes on from where the service shows the payment. */
export const goOn = async (context: PayContext, resumption: Resumption, payment: PaymentState): Promise<Resumed> => {
  const { stage, signed } = resumption.state;
  const approved = stage === 'signed' ? signed.at(-1) : undefined;
  if (EXECUTABLE_STATUSES.includes(payment.status)) {
    return approved ? sendFirst(context, resumption, approved) : signAnew(context, resumption, payment);
  }
  const isFinal = payment.status === 'success' || payment.status === 'error';
  const last = isFinal ? payment : await followPayment(context, resumption, payment.id);
  if (EXECUTABLE_STATUSES.includes(last.status)) return goOn(context, resumption, last);
  await ended(context, last);
  if (last.status === 'success') return { payment_id: last.id, hash: last.tid_hash ?? null, payment: last };
  throw new Failure('payment_failed', `payment ${last.id} ended in error`, {
    data: last,
    hint: 'It was not executed from here.',
  });
};

/** Nothing is registered, as far as is known: a payment that is and was not signed for moves nothing. */
export const startAgain = async (context: PayContext, resumption: Resumption): Promise<Resumed> => {
  const { register, transaction } = inputsOf(resumption);
  const withKey = keyOf(resumption, 'the payment is not registered yet');
  return withKey(async (key) => {
    const paymentId = await registerPayment(context, register);
    const cryptoTx = await createTransaction(context, paymentId, transaction);
    const unsigned = { cryptoTx, expected: expectedOf(resumption.intent) };
    return executeAndWait(context, paymentId, await reviewAndSign(context, paymentId, unsigned, key));
  });
};
