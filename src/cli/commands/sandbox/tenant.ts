import type { Command } from '../../command/command.ts';
import { boolArg } from '../../command/options.ts';
import { sandboxControl } from './control.ts';

/** `sandbox tenant`. */
export const tenant: Command = {
  words: ['sandbox', 'tenant'],
  summary: 'Make an API key of a new tenant of the sandbox',
  about: ['It is shown this once. Orders and payments of one tenant are hidden from the others.'],
  options: [{ flag: '--without-tenant', description: 'A key that belongs to none: orders answer customer_not_logged' }],
  fails: ['sandbox_unavailable'],
  examples: ['sandbox tenant', 'sandbox tenant --without-tenant --json'],
  run: async (cli, given) => {
    const control = await sandboxControl(cli);
    await cli.printCommitted(await control.tenant(boolArg(given, 'without-tenant')));
  },
};
