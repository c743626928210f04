import type { PlannedOutflow } from '../../../chain/review/check-policy.ts';
import type { Client } from '../../../client/call.ts';
import { deploymentOfService, type Envelope } from '../../../client/envelope.ts';
import { assertNewOrSame } from '../../../flows/pay/identity.ts';
import { recorded } from '../../../flows/read-back.ts';
import type { OperationEvent } from '../../../journal/event.ts';
import type { StepIntent } from '../../../journal/intents.ts';
import { withOperation } from '../../../journal/operation.ts';
import { factsOf, type Statement, statementOf, withLater } from '../../../journal/statement.ts';
import type { CommandContext } from '../../context/context.ts';
import { gateOf } from '../../profiles/gate.ts';

/** One step of a payment: its intent, its statements and its journal entries. */
export type Step = {
  readonly intent: StepIntent;
  /** The outflow to compare with a policy before the call. */
  readonly asked?: PlannedOutflow | undefined;
  /** The stated maximum that the payer pays for a price in another currency. */
  readonly payAtMost?: string | undefined;
  /** Further statements of the user. */
  readonly also?: Statement | undefined;
  readonly before: OperationEvent;
  readonly after: (envelope: Envelope) => OperationEvent;
};

/** Warns if the policy forbids the keys of this profile to pay. Another wallet may still pay. */
const warnOfRefusal = async (cli: CommandContext, planned: PlannedOutflow): Promise<void> => {
  const refusal = await (await gateOf(cli))?.refusalOf(planned);
  if (refusal) await cli.warn(`somebody else has to pay this. ${refusal.message}`);
};

/** Makes a call and records it. Later steps compare the payment with these statements. */
export const callRecorded = async (
  cli: CommandContext,
  send: (client: Client) => Promise<Envelope>,
  step: Step,
): Promise<Envelope> => {
  const client = await cli.client();
  if (step.asked) await warnOfRefusal(cli, step.asked);
  const own = statementOf(factsOf(step.intent), 'options', step.payAtMost);
  const stated = step.also ? withLater(own, step.also) : own;
  const beginning = { ...deploymentOfService(client.service), intent: step.intent, stated };
  return withOperation(cli.io, beginning, async (operation) => {
    const envelope = await recorded({ operation }, step.before, () => send(client), step.after);
    if (step.intent.operation === 'register') await assertNewOrSame(cli.io, operation);
    return envelope;
  });
};
