import type { Client } from '../../../client/call.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { askedOf, assertAsked } from '../../../flows/pay/asked.ts';
import type { StatedFacts } from '../../../flows/pay/context.ts';
import type { PaymentIntent } from '../../../journal/intents.ts';
import type { OperationStart } from '../../../journal/operation.ts';
import type { Statement } from '../../../journal/statement.ts';
import type { CommandContext } from '../../command/command.ts';
import { gateOf, networkOf } from '../../profiles/gate.ts';

// Apart from the plan, which `pay sign` uses too: what the review needs loads while its key is unlocked.

/** The input of the first record of a payment. */
export type PaymentBeginning = Pick<OperationStart, 'intent_key' | 'payment_id' | 'inputs'> & {
  readonly client: Client;
  readonly intent: PaymentIntent;
  readonly stating: StatedFacts;
  /** The statements of this command; the journal has the earlier ones. */
  readonly stated: Statement;
};

/** The first record of a payment. */
export const beginningOf = ({
  client,
  intent,
  intent_key,
  payment_id,
  inputs,
  stated,
}: PaymentBeginning): OperationStart => ({
  ...deploymentOfService(client.service),
  intent,
  intent_key,
  payment_id,
  inputs,
  stated,
});

/** Throws `refused_by_review` for a payment that the policy forbids to sign, before it is registered. */
export const assertAllowed = async (cli: CommandContext, beginning: PaymentBeginning): Promise<void> => {
  const gate = await gateOf(cli);
  const planned = askedOf(beginning.intent, await networkOf(cli, beginning.client.service.kind));
  await assertAsked(cli.io, gate, planned, beginningOf(beginning));
};
