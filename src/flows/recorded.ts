import { Failure, isFailure, messageOf } from '../core/failure.ts';
import type { OperationEvent } from '../journal/event.ts';
import type { Operation } from '../journal/operation.ts';
import { isForeignLimit } from './read-back.ts';

/** Records `before`, makes a call, and records its outcome. A failure of the call is rethrown unchanged. */
export const recorded = async <T>(
  { operation }: { readonly operation: Operation },
  before: OperationEvent,
  work: () => Promise<T>,
  after: (result: T) => OperationEvent,
): Promise<T> => {
  await operation.record(before);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const failure = isFailure(error) ? error : new Failure('internal', messageOf(error));
    const { code, details } = failure;
    const isDoubtful = isForeignLimit(failure) || (code === 'limit_reached' && details.isUnclear === true);
    const is_unknown = code === 'outcome_unknown' || code === 'internal' || isDoubtful;
    // Only calls with signed bytes have a hash: bytes that left this machine may land.
    const bytes = 'hash' in before && { hash: before.hash, ...(details.isUnsent && { unsent: true as const }) };
    await operation.note({ step: 'failed', code, status: details.status, is_unknown, ...bytes });
    throw error;
  }
  await operation.note(after(result));
  return result;
};
