import { escapeText } from '../../core/escape.ts';
import { isFailure, messageOf } from '../../core/failure.ts';

/** What a check throws, as what is wrong with an answer; `undefined` when it throws nothing. */
export const problemOf = async (check: () => unknown): Promise<string | undefined> => {
  try {
    await check();
    return undefined;
  } catch (error) {
    const [first] = isFailure(error) ? (error.details.errors ?? []) : [];
    return escapeText(first?.message ?? messageOf(error));
  }
};
