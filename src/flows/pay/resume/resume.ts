import { reviewEvm } from '../../../chain/evm/review.ts';
import { chainAndNonceOf, digestOf, readSigned } from '../../../chain/evm/transaction.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { liveOfPayment } from '../../../journal/doubt.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import { isOfPolicy, isPolicyDoubt, keepingRefusal, notSent, refusedByPolicy } from '../../policy/key-policy.ts';
import type { PayContext } from '../context.ts';
import { assertNoOther } from '../nonce.ts';
import { askedOf, keepRefusal, signingOf } from '../review.ts';
import { noteEnd, runPayment } from '../run.ts';
import { assertShown } from '../shown.ts';
import { expectedOf, type PaymentState, readPayment } from '../status.ts';
import { followPayment, giveUp, keyOf, type PaymentResult, type Resumption, unknown } from './resumption.ts';
import { sendAgain } from './send-again.ts';
import { settleSent } from './settle.ts';
import { signAnew } from './sign-anew.ts';

/** If bytes may have been sent, a failed read leaves everything in doubt. */
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
 * Determines the outcome of a payment and completes it. Reads the payment and a node if there is one, sends approved
 * bytes again, and signs new ones if the user confirms. Signs another transaction only if the first can never land.
 * Throws `outcome_unknown` with the hash if that is unproven. Throws `not_final` while it waits, `payment_failed` if
 * it ended in error.
 */
export const resumePayment = async (context: PayContext, resumption: Resumption): Promise<PaymentResult> => {
  const { state } = resumption;
  if (state.payment_id === undefined) return startAgain(context, resumption);
  const open = state.signed.filter(({ sent }) => sent !== 'no');
  const payment = await readBack(context, resumption, open);
  return open.length > 0 ? settleSent(context, resumption, payment, open) : resumeUnsent(context, resumption, payment);
};

/** Approved bytes that were never sent need a new confirmation: the user may have changed their mind. */
const sendApproved = async (context: PayContext, resumption: Resumption, part: SignedPart): Promise<PaymentResult> => {
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

/** Approved bytes that no service accepted are sent first, before others are signed. */
const approvedOf = ({ stage, signed }: Resumption['state']): SignedPart | undefined => {
  const part = stage === 'signed' || stage === 'sending' ? signed.at(-1) : undefined;
  return part?.isDead ? undefined : part;
};

/** No money was sent: continues from the service's state of the payment. */
const resumeUnsent = async (
  context: PayContext,
  resumption: Resumption,
  payment: PaymentState,
): Promise<PaymentResult> => {
  const approved = approvedOf(resumption.state);
  if (EXECUTABLE_STATUSES.includes(payment.status)) {
    return approved ? sendApproved(context, resumption, approved) : signAnew(context, resumption, payment);
  }
  const isFinal = payment.status === 'success' || payment.status === 'error';
  const last = isFinal ? payment : await followPayment(context, resumption, payment.id);
  if (EXECUTABLE_STATUSES.includes(last.status)) return resumeUnsent(context, resumption, last);
  if (last.status === 'success') {
    const hash = await assertShown(context, resumption, last);
    await noteEnd(context, last);
    return { payment_id: last.id, hash, payment: last };
  }
  const [other] = await liveOfPayment(context.client.io, last.id);
  await noteEnd(context, last);
  throw new Failure('payment_failed', `payment ${last.id} ended in error`, {
    data: last,
    hint: other
      ? `Another operation of this machine sent the transaction ${other.part.hash} for it.`
      : 'It was not executed from here.',
    ...(other && { next: nextStep('operation.resume.earlier', 'pay', other.state.id) }),
  });
};

/** No known registration: a registered but unsigned payment moves nothing. */
const startAgain = async (context: PayContext, resumption: Resumption): Promise<PaymentResult> => {
  const { register, transaction } = resumption.inputs;
  if (!register || !transaction) return giveUp(context, resumption);
  const withKey = keyOf(resumption, 'the payment is not registered yet');
  // The policy may have changed since the start.
  await keepRefusal(context.operation, await context.gate?.refusalOf(askedOf(resumption.intent, context.network)));
  return withKey((key) => runPayment(context, { register, transaction, intent: resumption.intent }, key));
};

/**
 * Checks approved unsent bytes against the current policies, which may be newer than the review. Asks the user if a
 * policy requires it; without a terminal the bytes stay unchanged. Throws `refused_by_review`.
 */
const assertStillAllowed = async (
  { gate, operation, network, overrides, pins, stating, approve }: PayContext,
  { intent, state }: Resumption,
  { signed_transaction, from }: SignedPart,
): Promise<void> => {
  if (gate === undefined) return;
  const unsigned = { ...readSigned(signed_transaction).fields, chainName: intent.chain };
  const own = { digest: digestOf(unsigned), place: unsigned };
  const review = await keepingRefusal(operation, state.payment_id, async () => {
    const policy = await gate.inForce(signingOf(unsigned, from), own);
    const expected = expectedOf(intent, stating);
    const found = reviewEvm({ unsigned, network, expected, signer: from, overrides, pins, policy });
    const wrong = found.checks.filter(isOfPolicy);
    if (wrong.length > 0) throw refusedByPolicy(wrong, 'The signed transaction was not sent.');
    return found;
  });
  const checks = review.checks.filter(isPolicyDoubt);
  if (checks.length > 0 && !(await approve({ ...review, verdict: 'confirm', checks }))) throw notSent();
};
