import type { PlannedOutflow } from '../../../chain/review/check-policy.ts';
import type { Client } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { deploymentOfService } from '../../../flows/deployment.ts';
import { assertNewOrSame } from '../../../flows/pay/known-id.ts';
import { recorded } from '../../../flows/recorded.ts';
import type { OperationEvent } from '../../../journal/event.ts';
import type { StepIntent } from '../../../journal/intents.ts';
import { withOperation } from '../../../journal/operation.ts';
import { factsOf, type Statement, statementOf, withLater } from '../../../journal/statement.ts';
import type { CommandContext } from '../../context/context.ts';
import { gateOf } from '../../profiles/gate.ts';

/** A step of a payment that is taken step by step: what was typed for it, and its entries. */
export type Step = {
  readonly intent: StepIntent;
  /** What of it a policy can be held against before the call. */
  readonly asked?: PlannedOutflow | undefined;
  /** The most that the payer pays for a price in another currency, where the user states it. */
  readonly payAtMost?: string | undefined;
  /** What the user states beside it. */
  readonly also?: Statement | undefined;
  readonly before: OperationEvent;
  readonly after: (envelope: Envelope) => OperationEvent;
};

/** Nothing is signed by a step, and somebody else may pay: what the policy would refuse a key of this profile is only said. */
const sayRefusal = async (cli: CommandContext, asked: PlannedOutflow): Promise<void> => {
  const refusal = await (await gateOf(cli))?.refusalOf(asked);
  if (refusal) await cli.warn(`somebody else has to pay this. ${refusal.message}`);
};

/** Makes a call that the journal has: later steps hold the payment against what was typed here. */
export const callRecorded = async (
  cli: CommandContext,
  send: (client: Client) => Promise<Envelope>,
  step: Step,
): Promise<Envelope> => {
  const client = await cli.client();
  if (step.asked) await sayRefusal(cli, step.asked);
  const own = statementOf(factsOf(step.intent), 'options', step.payAtMost);
  const stated = step.also ? withLater(own, step.also) : own;
  const beginning = { ...deploymentOfService(client.service), intent: step.intent, stated };
  return withOperation(cli.io, beginning, async (operation) => {
    const envelope = await recorded({ operation }, step.before, () => send(client), step.after);
    if (step.intent.operation === 'register') await assertNewOrSame(cli.io, operation);
    return envelope;
  });
};
