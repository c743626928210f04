import type { Command } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { sandboxControl } from './control.ts';

/** `sandbox inbox`. */
export const inbox: Command = {
  words: ['sandbox', 'inbox'],
  summary: 'Show the e-mails that the sandbox would have sent, newest first',
  arguments: [{ name: 'EMAIL', description: 'Only e-mails to this address', isOptional: true }],
  fails: ['sandbox_unavailable', 'rejected'],
  examples: ['sandbox inbox', 'sandbox inbox payer@example.com --json'],
  run: async (cli, given) => {
    const control = await sandboxControl(cli);
    const mails = await control.inbox(stringArg(given, 'email'));
    await cli.printResult(mails, mails, { none: 'No e-mail was sent. bursar kyc start sends one.' });
  },
};
