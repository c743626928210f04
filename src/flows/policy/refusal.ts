import { isFailure } from '../../core/failure.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Movement } from '../../journal/movement.ts';

/** An interrupt says neither yes nor no: what was reviewed does not count, and the movement can be taken up again. */
const INTERRUPTED: Entry = { step: 'failed', code: 'interrupted', status: undefined, is_unknown: false };

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
    if (isFailure(error, 'interrupted')) await movement.note(INTERRUPTED);
    if (isFailure(error, 'refused_by_review')) {
      const checks = (error.details.errors ?? []).map(({ field, message }) => ({ field, message }));
      await movement.note({ step: 'refused', payment_id: paymentId, message: error.message, checks });
    }
    throw error;
  }
};
