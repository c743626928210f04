import type { Input } from '../../client/call.ts';
import { pixCharge } from '../../contract/pay/fiat-tx.ts';
import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { PixFacts } from '../../journal/event.ts';
import type { ChargeIntent } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { cardSent } from '../../journal/status.ts';
import { type Preparing, registerPayment } from '../pay/prepare.ts';
import { noteEnd } from '../pay/run.ts';
import { type PaymentState, readPayment } from '../pay/status.ts';
import { cardShownBy, chargesIn } from './card.ts';
import { payableAgain, payableOf } from './pix.ts';
import { type Charge, charge, type RequestedCharge, showAgain } from './run.ts';

const gone = async ({ operation }: Preparing, { state }: ChargeResumption): Promise<never> => {
  const isInDoubt = cardSent(state) !== 'no';
  if (!isInDoubt) await operation.note({ step: 'failed', code: 'invalid_input', status: undefined, is_unknown: false });
  throw new Failure('invalid_input', 'the options of this payment are no longer on this machine', {
    hint: isInDoubt
      ? 'Nothing was sent now. Check where cards are charged before you pay again.'
      : 'Nothing was paid by it, and it is not resumed. Give the options of the payment again.',
    next: isInDoubt && state.payment_id ? nextStep('pay.status', state.payment_id) : nextStep('pay.run'),
  });
};

/** The body of its transaction, including the card, which is never in the journal. */
const inputOf = async (context: Preparing, resumption: ChargeResumption): Promise<Input> => {
  const { intent, inputs, askCard } = resumption;
  if (!inputs.transaction) return gone(context, resumption);
  return intent.operation === 'card' ? { ...inputs.transaction, ...(await askCard()) } : inputs.transaction;
};

const chargeAnew = async (context: Preparing, resumption: ChargeResumption, payment: PaymentState): Promise<Charge> => {
  const transaction = await inputOf(context, resumption);
  return charge(context, payment.id, { transaction, intent: resumption.intent }, chargesIn(payment));
};

const startAgain = async (context: Preparing, resumption: ChargeResumption): Promise<Charge> => {
  const { register } = resumption.inputs;
  if (!register) return gone(context, resumption);
  // The card is entered before the payment is registered.
  const transaction = await inputOf(context, resumption);
  const paymentId = await registerPayment(context, register);
  return charge(context, paymentId, { transaction, intent: resumption.intent });
};

const isOpen = ({ client }: Preparing, { expires_at }: PixFacts): boolean =>
  Date.parse(expires_at) > client.io.clock.now();

/** A shown Pix is shown again while it can be paid; a missing one is created. */
const resumeUnpaid = async (
  context: Preparing,
  resumption: ChargeResumption,
  payment: PaymentState,
): Promise<Charge> => {
  const { state, intent } = resumption;
  const isWaiting = EXECUTABLE_STATUSES.includes(payment.status);
  if (state.pix) {
    const again = { payment_id: payment.id, pix: state.pix };
    if (isWaiting) await assertAlive(context, payment.id, state.pix);
    return isWaiting && isOpen(context, state.pix)
      ? showAgain(context, payment.id, payableAgain(state.pix, intent))
      : again;
  }
  const sent =
    (await settleCard(resumption, payment)) ?? (isWaiting && (await settlePix(context, resumption, payment)));
  if (sent) return sent;
  return isWaiting ? chargeAnew(context, resumption, payment) : { payment_id: payment.id, pix: undefined };
};

/**
 * Determines the outcome of a payment by Pix or card. Shows its Pix again or sends its card if needed, and follows the
 * payment to its end. Throws as `followCharge` and `payableOf`. Throws `outcome_unknown` for a sent card without a
 * visible charge, and for a Pix with a lost code.
 */
export const resumeCharge = async (
  context: Preparing,
  resumption: ChargeResumption,
  follow: (charge: Charge) => Promise<RequestedCharge>,
): Promise<RequestedCharge> => {
  const { payment_id, pix } = resumption.state;
  if (payment_id === undefined) return follow(await startAgain(context, resumption));
  const payment = await readPayment(context.client, payment_id);
  await context.on({ kind: 'read_back', status: payment.status, isLost: false });
  if (payment.status === 'error') return follow({ payment_id, pix });
  if (payment.status !== 'success') return follow(await resumeUnpaid(context, resumption, payment));
  await noteEnd(context, payment);
  return { payment_id, pix, payment };
};

