import { placeOf } from '../../../chain/evm/signed.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import { askedOf, keepRefusal } from '../asked.ts';
import type { PayContext } from '../context.ts';
import { assertShown } from '../landed.ts';
import { assertNoOther } from '../live.ts';
import { noteEnd, runPayment } from '../run.ts';
import type { PaymentState } from '../status.ts';
import { followPayment } from './follow.ts';
import { giveUp, keyOf, type Resumed, type Resumption } from './resumption.ts';
import { sendAgain } from './send-again.ts';
import { signAnew } from './sign-anew.ts';
import { assertStillAllowed } from './younger-policy.ts';

/** Bytes that were approved. Where their sending was never begun, the user may have thought better of it. */
const sendApproved = async (context: PayContext, resumption: Resumption, part: SignedPart): Promise<Resumed> => {
  const { state, confirm } = resumption;
  if (state.stage === 'signed') {
    keyOf(resumption, `payment ${state.payment_id} is signed`);
    if (!(await confirm(`Payment ${state.payment_id} was reviewed and signed (${part.hash}). Send it?`))) {
      throw new Failure('declined', 'not confirmed; nothing was sent', {
        next: nextStep('pay.resume.confirmed', resumption.state.id),
      });
    }
  }
  await assertStillAllowed(context, resumption, part);
  const paymentId = state.payment_id ?? '';
  await assertNoOther(context, paymentId, { ...placeOf(part.signed_transaction), from: part.from, hash: part.hash });
  return sendAgain(context, resumption, part);
};

/** Bytes that were approved and that nobody has taken; they are sent rather than others for the same payment. */
const approvedOf = ({ stage, signed }: Resumption['state']): SignedPart | undefined => {
  const part = stage === 'signed' || stage === 'executing' ? signed.at(-1) : undefined;
  return part?.isDead ? undefined : part;
};

/** Nothing was sent that moves money: it goes on from where the service shows the payment. */
export const resumeUnsent = async (
  context: PayContext,
  resumption: Resumption,
  payment: PaymentState,
): Promise<Resumed> => {
  const approved = approvedOf(resumption.state);
  if (EXECUTABLE_STATUSES.includes(payment.status)) {
    return approved ? sendApproved(context, resumption, approved) : signAnew(context, resumption, payment);
  }
  const isFinal = payment.status === 'success' || payment.status === 'error';
  const last = isFinal ? payment : await followPayment(context, resumption, payment.id);
  if (EXECUTABLE_STATUSES.includes(last.status)) return resumeUnsent(context, resumption, last);
  if (last.status === 'success') await assertShown(context, last);
  await noteEnd(context, last);
  if (last.status === 'success') return { payment_id: last.id, hash: last.tid_hash ?? null, payment: last };
  throw new Failure('payment_failed', `payment ${last.id} ended in error`, {
    data: last,
    hint: 'It was not executed from here.',
  });
};

/** Nothing is registered, as far as is known: a payment that is and was not signed for moves nothing. */
export const startAgain = async (context: PayContext, resumption: Resumption): Promise<Resumed> => {
  const { register, transaction } = resumption.inputs;
  if (!register || !transaction) return giveUp(context, resumption);
  const withKey = keyOf(resumption, 'the payment is not registered yet');
  // The policy may be another than when it was begun.
  await keepRefusal(context.operation, await context.gate?.refusalOf(askedOf(resumption.intent, context.network)));
  return withKey((key) => runPayment(context, { register, transaction, intent: resumption.intent }, key));
};
