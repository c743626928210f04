import { reviewEvm } from '../../../chain/evm/review.ts';
import { chainAndNonceOf, digestOf, readSigned } from '../../../chain/evm/transaction.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import { isOfPolicy, keepingRefusal, refusedByPolicy } from '../../policy/refusal.ts';
import { askedOf, keepRefusal } from '../asked.ts';
import type { PayContext } from '../context.ts';
import { expectedOf } from '../expected.ts';
import { assertShown } from '../landed.ts';
import { assertNoOther } from '../live.ts';
import { signingOf } from '../review.ts';
import { noteEnd, runPayment } from '../run.ts';
import { type PaymentState, readPayment } from '../status.ts';
import { followPayment, giveUp, keyOf, type Resumed, type Resumption, unknown } from './resumption.ts';
import { sendAgain } from './send-again.ts';
import { settleSent } from './settle.ts';
import { signAnew } from './sign-anew.ts';

/** With bytes that may have been sent, a state that cannot be read leaves all in doubt. */
const readBack = async (context: PayContext, resumption: Resumption, open: readonly SignedPart[]) => {
  const paymentId = resumption.state.payment_id ?? '';
  try {
    const payment = await readPayment(context.client, paymentId);
    await context.on({ kind: 'read_back', status: payment.status, isLost: false });
    return payment;
  } catch (error) {
    const newest = open.at(-1);
    if (!newest || !isFailure(error) || error.code === 'interrupted') throw error;
    throw unknown(resumption, paymentId, newest, `the payment cannot be read back: ${error.sentence}`, error);
  }
};

/**
 * Finds out what became of a payment and brings it to its end: reads it back, asks a node where there is one, sends
 * approved bytes again, and, with the user's word, signs what was not signed. Another transaction is signed only when
 * the one before is shown to be dead. Throws `outcome_unknown` with the hash where that cannot be shown, `not_final`
 * where it waits for something, `payment_failed` when it ended in error.
 */
export const resumePayment = async (context: PayContext, resumption: Resumption): Promise<Resumed> => {
  const { state } = resumption;
  if (state.payment_id === undefined) return startAgain(context, resumption);
  const open = state.signed.filter(({ sent }) => sent !== 'no');
  const payment = await readBack(context, resumption, open);
  return open.length > 0 ? settleSent(context, resumption, payment, open) : resumeUnsent(context, resumption, payment);
};

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
  await assertNoOther(context, paymentId, {
    ...chainAndNonceOf(part.signed_transaction),
    from: part.from,
    hash: part.hash,
  });
  return sendAgain(context, resumption, part);
};

/** Bytes that were approved and that nobody has taken; they are sent rather than others for the same payment. */
const approvedOf = ({ stage, signed }: Resumption['state']): SignedPart | undefined => {
  const part = stage === 'signed' || stage === 'sending' ? signed.at(-1) : undefined;
  return part?.isDead ? undefined : part;
};

/** Nothing was sent that moves money: it goes on from where the service shows the payment. */
const resumeUnsent = async (context: PayContext, resumption: Resumption, payment: PaymentState): Promise<Resumed> => {
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
const startAgain = async (context: PayContext, resumption: Resumption): Promise<Resumed> => {
  const { register, transaction } = resumption.inputs;
  if (!register || !transaction) return giveUp(context, resumption);
  const withKey = keyOf(resumption, 'the payment is not registered yet');
  // The policy may be another than when it was begun.
  await keepRefusal(context.operation, await context.gate?.refusalOf(askedOf(resumption.intent, context.network)));
  return withKey((key) => runPayment(context, { register, transaction, intent: resumption.intent }, key));
};

/**
 * Holds bytes that were approved and never sent against the policies as they are now: one may be younger than their review.
 * Throws `refused_by_review`, and then they are not sent any more.
 */
const assertStillAllowed = async (
  { gate, operation, network, overrides, pins, stating }: PayContext,
  { intent, state }: Resumption,
  { signed_transaction, from }: SignedPart,
): Promise<void> => {
  if (gate === undefined) return;
  const unsigned = { ...readSigned(signed_transaction).fields, chainName: intent.chain };
  const own = { digest: digestOf(unsigned), place: unsigned };
  await keepingRefusal(operation, state.payment_id, async () => {
    const policy = await gate.inForce(signingOf(unsigned, from), own);
    const expected = expectedOf(intent, stating);
    const { checks } = reviewEvm({ unsigned, network, expected, signer: from, overrides, pins, policy });
    const wrong = checks.filter(isOfPolicy);
    if (wrong.length > 0)
      throw refusedByPolicy(wrong, 'The signed transaction was not sent, and is not sent any more.');
  });
};
