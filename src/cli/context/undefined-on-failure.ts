import { type FailureCode, isFailure } from '../../core/failure.ts';

/**
 * What a look comes to; `undefined` where it fails, for the step that needs it will say why. Ctrl-C ends it all, and so do
 * failures that say all there is to know.
 */
export const undefinedOnFailure = async <T>(
  work: Promise<T>,
  ...ends: readonly FailureCode[]
): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted' || ends.includes(error.code)) throw error;
    return undefined;
  }
};
