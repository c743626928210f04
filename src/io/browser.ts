import type { PageAddress } from '../core/page-address.ts';
import type { Browser, Io } from './io.ts';

/** BROWSER is a list of commands with colons between them, of which the first is taken; `%s` stands for the address. */
const usual = ({ BROWSER }: Io['env']): readonly string[] =>
  (process.platform === 'win32' ? [BROWSER] : (BROWSER ?? '').split(':'))
    .map((command) => (command ?? '').split(' ').filter(Boolean))
    .find(([program]) => program !== undefined) ?? [];

const start = async (page: PageAddress, [name, ...words]: readonly string[]): Promise<void> => {
  const { default: open, openApp } = await import('open');
  if (name === undefined) await open(page);
  else if (words.some((word) => word.includes('%s'))) {
    await openApp(name, { arguments: words.map((word) => word.replaceAll('%s', page)) });
  } else await open(page, { app: { name, arguments: words } });
};

/** The browser of the user, or the one that BROWSER names. */
export const systemBrowser = (env: Io['env']): Browser => ({
  open: async (page) => {
    try {
      await start(page, usual(env));
      return true;
    } catch {
      // Without a browser the address is still there to be copied.
      return false;
    }
  },
});
