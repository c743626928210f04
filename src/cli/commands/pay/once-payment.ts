import type { Client } from '../../../client/call.ts';
import type { Intent } from '../../../journal/intents.ts';
import type { ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { printReceipt } from '../../operations/area.ts';
import { intentKey, type OnceHandlers, runOnce } from '../../operations/run-once.ts';
import { printTerminal } from '../../operations/terminal.ts';
import { PAYMENTS } from './journal.ts';
import { asEnded, resumeOne } from './resume.ts';

/** The intent of a payment, and the client of its service. */
type PaymentRequest = { readonly client: Client; readonly intent: Intent };

/** Starts a payment, unless the journal has the same one: that one is resumed, or its outcome is printed. */
export const oncePayment = (
  cli: CommandContext,
  given: ParsedArgs,
  { client, intent }: PaymentRequest,
  handlers: Pick<OnceHandlers, 'start' | 'assertMayStart'>,
): Promise<void> =>
  runOnce(
    cli,
    PAYMENTS,
    client.service,
    { intent, key: intentKey(given) },
    {
      ...handlers,
      resume: async ({ id }) => printReceipt(PAYMENTS, cli.printCommitted, await resumeOne(cli, given, client, id)),
      printOutcome: (state) => printTerminal(cli, PAYMENTS, state, asEnded),
    },
  );
