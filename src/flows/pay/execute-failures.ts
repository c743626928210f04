import { Failure, type FailureDetails } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Finality } from '../node/finality.ts';
import type { PayContext } from './context.ts';
import type { PaymentState } from './status.ts';

/** Signed bytes of a payment that were handed over: they can land, whatever was answered. */
export const liveData = (paymentId: string, hash: string) => ({
  payment_id: paymentId,
  tid_hash: hash,
  hash,
  live: true,
});

/** Neither the answer nor the state that was read back says whether the money moved. */
export const stillUnknown = (error: Failure, paymentId: string, hash: string, state: string): Failure =>
  new Failure('outcome_unknown', error.sentence, {
    ...error.details,
    data: liveData(paymentId, hash),
    hint: `The transaction ${hash} may have been sent. The payment is ${state}.`,
    next: nextStep('pay.status.wait', paymentId),
    cause: error,
  });

/** Refusals after which the same bytes may be taken yet: what was wrong was the caller. */
const OF_CALLER: readonly (number | undefined)[] = [401, 403, 429];

/** In the sandbox the node is known. Elsewhere only a node that the user names shows what became of refused bytes. */
const nodeHint = ({ client, node }: PayContext, { http }: FailureDetails): string =>
  client.service.kind === 'live' && !node && !OF_CALLER.includes(http)
    ? ' Only a node shows its outcome: add --rpc-url URL to the command below.'
    : '';

/** The service answered and did not take the bytes, as it says. It has them, and no answer keeps it from sending them. */
export const refusedLive = (context: PayContext, failure: Failure, paymentId: string, hash: string): Failure => {
  const { data, hint } = failure.details;
  return new Failure(failure.code, failure.sentence, {
    ...failure.details,
    data: { ...liveData(paymentId, hash), ...(data !== undefined && { answer: data }) },
    hint: `The service refused; the signed transaction may still be sent (${hash}).${nodeHint(context, failure.details)} ${hint ?? ''}`.trim(),
    next: nextStep('pay.resume.live', context.operation.id),
    cause: failure,
  });
};

/** The service refused bytes, and no others were signed in their place: whatever kept them back, the first stay live. */
export const besideLive = (failure: Failure, paymentId: string, hash: string): Failure => {
  const { data, hint = '' } = failure.details;
  const rest = hint.replace(/^Nothing was signed or sent\.\s*/, '');
  return new Failure(failure.code, failure.sentence, {
    ...failure.details,
    data: { ...liveData(paymentId, hash), ...(data !== undefined && { answer: data }) },
    hint: `No other transaction was signed; the one that the service refused may still be sent (${hash}). ${rest}`.trim(),
    cause: failure,
  });
};

/** The service shows the payment as ended in error, by our own transaction. Whether that has landed is for the chain. */
export const endedInError = (
  context: PayContext,
  { id, data_error }: PaymentState,
  hash: string,
  details: FailureDetails = {},
): Failure => {
  const ended = new Failure('payment_failed', `payment ${id} ended in error`, { ...details, data: { data_error } });
  return refusedLive(context, ended, id, hash);
};

/** What a node shows of bytes that the service refused. */
export const MOVED: Readonly<Record<Exclude<Finality, 'open'>, string>> = {
  landed: 'Its transaction has landed: the money moved.',
  reverted: 'Its transaction was reverted: the money did not move.',
  dead: 'Its transaction never landed and never can: the money did not move.',
};

/** A node settles what the answer of the service leaves open. */
export const settledByNode = (
  failure: Failure,
  paymentId: string,
  hash: string,
  finality: 'reverted' | 'dead',
): Failure =>
  new Failure(failure.code, failure.sentence, {
    ...failure.details,
    data: { payment_id: paymentId, tid_hash: hash, hash, live: false, moved: false },
    hint: `${MOVED[finality]} A node shows it.`,
    next: nextStep('pay.status', paymentId),
    cause: failure,
  });

/** A fault before the first byte left: of bytes that nobody had before, nothing moved. */
export const neverSent = (failure: Failure, paymentId: string): Failure =>
  new Failure(failure.code, failure.sentence, {
    ...failure.details,
    data: { payment_id: paymentId, tid_hash: null },
    hint: `It never left this machine: the money did not move. ${failure.details.hint ?? ''}`.trim(),
    cause: failure,
  });

/** One look that shows nothing under way is no proof: the call may be on its way yet, and so the bytes stay in doubt. */
export const limited = (failure: Failure, paymentId: string, hash: string): Failure =>
  new Failure(failure.code, failure.sentence, {
    ...failure.details,
    data: liveData(paymentId, hash),
    hint: `Too many calls were made. The payment was read back, and is not executed yet; the transaction ${hash} may have been passed on. What takes it up again sends the same bytes, which cannot pay twice.`,
    isUnclear: true,
    cause: failure,
  });
