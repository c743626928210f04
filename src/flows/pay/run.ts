import type { Review } from '../../chain/evm/review.ts';
import type { Input } from '../../client/call.ts';
import type { FeePaid } from '../../client/node.ts';
import { Failure, isFailure, withDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { inSentence } from '../../core/text.ts';
import type { PaymentIntent } from '../../journal/intents.ts';
import { openingKey, type SigningKey } from '../turn.ts';
import type { PayContext } from './context.ts';
import { executePayment, sameHash } from './execute.ts';
import { assertLanded, endedByNode, errorInDoubt } from './landed.ts';
import { inTurn } from './nonce.ts';
import { createTransaction, registerPayment } from './prepare.ts';
import { reviewAndSign, type SignedReview } from './sign.ts';
import { expectedOf, type PaymentState, waitForSuccess } from './status.ts';

/** The two request bodies of a payment, and its intent. */
export type PayRequest = {
  readonly register: Input;
  readonly transaction: Input;
  readonly intent: PaymentIntent;
};

/** The result of a payment: its id, the amounts moved, and the service's state. */
export type Paid = {
  readonly payment_id: string;
  readonly hash: string;
  readonly review: Review;
  readonly payment: PaymentState;
  /** `undefined` if no node shows it. */
  readonly feePaid?: FeePaid | undefined;
};

/** The payment was executed: any later failure must include its id and hash. */
const afterExecute = (error: unknown, paymentId: string, hash: string): unknown => {
  if (!isFailure(error)) return error;
  const stays = ['payment_failed', 'not_final', 'outcome_unknown', 'interrupted'].includes(error.code);
  return new Failure(
    stays ? error.code : 'not_final',
    `${error.sentence} (payment ${inSentence(paymentId)} was executed)`,
    {
      ...error.details,
      data: error.details.data ?? { payment_id: paymentId, tid_hash: hash },
      hint: `Its transaction is ${hash}. Do not pay again.`,
      next: nextStep('pay.status.wait', paymentId),
    },
  );
};

/** A payment with another transaction hash may have been made twice: the user must check it. */
const assertOurs = ({ id, tid_hash }: PaymentState, hash: string): void => {
  if (!tid_hash || sameHash(tid_hash, hash)) return;
  throw new Failure('outcome_unknown', `payment ${id} shows the hash ${inSentence(tid_hash)}, and ${hash} was sent`, {
    data: { payment_id: id, tid_hash: hash },
    hint: 'Another transaction may have been made for this payment. Do not pay again before you have checked it.',
  });
};

/** Records the final state of the service. With a node, a success has been checked by `assertLanded`. */
export const noteEnd = (
  { operation, node }: Pick<PayContext, 'operation'> & Partial<Pick<PayContext, 'node'>>,
  { id, status, tid_hash }: PaymentState,
): void => {
  const shown = node && status === 'success' ? ({ shown_by: 'node' } as const) : {};
  operation.noteEnd({ step: 'ended', payment_id: id, status, tid_hash: tid_hash ?? undefined, ...shown });
};

/** The end of an executed payment. If there is a node, it decides whether money moved. */
const failedAtEnd = async (context: PayContext, error: unknown, paymentId: string, hash: string): Promise<unknown> => {
  if (!isFailure(error, 'payment_failed')) return afterExecute(error, paymentId, hash);
  const payment = error.details.data as PaymentState;
  if (context.node) return (await endedByNode(context, payment, hash)) ?? errorInDoubt(paymentId, hash);
  noteEnd(context, payment);
  return afterExecute(error, paymentId, hash);
};

/** After a successful execute, a payment that cannot be read is not final, but it is not lost. */
export const waitForEnd = async (
  context: PayContext,
  paymentId: string,
  hash: string,
): Promise<Pick<Paid, 'payment' | 'feePaid'>> => {
  const executed = { id: paymentId, status: 'processing', tid_hash: hash, data_error: null };
  const onState = ({ status }: PaymentState) => context.on({ kind: 'state', status });
  const end = waitForSuccess(context.client, paymentId, { onState, known: executed });
  const payment = await context.client.io.spin('Waiting for the payment', end).catch(async (error: unknown) => {
    throw await failedAtEnd(context, error, paymentId, hash);
  });
  assertOurs(payment, hash);
  const feePaid = await assertLanded(context, paymentId, hash);
  noteEnd(context, payment);
  return { payment, feePaid };
};

/** Signs and sends within the wallet's turn. Waits for the end after it, so that other operations can send. */
export const executeAndWait = async (
  context: PayContext,
  paymentId: string,
  intent: PaymentIntent,
  prepare: (held: PayContext) => Promise<SignedReview>,
): Promise<Paid> => {
  const { review, signed } = await inTurn(context, intent, async (held) => {
    const reviewed = await prepare(held);
    await executePayment(held, paymentId, reviewed.signed);
    return reviewed;
  });
  const end = await waitForEnd(context, paymentId, signed.hash);
  return { payment_id: paymentId, hash: signed.hash, review, ...end };
};

/** The payment exists now: a failure must include its id. */
const afterRegister = (error: unknown, paymentId: string): unknown => {
  if (!isFailure(error)) return error;
  const { next } = error.details;
  // Failures that wait for identity, turn, limit or money have their own next command.
  const isOwn = error.code === 'identity_gate' || error.code === 'refused_by_review';
  const isSaid = next !== undefined && (isOwn || next.id.startsWith('pay.resume'));
  return withDetails(error, {
    data: error.details.data ?? { payment_id: paymentId },
    hint: `Payment ${paymentId} is registered, and nothing was signed or sent for it. ${error.details.hint ?? ''}`.trim(),
    next: isSaid ? next : nextStep('pay.status', paymentId),
  });
};

/** Executes a crypto payment from registration to its final state: register, create, review, sign, execute, wait. */
export const runPayment = async (context: PayContext, request: PayRequest, key: SigningKey): Promise<Paid> => {
  const { intent, transaction } = request;
  const paymentId = await registerPayment(context, request.register);
  const isSigned = () => context.operation.state().signed.length > 0;
  return executeAndWait(openingKey(context, key), paymentId, intent, async (held) => {
    const cryptoTx = await createTransaction(held, paymentId, transaction);
    return reviewAndSign(held, paymentId, { cryptoTx, expected: expectedOf(intent, held.stating) }, key);
  }).catch((error: unknown) => {
    throw isSigned() ? error : afterRegister(error, paymentId);
  });
};
