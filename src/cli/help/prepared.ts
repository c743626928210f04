import type { Page } from './page.ts';

/**
 * A page of help that the build has made, by the words that name it. `help` names that of the program, and an empty name
 * the page of `bursar` alone. The build replaces this module, because the sources have no prepared pages.
 */
export const preparedPage = async (_name: string): Promise<Page | undefined> => undefined;
