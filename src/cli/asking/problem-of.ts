import { escapeText } from '../../core/escape.ts';
import { messageOf } from '../../core/failure.ts';

/** What a check throws, as what is wrong with an answer; `undefined` when it throws nothing. */
export const problemOf = async (check: () => unknown): Promise<string | undefined> => {
  try {
    await check();
    return undefined;
  } catch (error) {
    return escapeText(messageOf(error));
  }
};
