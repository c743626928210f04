import type { Input } from '../../client/call.ts';
import type { Kind } from '../../contract/chains.ts';
import { Failure, isFailure, withDetails } from '../../core/failure.ts';
import { isJsonObject, listAt, textAt } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { inSentence } from '../../core/text.ts';
import type { PixFacts } from '../../journal/event.ts';
import type { ChargeIntent } from '../../journal/intents.ts';
import { createCharge, type PrepareContext, registerPayment } from '../pay/prepare.ts';
import { noteEnd, type PayRequest } from '../pay/run.ts';
import { type PaymentState, waitForSuccess } from '../pay/status.ts';
import { type Payable, payableOf } from './pix.ts';

/** The number of charges of a payment. Document: global_payment_data of card payments. */
export const chargesIn = (payment: unknown): number => listAt(payment, 'global_payment_data', 'charges').length;

/**
 * The payment if it shows the outcome of the sent card: the same type, and more charges than `before`. Otherwise
 * `undefined`, because the card request may still be running.
 */
export const cardShownBy = (
  payment: unknown,
  { transaction_type: type }: Input,
  before = 0,
): PaymentState | undefined => {
  if (!isJsonObject(payment) || payment['transaction_type'] !== type) return undefined;
  return chargesIn(payment) > before ? (payment as PaymentState) : undefined;
};

/** The two request bodies of a payment by Pix or card, and its intent. */
export type ChargeRequest = Omit<PayRequest, 'intent'> & { readonly intent: ChargeIntent };

/** A payment after its request to the payer: the Pix code was shown, or the card was sent. */
export type Charge = { readonly payment_id: string; readonly pix: PixFacts | undefined };

/** The state of a payment at the end of the wait. */
export type RequestedCharge = Charge & { readonly payment: PaymentState };

/** Shows a code, also an earlier one again. */
export const showPix = async (context: PrepareContext, paymentId: string, payable: Payable): Promise<Charge> => {
  await context.on({ kind: 'payable', payment_id: paymentId, ...payable });
  return { payment_id: paymentId, pix: payable.pix };
};

/** Sends the card, once. After a lost response the payment is read: a new charge counts as a response. */
const sendCard = async (context: PrepareContext, paymentId: string, input: Input, before: number): Promise<Charge> => {
  try {
    await createCharge(context, paymentId, input);
  } catch (error) {
    const shown = isFailure(error, 'outcome_unknown') ? cardShownBy(error.details.data, input, before) : undefined;
    if (!shown) throw error;
    await context.on({ kind: 'read_back', status: shown.status, isLost: true });
    await context.operation.note({ step: 'created', payment_id: paymentId, crypto_tx: undefined });
  }
  return { payment_id: paymentId, pix: undefined };
};

/**
 * Creates the Pix of a registered payment and shows it, or sends its card. `before` is the number of existing card
 * charges. Throws as `payableOf`.
 */
export const charge = async (
  context: PrepareContext,
  paymentId: string,
  { transaction, intent }: Omit<ChargeRequest, 'register'>,
  before = 0,
): Promise<Charge> => {
  if (intent.operation === 'card') return sendCard(context, paymentId, transaction, before);
  const fiatTx = await createCharge(context, paymentId, transaction);
  return showPix(context, paymentId, await payableOf(context, paymentId, intent, fiatTx));
};

/** The payment exists: a failure must include its id. */
const naming = (error: unknown, paymentId: string): unknown => {
  if (!isFailure(error)) return error;
  const known = error.code === 'outcome_unknown' ? '' : `Payment ${paymentId} is registered. `;
  return withDetails(error, {
    data: error.details.data ?? { payment_id: paymentId },
    hint: `${known}${error.details.hint ?? ''}`.trim(),
    next: error.details.next ?? nextStep('pay.status', paymentId),
  });
};

/** Registers a payment, then shows its Pix or sends its card. */
export const beginCharge = async (context: PrepareContext, request: ChargeRequest): Promise<Charge> => {
  const paymentId = await registerPayment(context, request.register);
  return charge(context, paymentId, request).catch((error: unknown) => {
    throw naming(error, paymentId);
  });
};

/** Adds the service's reason to the failure of a payment. */
const withReason = (error: Failure, { data_error }: PaymentState): Failure => {
  const reason = textAt(data_error, 'message');
  return new Failure(error.code, reason ? `${error.sentence}: ${inSentence(reason)}` : error.sentence, error.details);
};

/** The state of a payment does not show that its card was sent. */
const undecided = ({ details, sentence }: Failure, paymentId: string, kind: Kind): Failure => {
  const followUp = kind === 'sandbox' ? nextStep('sandbox.card', paymentId) : undefined;
  const hint = [
    `The card was sent for payment ${inSentence(paymentId)}, and is not decided yet.`,
    details.hint,
    followUp && 'In the sandbox you are its issuer',
  ];
  return new Failure('not_final', sentence, { ...details, hint: hint.filter(Boolean).join(' '), followUp });
};

const LOOKS_EACH_MS = 2500;

/**
 * Waits until a payment by Pix or card is final, and records that. Throws `payment_failed` with the service's reason,
 * `not_final` at the deadline.
 */
export const followCharge = async (context: PrepareContext, { payment_id, pix }: Charge): Promise<RequestedCharge> => {
  const asked = { id: payment_id, status: 'registered', tid_hash: null, data_error: null };
  try {
    const payment = await waitForSuccess(context.client, payment_id, {
      onState: ({ status }) => context.on({ kind: 'state', status }),
      known: asked,
      longestPauseMs: LOOKS_EACH_MS,
    });
    noteEnd(context, payment);
    return { payment_id, pix, payment };
  } catch (error) {
    if (isFailure(error, 'not_final') && pix === undefined)
      throw undecided(error, payment_id, context.client.service.kind);
    if (!isFailure(error, 'payment_failed')) throw error;
    const payment = error.details.data as PaymentState;
    noteEnd(context, payment);
    throw withReason(error, payment);
  }
};
