import { escapeText } from '../../core/escape.ts';
import { isFailure, messageOf } from '../../core/failure.ts';

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
