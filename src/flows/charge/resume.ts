import type { Input } from '../../client/call.ts';
import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { cardSent } from '../../journal/card-sent.ts';
import type { PixFacts } from '../../journal/entry.ts';
import { type Preparing, registerPayment } from '../pay/prepare.ts';
import { noteEnd } from '../pay/run.ts';
import { type PaymentState, readPayment } from '../pay/status.ts';
import { chargesIn } from './card.ts';
import { payableAgain } from './pix.ts';
import type { ChargeResumption } from './resumption.ts';
import { type Charge, type Charged, charge, showAgain } from './run.ts';
import { settleCard } from './settle-card.ts';
import { assertAlive, settlePix } from './settle-pix.ts';

const gone = async ({ operation }: Preparing, { state }: ChargeResumption): Promise<never> => {
  const isInDoubt = cardSent(state) !== 'no';
  if (!isInDoubt) await operation.note({ step: 'failed', code: 'invalid_input', status: undefined, is_unknown: false });
  throw new Failure('invalid_input', 'what this payment was asked for with is not on this machine any more', {
    hint: isInDoubt
      ? 'Nothing was sent now. Check where cards are charged before you pay again.'
      : 'Nothing was paid by it, and it is not resumed. Give the options of the payment again.',
    next: isInDoubt && state.payment_id ? nextStep('pay.status', state.payment_id) : nextStep('pay.run'),
  });
};

/** The input of its transaction; of a card with the card, which the journal never has. */
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
  // The card is asked for before anything is registered for it.
  const transaction = await inputOf(context, resumption);
  const paymentId = await registerPayment(context, register);
  return charge(context, paymentId, { transaction, intent: resumption.intent });
};

const isOpen = ({ client }: Preparing, { expires_at }: PixFacts): boolean =>
  Date.parse(expires_at) > client.io.clock.now();

/** A Pix that was shown is shown again while it can be paid; one that was never made is made. */
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
 * Reads back what became of a payment by Pix or card, asks its payer again where that is still to be done, and has it
 * followed to its end. Throws as `followCharge` and `payableOf`, and `outcome_unknown` for a card that was sent and of
 * which nothing is seen, and for a Pix whose code is lost.
 */
export const resumeCharge = async (
  context: Preparing,
  resumption: ChargeResumption,
  follow: (charge: Charge) => Promise<Charged>,
): Promise<Charged> => {
  const { payment_id, pix } = resumption.state;
  if (payment_id === undefined) return follow(await startAgain(context, resumption));
  const payment = await readPayment(context.client, payment_id);
  await context.on({ kind: 'read_back', status: payment.status, isLost: false });
  if (payment.status === 'error') return follow({ payment_id, pix });
  if (payment.status !== 'success') return follow(await resumeUnpaid(context, resumption, payment));
  await noteEnd(context, payment);
  return { payment_id, pix, payment };
};
