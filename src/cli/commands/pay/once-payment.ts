import type { Client } from '../../../client/call.ts';
import type { Intent } from '../../../journal/intents.ts';
import type { Cli } from '../../cli.ts';
import { tellReceipt } from '../../movements/area.ts';
import { intentKey } from '../../movements/intent.ts';
import { once, type Ways } from '../../movements/once.ts';
import { tellOver } from '../../movements/over.ts';
import type { Given } from '../../options.ts';
import { PAYMENTS } from './journal.ts';
import { asEnded, resumeOne } from './resume.ts';

/** What is to be paid, and through which service. */
type Wanted = { readonly client: Client; readonly intent: Intent };

/** Begins a payment; one that the journal knows to be the same is gone on with, or told. */
export const oncePayment = (
  cli: Cli,
  given: Given,
  { client, intent }: Wanted,
  ways: Pick<Ways, 'begin' | 'mayBegin'>,
): Promise<void> =>
  once(
    cli,
    PAYMENTS,
    client.service,
    { intent, key: intentKey(given) },
    {
      ...ways,
      goOn: async ({ id }) => tellReceipt(PAYMENTS, cli.report, await resumeOne(cli, given, client, id)),
      tell: (state) => tellOver(cli, PAYMENTS, state, asEnded),
    },
  );
