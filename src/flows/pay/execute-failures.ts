import { STALE_NONCE } from '../../contract/pay/shared.ts';
import { Failure } from '../../core/failure.ts';
import { shellWord } from '../../core/shell.ts';
import type { PaymentState } from './status.ts';

/** The command that waits for the end of a payment that was executed. */
export const nextCommand = (paymentId: string): string => `bursar pay status ${shellWord(paymentId)} --wait`;

/** Neither the answer nor the state that was read back says whether the money moved. */
export const stillUnknown = (error: Failure, paymentId: string, hash: string, state: string): Failure =>
  new Failure('outcome_unknown', error.sentence, {
    ...error.details,
    hint: `The transaction ${hash} may have been sent. The payment is ${state}.`,
    next: nextCommand(paymentId),
    cause: error,
  });

/** The state that was read back shows that the payment ended in error, by our own transaction. */
export const endedInError = ({ data_error }: PaymentState, paymentId: string, hash: string, cause: Failure): Failure =>
  new Failure('payment_failed', `payment ${paymentId} ended in error`, {
    ...cause.details,
    data: data_error,
    hint: `Its transaction is ${hash}.`,
    next: `bursar pay status ${shellWord(paymentId)}`,
  });

/** What a certain failure says of the money, and how that is known. */
const whyNothingMoved = ({ code, details }: Failure): string => {
  if (code === 'payment_failed') return 'The chain reverted the transaction: the money did not move, but for the fee.';
  if (code === 'unavailable' || code === 'interrupted') return 'It never left this machine: the money did not move.';
  if (details.status === STALE_NONCE) {
    return 'The service refused the transaction. It has its bytes all the same: another is signed only when a node (--rpc-url) shows that they can never land.';
  }
  return 'The service refused the transaction before any chain had it: the money did not move.';
};

/** Whoever reads of a payment that failed wants to know which, and its transaction. */
export const naming = (failure: Failure, paymentId: string, hash: string): Failure =>
  new Failure(failure.code, failure.sentence, {
    ...failure.details,
    data: failure.details.data ?? { payment_id: paymentId, tid_hash: failure.code === 'payment_failed' ? hash : null },
    hint: `${whyNothingMoved(failure)} ${failure.details.hint ?? ''}`.trim(),
    ...(failure.code === 'payment_failed' && { next: `bursar pay status ${shellWord(paymentId)}` }),
  });

/** One look that shows nothing under way is no proof: the call may be on its way yet, and so the bytes stay in doubt. */
export const limited = (failure: Failure, paymentId: string, hash: string): Failure =>
  new Failure(failure.code, failure.sentence, {
    ...failure.details,
    data: { payment_id: paymentId, tid_hash: hash },
    hint: `Too many calls were made. The payment was read back, and is not executed yet; the transaction ${hash} may have been passed on. What takes it up again sends the same bytes, which cannot pay twice.`,
    isUnclear: true,
    cause: failure,
  });
