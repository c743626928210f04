import type { Page, PageLength } from './page.ts';

/**
 * A page of help that the build has made, by the words that name it; no words name that of the program. The build replaces
 * this module, because the sources have no prepared pages.
 */
export const preparedPage = async (_words: readonly string[], _length: PageLength): Promise<Page | undefined> =>
  undefined;
