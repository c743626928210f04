import type { Input } from '../../../client/call.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure, isFailure, withDetails } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import type { PaymentIntent } from '../../../journal/intents.ts';
import type { OperationState, SignedPart } from '../../../journal/operation-state.ts';
import { type Consent, consentTo } from '../../operation/resume.ts';
import { askingNode, NODE_PLACE } from '../../read-back.ts';
import type { SigningKey } from '../../turn.ts';
import type { PayContext } from '../context.ts';
import { liveData } from '../landed.ts';
import { payAgain } from '../pay-again.ts';
import type { Paid } from '../run.ts';
import { type PaymentState, waitForSuccess } from '../status.ts';

/** Follows a payment until it is final or waits for an action. Throws `not_final` at the deadline. */
export const followPayment = async (context: PayContext, resumption: Resumption, paymentId: string) => {
  const onState = ({ status }: PaymentState) => context.on({ kind: 'state', status });
  try {
    const end = waitForSuccess(context.client, paymentId, { onState });
    return await context.client.io.spin('Waiting for the payment', end);
  } catch (error) {
    const last = isFailure(error) ? (error.details.data as PaymentState | undefined) : undefined;
    // An answer that is no state of this payment decides nothing.
    if (isFailure(error, 'payment_failed') && last?.id === paymentId && last.status === 'error') return last;
    if (!isFailure(error, 'not_final') || !last) throw error;
    if (EXECUTABLE_STATUSES.includes(last.status)) return last;
    throw withDetails(error, { next: nextStep('pay.resume', resumption.state.id) });
  }
};

/** The inputs of a whole payment, or externally signed bytes. */
export type PayInputs = {
  readonly register?: Input | undefined;
  readonly transaction?: Input | undefined;
  readonly signed_transaction?: string | undefined;
};

/** The context of a resumed payment. */
export type Resumption = Consent<SigningKey> & {
  readonly state: OperationState;
  readonly intent: PaymentIntent;
  /** The original inputs, if they still exist. */
  readonly inputs: PayInputs;
};

/** The result of a payment: `payment` is the service's state. */
export type PaymentResult = Omit<Paid, 'hash' | 'review'> & { readonly hash: string | null };

/** What the user has to confirm first, for `consentTo`. `where` starts the message. */
export const pendingAt = ({ id, payment_id }: OperationState, where: string) => ({
  where,
  data: { payment_id: payment_id ?? null, status: null },
  next: nextStep('pay.resume.confirmed', id),
});

/** New signatures require the user's confirmation. */
export const keyOf = ({ withKey, state }: Resumption, where: string): NonNullable<Resumption['withKey']> =>
  consentTo(withKey, pendingAt(state, where));

/**
 * Closes an operation that lacks its local inputs. No sent bytes are open, and the user must enter the options again.
 */
export const giveUp = async ({ operation }: PayContext, { state, intent }: Resumption): Promise<never> => {
  await operation.note({ step: 'failed', code: 'invalid_input', status: undefined, is_unknown: false });
  const id = state.payment_id;
  const payer = { wallet: intent.payer, chain: intent.chain, token: intent.token };
  const options = id
    ? '--transaction-type, --payer-email, --payer-wallet, --chain-name, --payer-token-symbol'
    : '--amount-from, --from-currency-symbol, --to-currency-symbol, --to-chain, --allow, --split, --payer-email, --key';
  throw new Failure('invalid_input', 'the options of this payment are no longer on this machine', {
    hint: `Nothing that it sent can land, and it is closed. Enter its options again: ${options}.`,
    next: id ? nextStep('pay.transaction', id, payer) : payAgain(state),
  });
};

/** It is unknown whether the money moved; the same command may find out later. */
export const unknown = (
  resumption: Resumption,
  paymentId: string,
  { hash }: SignedPart,
  why: string,
  cause?: Failure,
) =>
  new Failure('outcome_unknown', why, {
    data: liveData(paymentId, hash),
    hint: `The transaction ${hash} may have been sent. Do not pay again before that is known.`,
    next: nextStep('pay.resume.live', resumption.state.id),
    cause,
  });

/** A limit of this machine does not let the bytes be sent again. They may have landed. */
export const heldBack = (resumption: Resumption, paymentId: string, part: SignedPart, refusal: Failure) => {
  const failure = unknown(resumption, paymentId, part, refusal.sentence, refusal);
  const { errors } = refusal.details;
  const hint = `${failure.details.hint} Nothing was sent now. A node (--rpc-url) shows whether it has landed. It is sent again when the limit allows it.`;
  return withDetails(failure, { errors, namesErrors: true, hint });
};

/** A payment with bytes that may have been sent, and the context of its resume. */
export type SettleInput = {
  readonly context: PayContext;
  readonly resumption: Resumption;
  readonly payment: PaymentState;
  readonly open: readonly SignedPart[];
};

/** The service cannot determine the outcome; only a node or the user can. */
export const unknownToService = (
  settling: Omit<SettleInput, 'open'>,
  part: SignedPart,
  why: string,
  cause?: Failure,
) => {
  const { context, resumption, payment } = settling;
  const failure = unknown(resumption, payment.id, part, why, cause);
  if (context.node)
    return withDetails(failure, { next: nextStep('operation.show', 'pay', resumption.state.id), cause });
  const hint = `${failure.details.hint} A node of ${resumption.intent.chain} shows it: ${NODE_PLACE}.`;
  return withDetails(failure, { hint, next: failure.details.next && askingNode(failure.details.next), cause });
};
