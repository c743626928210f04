import type { NodeFacts } from '../../../chain/evm/context.ts';
import { reviewEvm } from '../../../chain/evm/review.ts';
import { chainAndNonceOf, digestOf, readSigned } from '../../../chain/evm/transaction.ts';
import type { Check } from '../../../chain/review/check.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure, isFailure, isUninterrupted } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { liveOfPayment } from '../../../journal/doubt.ts';
import type { SignedPart } from '../../../journal/operation-state.ts';
import { readFacts } from '../../node/read-facts.ts';
import { AGAIN, confirmApproved, resumeOperation, type Situation, withPolicyChecks } from '../../operation/resume.ts';
import type { PolicyGate } from '../../policy/gate.ts';
import { lacksNode } from '../../policy/key-policy.ts';
import { askedOf, keepRefusal } from '../asked.ts';
import type { PayContext } from '../context.ts';
import { assertNewOrSame } from '../identity.ts';
import { assertNoOther } from '../nonce.ts';
import { signingOf } from '../review.ts';
import { noteEnd, runPayment } from '../run.ts';
import { assertShown } from '../shown.ts';
import { expectedOf, type PaymentState, readPayment } from '../status.ts';
import { followPayment, giveUp, keyOf, type PaymentResult, pendingAt, type Resumption, unknown } from './resumption.ts';
import { afterSending, sendAgain, signAnew } from './send.ts';
import { settleHidden, settleSent } from './settle.ts';

/** If bytes may have been sent, a failed read leaves everything in doubt. */
const readBack = async (context: PayContext, resumption: Resumption, open: readonly SignedPart[]) => {
  const paymentId = resumption.state.payment_id ?? '';
  try {
    const payment = await readPayment(context.client, paymentId);
    await context.on({ kind: 'read_back', status: payment.status, isLost: false });
    return payment;
  } catch (error) {
    const newest = open.at(-1);
    if (!newest || !isUninterrupted(error)) throw error;
    if (context.node && isFailure(error, 'not_found')) throw await settleHidden({ context, resumption, open }, error);
    throw unknown(resumption, paymentId, newest, `the payment cannot be read back: ${error.sentence}`, error);
  }
};

/** Approved bytes that no service accepted are sent first, before others are signed. */
const approvedOf = ({ stage, signed }: Resumption['state']): SignedPart | undefined => {
  const part = stage === 'signed' || stage === 'sending' ? signed.at(-1) : undefined;
  return part?.isDead ? undefined : part;
};

type PaymentSituation = Situation<PaymentState, SignedPart>;

const readSituation = ({ state }: Resumption, open: readonly SignedPart[], known: PaymentState): PaymentSituation => {
  if (open.length > 0) return { at: 'sent', known };
  if (!EXECUTABLE_STATUSES.includes(known.status)) {
    return { at: known.status === 'success' || known.status === 'error' ? 'over' : 'waiting', known };
  }
  const approved = approvedOf(state);
  return approved ? { at: 'approved', approved } : { at: 'missing', known };
};

const sendApproved = async (context: PayContext, resumption: Resumption, part: SignedPart): Promise<PaymentResult> => {
  const place = { ...chainAndNonceOf(part.signed_transaction), from: part.from, hash: part.hash };
  await assertNoOther(context, resumption.state.payment_id ?? '', place);
  await sendAgain(context, resumption, part);
  return afterSending(context, resumption, part.hash);
};

/** Bytes whose sending was recorded were confirmed for it before. */
const confirmSending = async ({ state, ...consent }: Resumption, { hash }: SignedPart): Promise<void> => {
  if (state.stage !== 'signed') return;
  const question = `Payment ${state.payment_id} was reviewed and signed (${hash}). Send it?`;
  await confirmApproved(consent, { ...pendingAt(state, `payment ${state.payment_id} is signed`), question });
};

const reviewAgain = async (context: PayContext, gate: PolicyGate, { intent }: Resumption, part: SignedPart) => {
  const { signed_transaction, from } = part;
  const { network, overrides, pins, stating, approve, node, operation } = context;
  const unsigned = { ...readSigned(signed_transaction).fields, chainName: intent.chain };
  const policy = await gate.inForce(signingOf(unsigned, from), { digest: digestOf(unsigned), place: unsigned });
  const expected = expectedOf(intent, stating);
  const reviewWith = (facts: NodeFacts | undefined) =>
    reviewEvm({ unsigned, network, expected, signer: from, overrides, pins, policy, node: facts });
  const byBytes = reviewWith(undefined);
  const seen = node && byBytes.checks.some(lacksNode) && reviewWith(await readFacts(node, unsigned, network));
  const review = seen ? { ...byBytes, checks: withPolicyChecks(byBytes.checks, seen.checks) } : byBytes;
  return {
    checks: review.checks,
    withNode: nextStep('pay.resume.live', operation.id),
    approve: (checks: readonly Check[]) => approve({ ...review, verdict: 'confirm', checks }),
  };
};

/** A payment that ended while nothing from here was open. */
const report = async (context: PayContext, resumption: Resumption, last: PaymentState): Promise<PaymentResult> => {
  if (last.status === 'success') {
    const hash = await assertShown(context, resumption, last);
    noteEnd(context, last);
    return { payment_id: last.id, hash, payment: last };
  }
  const [other] = await liveOfPayment(context.client.io, last.id);
  noteEnd(context, last);
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
 * Determines the outcome of a payment and completes it. Reads the payment and a node if there is one, sends approved
 * bytes again, and signs new ones if the user confirms. Signs another transaction only if the first can never land.
 * Throws `outcome_unknown` with the hash if that is unproven. Throws `not_final` while it waits, `payment_failed` if
 * it ended in error.
 */
export const resumePayment = async (context: PayContext, resumption: Resumption): Promise<PaymentResult> => {
  const { gate, operation } = context;
  const { state } = resumption;
  const open = state.signed.filter(({ sent }) => sent !== 'no');
  // The command may have ended before it had checked the id that the service gave.
  if (state.stage === 'registered') await assertNewOrSame(context.client.io, operation);
  let followed: PaymentState | undefined;
  return resumeOperation<PaymentState, SignedPart, PaymentResult>({
    operation,
    read: async () =>
      state.payment_id === undefined
        ? { at: 'start' }
        : readSituation(resumption, open, followed ?? (await readBack(context, resumption, open))),
    start: () => startAgain(context, resumption),
    settle: (payment) => settleSent(context, resumption, payment, open),
    build: (payment) => signAnew(context, resumption, payment),
    wait: async ({ id }) => {
      followed = await followPayment(context, resumption, id);
      return AGAIN;
    },
    report: (payment) => report(context, resumption, payment),
    approved: {
      confirm: (part) => confirmSending(resumption, part),
      review: gate && ((part) => reviewAgain(context, gate, resumption, part)),
      send: (part) => sendApproved(context, resumption, part),
    },
  });
};
