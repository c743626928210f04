import { Failure, type FailureDetails, withDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Finality } from '../node/finality.ts';
import { refusedHint } from '../read-back.ts';
import type { PayContext } from './context.ts';
import type { PaymentState } from './status.ts';

/** Sent bytes of a payment: they can land, whatever the service responded. */
export const liveData = (paymentId: string, hash: string) => ({
  payment_id: paymentId,
  tid_hash: hash,
  hash,
  live: true,
});

/** Sent bytes of a payment whose outcome a node shows. */
export const settledData = (paymentId: string, hash: string, moved: boolean) => ({
  payment_id: paymentId,
  tid_hash: hash,
  hash,
  live: false,
  moved,
});

/** Neither the response nor the payment's state shows whether the money moved. */
export const stillUnknown = (error: Failure, paymentId: string, hash: string, state: string): Failure => {
  const hint = `The transaction ${hash} may have been sent. The payment is ${state}.`;
  const next = nextStep('pay.status.wait', paymentId);
  return withDetails(error, { data: liveData(paymentId, hash), hint, next }, 'outcome_unknown');
};

/** The data of refused bytes, with the data of the refusal. */
const refusedData = (paymentId: string, hash: string, { data }: FailureDetails) => ({
  ...liveData(paymentId, hash),
  ...(data !== undefined && { answer: data }),
});

/** The service refused the bytes, but it has them and could still send them. */
export const refusedLive = (context: PayContext, failure: Failure, paymentId: string, hash: string): Failure =>
  withDetails(failure, {
    data: refusedData(paymentId, hash, failure.details),
    // The sandbox has a node.
    hint: refusedHint(failure, hash, context.client.service.kind === 'live' && !context.node),
    next: nextStep('pay.resume.live', context.operation.id),
  });

/** The service refused bytes, and no others were signed: the first can still land. */
export const besideLive = (failure: Failure, paymentId: string, hash: string): Failure => {
  const known = `No other transaction was signed; the one that the service refused may still be sent (${hash}).`;
  return withDetails(failure, {
    data: refusedData(paymentId, hash, failure.details),
    hint: `${known} ${failure.details.hint ?? ''}`.trim(),
  });
};

/** The payment ended in error with our own transaction. Only the chain shows whether it landed. */
export const endedInError = (
  context: PayContext,
  { id, data_error }: PaymentState,
  hash: string,
  details: FailureDetails = {},
): Failure => {
  const ended = new Failure('payment_failed', `payment ${id} ended in error`, { ...details, data: { data_error } });
  return refusedLive(context, ended, id, hash);
};

/** The sentence for each finality that a node shows. */
export const MOVED: Readonly<Record<Exclude<Finality, 'open'>, string>> = {
  landed: 'Its transaction has landed: the money moved.',
  reverted: 'Its transaction was reverted: the money did not move.',
  dead: 'Its transaction never landed and never can: the money did not move.',
};

/** Adds the finality that a node shows to the failure. */
export const settledByNode = (
  failure: Failure,
  paymentId: string,
  hash: string,
  finality: 'reverted' | 'dead',
): Failure =>
  withDetails(failure, {
    data: settledData(paymentId, hash, false),
    hint: `${MOVED[finality]} A node shows it.`,
    next: nextStep('pay.status', paymentId),
  });

/** A failure before the first byte was sent: first-time bytes moved nothing. */
export const neverSent = (failure: Failure, paymentId: string): Failure =>
  withDetails(failure, {
    data: { payment_id: paymentId, tid_hash: null },
    hint: `It never left this machine: the money did not move. ${failure.details.hint ?? ''}`.trim(),
  });

/** A single read proves nothing: the call may still be running. The bytes stay in doubt. */
export const limited = (failure: Failure, paymentId: string, hash: string): Failure =>
  withDetails(failure, {
    data: liveData(paymentId, hash),
    hint: `Too many calls were made. The payment is not executed yet, but the transaction ${hash} may have been passed on. A resume sends the same bytes, which cannot pay twice.`,
    isUnclear: true,
  });
