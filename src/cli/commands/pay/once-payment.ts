import type { Client } from '../../../client/call.ts';
import type { Intent } from '../../../journal/intents.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { printReceipt } from '../../operations/area.ts';
import { intentKey } from '../../operations/intent.ts';
import { type OnceHandlers, runOnce } from '../../operations/run-once.ts';
import { printTerminal } from '../../operations/terminal.ts';
import { PAYMENTS } from './journal.ts';
import { asEnded, resumeOne } from './resume.ts';

/** What is to be paid, and through which service. */
type Wanted = { readonly client: Client; readonly intent: Intent };

/** Begins a payment; one that the journal knows to be the same is gone on with, or told. */
export const oncePayment = (
  cli: CommandContext,
  given: ParsedArgs,
  { client, intent }: Wanted,
  ways: Pick<OnceHandlers, 'start' | 'assertMayStart'>,
): Promise<void> =>
  runOnce(
    cli,
    PAYMENTS,
    client.service,
    { intent, key: intentKey(given) },
    {
      ...ways,
      resume: async ({ id }) => printReceipt(PAYMENTS, cli.printCommitted, await resumeOne(cli, given, client, id)),
      printOutcome: (state) => printTerminal(cli, PAYMENTS, state, asEnded),
    },
  );
