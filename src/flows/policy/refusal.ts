import type { Check } from '../../chain/review/check.ts';
import { Failure, type FailureCode, isFailure } from '../../core/failure.ts';
import type { NextStep } from '../../core/next.ts';
import type { OperationEvent } from '../../journal/event.ts';
import type { Operation } from '../../journal/operation.ts';

/** The review does not count then, and the operation can be resumed. */
const stoppedBy = (code: FailureCode): OperationEvent => ({
  step: 'failed',
  code,
  status: undefined,
  is_unknown: false,
});

/** A refusal by failed checks. `hint` states what was done so far. */
export const refusedByPolicy = (checks: readonly Check[], hint: string): Failure =>
  new Failure('refused_by_review', checks.map(({ message }) => message).join(' '), {
    errors: checks.map(({ id, message }) => ({ field: id, message })),
    namesErrors: true,
    hint,
  });

/** The policy checks that bytes pass or fail by themselves. A node shows the rest. */
export const isOfPolicy = ({ id }: Check): boolean => id === 'world' || id.startsWith('policy.');

/** The checks that a policy allows only after the user confirms at a terminal. */
export const isPolicyDoubt = ({ id, verdict }: Check): boolean => verdict === 'confirm' && id.startsWith('policy.');

/** The user declined a review. The operation stays open and can be resumed. */
export const notSigned = (): Failure =>
  new Failure('refused_by_review', 'not signed; nothing was sent', { isDeclined: true });

/** The same for externally signed bytes. */
export const notSent = (): Failure =>
  new Failure('refused_by_review', 'not confirmed; nothing was sent', { isDeclined: true });

/** Reviews externally signed bytes: a refusal states that they were not sent. */
export const sendingNothing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error, 'refused_by_review') || error.details.isDeclined) throw error;
    throw new Failure(error.code, `nothing was sent: ${error.sentence}`, error.details);
  }
};

/** Runs a step that may refuse. If the wallet lacks money, the failure names the command that funds it. */
export const namingFunds = <T>(next: NextStep | undefined, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (next === undefined || !isFailure(error, 'refused_by_review')) throw error;
    const hint = [error.details.hint, 'Fund the wallet, then run the command that started it again.']
      .filter(Boolean)
      .join(' ');
    throw new Failure(error.code, error.sentence, { ...error.details, hint, next });
  }
};

/**
 * Runs the steps before a signature. If the review refuses, the refusal is recorded and the operation is closed. If
 * the user declines or cancels, the operation stays open.
 */
export const keepingRefusal = async <T>(
  operation: Operation,
  paymentId: string | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error) && error.details.isLeftOpen && !error.details.isDeclined) throw error;
    const isLeft = isFailure(error) && (error.code === 'interrupted' || error.details.isDeclined === true);
    if (isLeft) await operation.note(stoppedBy(error.details.isDeclined ? 'declined' : 'interrupted'));
    else if (isFailure(error, 'refused_by_review')) {
      const checks = (error.details.errors ?? []).map(({ field, message }) => ({ field, message }));
      await operation.note({ step: 'refused', payment_id: paymentId, message: error.message, checks });
    }
    throw error;
  }
};
