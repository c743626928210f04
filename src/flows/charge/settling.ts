import type { Input } from '../../client/call.ts';
import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { pixCharge } from '../../contract/pay/transaction.ts';
import { Failure } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { inSentence } from '../../core/text.ts';
import type { PixFacts } from '../../journal/event.ts';
import type { ChargeIntent } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { cardSent } from '../../journal/status.ts';
import type { PrepareContext } from '../pay/prepare.ts';
import type { PaymentState } from '../pay/status.ts';
import { payableOf } from './pix.ts';
import { type Charge, cardShownBy, showPix } from './run.ts';

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

/** What stands against another charge, and the command that a script is left with. */
type DoubtfulCharge = Readonly<Record<'message' | 'question' | 'hint', string>> & { readonly next?: NextStep };

/** Only the user can decide to charge again while the first charge is in doubt. Throws `outcome_unknown` without a yes. */
export const confirmAgain = async (
  { state, isConfirmed }: ChargeResumption,
  { id }: PaymentState,
  { message, question, hint, next = nextStep('pay.resume.charge', state.id) }: DoubtfulCharge,
): Promise<undefined> => {
  if (await isConfirmed(`${message} ${question}`)) return undefined;
  const data = { payment_id: id, tid_hash: null };
  // A resume alone would only say the same again.
  throw new Failure('outcome_unknown', message, {
    data,
    hint,
    next,
    ...(next.id === 'pay.status' && { isLeftOpen: true }),
  });
};

/** A sent card without a visible charge is sent again only after the user confirms a check. */
export const settleCard = async (resumption: ChargeResumption, payment: PaymentState): Promise<Charge | undefined> => {
  const { state, intent } = resumption;
  const sent = cardSent(state);
  if (sent === 'no') return undefined;
  const taken = { payment_id: payment.id, pix: undefined };
  if (sent === 'yes' || cardShownBy(payment, { transaction_type: intent.type })) return taken;
  if (!EXECUTABLE_STATUSES.includes(payment.status)) return taken;
  return confirmAgain(resumption, payment, {
    message: `The card may have been sent for payment ${payment.id}, which is ${inSentence(payment.status)} and shows no charge (yet).`,
    question: 'Send the card again all the same?',
    hint: 'It may have been charged. Do not send it again before you have checked where cards are charged.',
  });
};

/** Refusals without any effect that leave the payment open. */
const REFUSED: readonly (string | undefined)[] = ['identity_gate', 'unauthorized'];

/** Whether the payment has a Pix from here whose code was never shown. */
export const hasLostPix = ({ state: { stage, stop }, intent }: ChargeResumption, payment: PaymentState): boolean =>
  (stage === 'creating' || stage === 'created') &&
  !REFUSED.includes(stop?.code) &&
  payment['transaction_type'] === intent.type;

/**
 * A Pix with a lost response exists, and a second one could be paid too. If the payment has its code, that code is
 * shown. Otherwise the user must confirm a new one.
 */
export const settlePix = async (context: PrepareContext, resumption: ChargeResumption, payment: PaymentState) => {
  const { state, intent } = resumption;
  if (intent.operation !== 'pix') return undefined;
  const { fiat_tx, global_payment_data } = payment;
  const own = [fiat_tx, global_payment_data].find((each) => pixCharge.safeParse(each).success);
  if (own) return showPix(context, payment.id, await payableOf(context, payment.id, intent, own));
  // The code of the other was never shown.
  if (state.stage === 'withheld') return undefined;
  await assertYoung(context, payment.id, state.last_at);
  return confirmAgain(resumption, payment, {
    message: `Payment ${payment.id} has a Pix already, whose code was lost with the answer and is not shown again.`,
    question: 'Make another, which could be paid beside it?',
    hint: 'Another could be paid beside it, so none was made. At a terminal bursar pay resume asks about a new one.',
    next: nextStep('pay.status', payment.id),
  });
};

/** How long after its expiry a Pix may still turn out as paid, because the service may learn of it late. */
const LATE_MS = 24 * 60 * 60 * 1000;

/** Ends the operation of a Pix that is long over and not paid, whatever happens to the payment. */
const endUnpaid = async ({ operation }: PrepareContext, id: string, when: string): Promise<never> => {
  await operation.record({ step: 'ended', payment_id: id, status: 'expired', tid_hash: undefined });
  const message = `the Pix of payment ${id} ${when}, and the service does not show it paid`;
  const data = { payment_id: id, tid_hash: null };
  throw new Failure('payment_failed', message, { data, next: nextStep('pay.status', id) });
};

/** The Pix must not have expired long ago. Throws `payment_failed`. */
export const assertAlive = async (context: PrepareContext, id: string, { expires_at }: PixFacts): Promise<void> => {
  if (context.client.io.clock.now() <= Date.parse(expires_at) + LATE_MS) return;
  await endUnpaid(context, id, `expired at ${expires_at}`);
};

/** How long a Pix whose expiry nobody knows may be paid: longer than any that the sandbox makes. */
const LONGEST_PIX_MS = 30 * LATE_MS;

/** A Pix whose code was lost must not be older than any Pix lives. Throws `payment_failed`. */
const assertYoung = async (context: PrepareContext, id: string, madeAt: string): Promise<void> => {
  if (context.client.io.clock.now() <= Date.parse(madeAt) + LONGEST_PIX_MS) return;
  await endUnpaid(context, id, `was requested at ${madeAt}, and its code was lost`);
};
