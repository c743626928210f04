import type { Input } from '../../client/call.ts';
import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { Failure } from '../../core/failure.ts';
import { textAt } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { deploymentOf } from '../../journal/keys.ts';
import { storeOf } from '../../journal/open-store.ts';
import { cardSent } from '../../journal/status.ts';
import { resumeOperation, type Situation } from '../operation/resume.ts';
import { assertNewOrSame } from '../pay/identity.ts';
import { payAgain } from '../pay/pay-again.ts';
import { type PrepareContext, registerPayment } from '../pay/prepare.ts';
import { noteEnd } from '../pay/run.ts';
import { type PaymentState, readPayment } from '../pay/status.ts';
import { assertShownAsStated } from '../statement.ts';
import { besideInWords, openPixOf, otherCardOf, payablePix } from './other-charge.ts';
import { payableAgain } from './pix.ts';
import { type Charge, charge, chargesIn, type RequestedCharge, showPix } from './run.ts';
import { assertAlive, type ChargeResumption, confirmAgain, hasLostPix, settleCard, settlePix } from './settling.ts';

const gone = async ({ operation }: PrepareContext, { state }: ChargeResumption): Promise<never> => {
  const isInDoubt = cardSent(state) !== 'no';
  const paymentId = isInDoubt ? state.payment_id : state.started.payment_id;
  if (!isInDoubt) await operation.note({ step: 'failed', code: 'invalid_input', status: undefined, is_unknown: false });
  throw new Failure('invalid_input', 'the options of this payment are no longer on this machine', {
    hint: isInDoubt
      ? 'Nothing was sent now. Check where cards are charged before you pay again.'
      : 'Nothing was paid by it, and it is not resumed. Give the options again.',
    // A step of the user belongs to a payment that exists: another payment would stand beside it.
    next: paymentId === undefined ? payAgain(state) : nextStep('pay.status', paymentId),
  });
};

/** The body of its transaction, including the card, which is never in the journal. */
const inputOf = async (context: PrepareContext, resumption: ChargeResumption): Promise<Input> => {
  const { intent, inputs, askCard } = resumption;
  if (!inputs.transaction) return gone(context, resumption);
  return intent.operation === 'card' ? { ...inputs.transaction, ...(await askCard()) } : inputs.transaction;
};

/**
 * A card that this operation never sent is not sent beside another, unless the user confirms it. No Pix is made beside one
 * that can be paid. Throws `outcome_unknown`.
 */
const assertAlone = async ({ client }: PrepareContext, resumption: ChargeResumption, payment: PaymentState) => {
  const { state, intent } = resumption;
  if (intent.operation === 'pix') {
    const other = payablePix(
      client.io,
      payment.id,
      await openPixOf(client.io, deploymentOf(state), payment.id, state.id),
    );
    if (other === undefined) return;
    const hint = 'No other was made now. The next command shows its code again.';
    const next = nextStep('pay.resume.charge', other.state.id);
    await confirmAgain(resumption, payment, {
      message: other.message,
      question: 'Make another beside it?',
      hint,
      next,
    });
    return;
  }
  if (cardSent(state) !== 'no') return;
  const other = await otherCardOf(client.io, deploymentOf(state), payment.id, state.id);
  const message = besideInWords(payment.id, other, chargesIn(payment));
  if (message === undefined) return;
  const hint = 'No card was sent now. Check where cards are charged before another is sent.';
  await confirmAgain(resumption, payment, { message, question: 'Charge the card beside it?', hint });
};

const chargeAnew = async (
  context: PrepareContext,
  resumption: ChargeResumption,
  payment: PaymentState,
): Promise<Charge> => {
  const shown = { amount: textAt(payment, 'amount_from'), currency: textAt(payment, 'from_currency_symbol') };
  assertShownAsStated(payment.id, shown, resumption.state.stated);
  await assertAlone(context, resumption, payment);
  const transaction = await inputOf(context, resumption);
  return charge(context, payment.id, { transaction, intent: resumption.intent }, chargesIn(payment));
};

const startAgain = async (context: PrepareContext, resumption: ChargeResumption): Promise<Charge> => {
  const { register } = resumption.inputs;
  if (!register) return gone(context, resumption);
  // The card is entered before the payment is registered.
  const transaction = await inputOf(context, resumption);
  const paymentId = await registerPayment(context, register);
  return charge(context, paymentId, { transaction, intent: resumption.intent });
};

