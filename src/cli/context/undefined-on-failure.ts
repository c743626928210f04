import { type FailureCode, isFailure } from '../../core/failure.ts';

/**
 * Resolves with the result of work, or with `undefined` if it fails: a later step reports the failure. Ctrl-C and the
 * codes in `ends` still throw.
 */
export const undefinedOnFailure = async <T>(work: Promise<T>, ...ends: readonly FailureCode[]) => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted' || ends.includes(error.code)) throw error;
    return undefined;
  }
};
