import { isFailure } from '../../core/failure.ts';
import type { Movement } from '../../journal/movement.ts';

/**
 * Does what comes before a signature. Where the review or the user says no, the journal keeps it with what it is about:
 * nothing was signed, and what was reviewed does not count.
 */
export const keepingRefusal = async <T>(
  movement: Movement,
  paymentId: string | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (isFailure(error, 'refused_by_review') || isFailure(error, 'interrupted')) {
      const checks = (error.details.errors ?? []).map(({ field, message }) => ({ field, message }));
      await movement.note({ step: 'refused', payment_id: paymentId, message: error.message, checks });
    }
    throw error;
  }
};