/** A shown Pix is shown again while it can be paid; a charge without effect is made again if the user confirms. */
const settleSent = async (
  context: PrepareContext,
  resumption: ChargeResumption,
  payment: PaymentState,
): Promise<Charge> => {
  const { state, intent } = resumption;
  const isWaiting = EXECUTABLE_STATUSES.includes(payment.status);
  if (state.pix) {
    if (isWaiting) await assertAlive(context, payment.id, state.pix);
    return isWaiting && Date.parse(state.pix.expires_at) > context.client.io.clock.now()
      ? showPix(context, payment.id, payableAgain(state.pix, intent))
      : { payment_id: payment.id, pix: state.pix };
  }
  const sent =
    (await settleCard(resumption, payment)) ?? (isWaiting && (await settlePix(context, resumption, payment)));
  if (sent) return sent;
  return isWaiting ? chargeAnew(context, resumption, payment) : { payment_id: payment.id, pix: undefined };
};

/** A Pix or a sent card is with the service, or a Pix may be. */
const mayBeCharged = (resumption: ChargeResumption, payment: PaymentState): boolean => {
  const { state, intent } = resumption;
  if (state.pix !== undefined || cardSent(state) !== 'no') return true;
  return intent.operation === 'pix' && (state.stage === 'withheld' || hasLostPix(resumption, payment));
};

const situationOf = (resumption: ChargeResumption, known: PaymentState): Situation<PaymentState, never> => {
  if (known.status === 'success') return { at: 'over', known };
  if (known.status === 'error') return { at: 'waiting', known };
  if (mayBeCharged(resumption, known)) return { at: 'sent', known };
  return { at: EXECUTABLE_STATUSES.includes(known.status) ? 'missing' : 'waiting', known };
};

/** How long a request whose answer is missing is usually still on its way to the service, at most. */
const IN_FLIGHT_MS = 2_000;

/** The next read must still fit before the deadline. */
const READ_MS = 1_000;

/** The process was killed or interrupted during its request, or no answer came. */
const IN_FLIGHT: readonly (string | undefined)[] = [undefined, 'interrupted', 'unavailable', 'outcome_unknown'];

/** A read before the service has handled that request would show no charge, and another would be made beside it. */
const passInFlight = async ({ client }: PrepareContext, { state }: ChargeResumption): Promise<void> => {
  const { clock, interrupted } = client.io;
  if (state.stage !== 'creating' || !IN_FLIGHT.includes(state.stop?.code)) return;
  const now = await (await storeOf(client.io)).now();
  const rest = Math.min(Date.parse(state.last_at) + IN_FLIGHT_MS - now, IN_FLIGHT_MS);
  const pause = Math.min(rest, client.deadline - clock.monotonic() - READ_MS);
  if (pause > 0) await clock.sleep(pause, interrupted);
};

/**
 * Determines the outcome of a payment by Pix or card. Shows its Pix again or sends its card if needed, and follows the
 * payment to its end. Throws as `followCharge` and `payableOf`. Throws `outcome_unknown` for a sent card without a
 * visible charge, and for a Pix with a lost code.
 */
export const resumeCharge = (
  context: PrepareContext,
  resumption: ChargeResumption,
  follow: (charge: Charge) => Promise<RequestedCharge>,
): Promise<RequestedCharge> => {
  const { payment_id, pix, stage } = resumption.state;
  return resumeOperation<PaymentState, never, RequestedCharge>({
    operation: context.operation,
    read: async () => {
      if (payment_id === undefined) return { at: 'start' };
      // The command may have ended before it had checked the id that the service gave.
      if (stage === 'registered') await assertNewOrSame(context.client.io, context.operation);
      await passInFlight(context, resumption);
      const payment = await readPayment(context.client, payment_id);
      await context.on({ kind: 'read_back', status: payment.status, isLost: false });
      return situationOf(resumption, payment);
    },
    start: async () => follow(await startAgain(context, resumption)),
    settle: async (payment) => follow(await settleSent(context, resumption, payment)),
    build: async (payment) => follow(await chargeAnew(context, resumption, payment)),
    wait: ({ id }) => follow({ payment_id: id, pix }),
    report: async (payment) => {
      noteEnd(context, payment);
      return { payment_id: payment.id, pix, payment };
    },
  });
};
