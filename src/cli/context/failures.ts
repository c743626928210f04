import { type FailureCode, isFailure, isUninterrupted, messageOf } from '../../core/failure.ts';
import { escapeText } from '../../core/text.ts';

/**
 * Resolves with the result of work, or with `undefined` if it fails: a later step reports the failure. Ctrl-C and the
 * codes in `ends` still throw.
 */
export const undefinedOnFailure = async <T>(work: Promise<T>, ...ends: readonly FailureCode[]) => {
  try {
    return await work;
  } catch (error) {
    if (!isUninterrupted(error) || ends.includes(error.code)) throw error;
    return undefined;
  }
};

/** The message that a check throws; undefined if it throws nothing. */
export const messageThrownBy = (check: () => unknown): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
};

/** Runs a check and returns the message that it throws; undefined if the value is valid. */
export const problemOf = async (check: () => unknown): Promise<string | undefined> => {
  try {
    await check();
    return undefined;
  } catch (error) {
    const [first] = isFailure(error) ? (error.details.errors ?? []) : [];
    return escapeText(first?.message ?? messageOf(error));
  }
};