/** A sent card without a visible charge is sent again only after the user confirms a check. */
const settleCard = async (resumption: ChargeResumption, payment: PaymentState): Promise<Charge | undefined> => {
  const { state, intent, isConfirmed } = resumption;
  const sent = cardSent(state);
  if (sent === 'no') return undefined;
  const taken = { payment_id: payment.id, pix: undefined };
  if (sent === 'yes' || cardShownBy(payment, { transaction_type: intent.type })) return taken;
  if (!EXECUTABLE_STATUSES.includes(payment.status)) return taken;
  const message = `The card may have been sent for payment ${payment.id}, which is ${payment.status} and shows no charge (yet).`;
  if (await isConfirmed(`${message} Send the card again all the same?`)) return undefined;
  throw new Failure('outcome_unknown', message, {
    data: { payment_id: payment.id, tid_hash: null },
    hint: 'It may have been charged. Do not send it again before you have checked where cards are charged.',
    next: nextStep('pay.resume.charge', state.id),
  });
};

/** Refusals without any effect that leave the payment open. */
const REFUSED: readonly (string | undefined)[] = ['identity_gate', 'unauthorized'];

/** Whether the payment has a Pix from here whose code was never shown. */
const hasLostPix = ({ state: { stage, stop }, intent }: ChargeResumption, payment: PaymentState): boolean =>
  (stage === 'creating' || stage === 'created') &&
  !REFUSED.includes(stop?.code) &&
  payment['transaction_type'] === intent.type;

/**
 * A Pix with a lost response exists, and a second one could be paid too. If the payment has its code, that code is
 * shown. Otherwise the user must confirm a new one.
 */
const settlePix = async (
  context: Preparing,
  resumption: ChargeResumption,
  payment: PaymentState,
): Promise<Charge | undefined> => {
  const { state, intent, isConfirmed } = resumption;
  const isWithheld = state.stage === 'withheld';
  if (intent.operation !== 'pix' || !(isWithheld || hasLostPix(resumption, payment))) return undefined;
  const { fiat_tx, global_payment_data } = payment;
  const own = [fiat_tx, global_payment_data].find((each) => pixCharge.safeParse(each).success);
  if (own) return showAgain(context, payment.id, await payableOf(context, payment.id, intent, own));
  // The code of the other was never shown.
  if (isWithheld) return undefined;
  const message = `Payment ${payment.id} has a Pix already, whose code was lost with the answer and is not shown again.`;
  if (await isConfirmed(`${message} Make another, which could be paid beside it?`)) return undefined;
  throw new Failure('outcome_unknown', message, {
    data: { payment_id: payment.id, tid_hash: null },
    hint: 'Another could be paid beside it, so none was made. At a terminal you can confirm a new one.',
    next: nextStep('pay.resume.charge', state.id),
  });
};

/** How long after its expiry a Pix may still turn out as paid, because the service may learn of it late. */
const LATE_MS = 24 * 60 * 60 * 1000;

/** The Pix expired long ago and is not paid: its operation ends, whatever happens to the payment. */
const assertAlive = async ({ client, operation }: Preparing, id: string, { expires_at }: PixFacts): Promise<void> => {
  if (client.io.clock.now() <= Date.parse(expires_at) + LATE_MS) return;
  await operation.record({ step: 'ended', payment_id: id, status: 'expired', tid_hash: undefined });
  throw new Failure(
    'payment_failed',
    `the Pix of payment ${id} expired at ${expires_at}, and the service does not show it paid`,
    {
      data: { payment_id: id, tid_hash: null },
      next: nextStep('pay.status', id),
    },
  );
};

/** The context of a resumed payment by Pix or card. */
export type ChargeResumption = {
  readonly state: OperationState;
  readonly intent: ChargeIntent;
  readonly inputs: { readonly register?: Input | undefined; readonly transaction?: Input | undefined };
  /** Reads the card, which is never stored, and the confirmation to charge it. Throws without them. */
  readonly askCard: () => Promise<Input>;
  /** Whether the user confirms that the sent request had no effect; --yes does not. */
  readonly isConfirmed: (question: string) => Promise<boolean>;
};
