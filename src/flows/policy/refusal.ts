import type { Check } from '../../chain/review/check.ts';
import { Failure, type FailureCode, isFailure } from '../../core/failure.ts';
import type { NextStep } from '../../core/next.ts';
import type { OperationEvent } from '../../journal/event.ts';
import type { Operation } from '../../journal/operation.ts';

/** The review is as it was: what was reviewed does not count, and the operation can be resumed. */
const stoppedBy = (code: FailureCode): OperationEvent => ({
  step: 'failed',
  code,
  status: undefined,
  is_unknown: false,
});

/** A refusal by checks that say no. `hint` is what was done so far. */
export const refusedByPolicy = (checks: readonly Check[], hint: string): Failure =>
  new Failure('refused_by_review', checks.map(({ message }) => message).join(' '), {
    errors: checks.map(({ id, message }) => ({ field: id, message })),
    namesErrors: true,
    hint,
  });

/**
 * What a policy refuses of bytes that were reviewed before, by the bytes alone: what they do not show, a node showed at
 * their review.
 */
export const isOfPolicy = ({ id, verdict }: Check): boolean =>
  verdict === 'refuse' && (id === 'world' || id.startsWith('policy.'));

/** What a policy lets pass only by the user's yes at a terminal. */
export const isPolicyDoubt = ({ id, verdict }: Check): boolean => verdict === 'confirm' && id.startsWith('policy.');

/** The user declined a review. The operation stays open and can be resumed. */
export const notSigned = (): Failure =>
  new Failure('refused_by_review', 'not signed; nothing was sent', { isDeclined: true });

/** The same of bytes that were signed elsewhere. */
export const notSent = (): Failure =>
  new Failure('refused_by_review', 'not confirmed; nothing was sent', { isDeclined: true });

/** Reviews bytes that were signed elsewhere: a refusal says that they were not passed on. */
export const sendingNothing = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isFailure(error, 'refused_by_review') || error.details.isDeclined) throw error;
    throw new Failure(error.code, `nothing was sent: ${error.sentence}`, error.details);
  }
};

/** Does what may refuse. The refusal of a wallet that lacks money names the command that funds it, where there is one. */
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
 * Does what comes before a signature. Where the review says no, the journal keeps it with what it is about, and the
 * operation is over; a person who says no, or ends the question, leaves it as it was.
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
