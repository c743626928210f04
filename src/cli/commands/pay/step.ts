import type { PlannedOutflow } from '../../../chain/review/check-policy.ts';
import type { Client, Input } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { allowedMethods } from '../../../contract/pay/shared.ts';
import { isJsonObject, textAt } from '../../../core/json.ts';
import { askedOfRegistered } from '../../../flows/pay/asked.ts';
import { assertNewOrSame } from '../../../flows/pay/identity.ts';
import { walletOf } from '../../../flows/pay/nonce.ts';
import { createOnce, withFreshNonce } from '../../../flows/pay/prepare.ts';
import { receiversOf } from '../../../flows/pay/status.ts';
import { recorded } from '../../../flows/read-back.ts';
import { withTurn } from '../../../flows/turn.ts';
import type { OperationEvent } from '../../../journal/event.ts';
import type { StepIntent } from '../../../journal/intents.ts';
import { withOperation } from '../../../journal/operation.ts';
import { factsOf, statementOf } from '../../../journal/statement.ts';
import type { CommandContext } from '../../command/command.ts';
import { gateOf, networkOf } from '../../profiles/gate.ts';

/** One step of a payment: its intent, its statements and its journal entries. */
export type Step = {
  readonly intent: StepIntent;
  /** The outflow to compare with a policy before the call. */
  readonly asked?: PlannedOutflow | undefined;
  /** The stated maximum that the payer pays for a price in another currency. */
  readonly payAtMost?: string | undefined;
  readonly before: OperationEvent;
  readonly after: (envelope: Envelope) => OperationEvent;
};

/** Warns if the policy forbids the keys of this profile to pay. Another wallet may still pay. */
const warnOfRefusal = async (cli: CommandContext, planned: PlannedOutflow): Promise<void> => {
  const refusal = await (await gateOf(cli))?.refusalOf(planned);
  if (refusal) await cli.warn(`somebody else has to pay this. ${refusal.message}`);
};

/** Makes a call and records it. Later steps compare the payment with these statements. */
export const callRecorded = async (cli: CommandContext, send: (client: Client) => Promise<Envelope>, step: Step) => {
  const client = await cli.client();
  if (step.asked) await warnOfRefusal(cli, step.asked);
  const stated = statementOf(factsOf(step.intent), 'options', step.payAtMost);
  const beginning = { ...deploymentOfService(client.service), intent: step.intent, stated };
  return withOperation(cli.io, beginning, async (operation) => {
    const envelope = await recorded({ operation }, step.before, () => send(client), step.after);
    if (step.intent.operation === 'register') await assertNewOrSame(cli.io, operation);
    return envelope;
  });
};

const textIn = (input: unknown, name: string): string => {
  const value = isJsonObject(input) ? input[name] : undefined;
  return typeof value === 'string' ? value : '';
};

/** The step of `pay register`. */
export const registered = (input: Input): Step => {
  const methods = allowedMethods(input['payment_method_allowed']);
  const intent = {
    operation: 'register',
    methods,
    amount: textIn(input, 'amount_from'),
    currency: textIn(input, 'from_currency_symbol'),
    receivers: receiversOf(input['split_payment_config']),
    to_currency: textIn(input, 'to_currency_symbol') || undefined,
    to_chain: textIn(input, 'to_chain') || undefined,
  } as const;
  return {
    intent,
    // A policy has no rules for cards and Pix.
    asked: methods.join() === 'crypto' ? askedOfRegistered(intent) : undefined,
    before: { step: 'registering' },
    after: ({ data }) => ({ step: 'registered', payment_id: textIn(data, 'payment_id') }),
  };
};

/** Creates a transaction in the turn of the payer's wallet, so that no other operation uses its nonce. */
export const createInTurn = async (cli: CommandContext, client: Client, input: Input): Promise<Envelope> => {
  const paymentId = textIn(input, 'payment_id');
  const [chain, payer] = [textIn(input, 'chain_name'), textIn(input, 'payer_wallet')];
  const wallet = walletOf({ network: await networkOf(cli, client.service.kind) }, { chain, payer });
  return withTurn({ client, wallet }, () =>
    withFreshNonce(client, paymentId, async () => {
      const made = await createOnce(client, input);
      return { made, cryptoTx: isJsonObject(made.data) ? made.data['crypto_tx'] : undefined };
    }),
  );
};

/** The step of `pay transaction`. */
export const created = (input: Input): Step => {
  const payment_id = textIn(input, 'payment_id');
  return {
    intent: {
      operation: 'transaction',
      chain: textIn(input, 'chain_name'),
      token: textIn(input, 'payer_token_symbol'),
      payer: textIn(input, 'payer_wallet'),
    },
    before: { step: 'creating', payment_id },
    after: ({ data }) => ({
      step: 'created',
      payment_id,
      crypto_tx: isJsonObject(data) ? data['crypto_tx'] : undefined,
      page: textAt(data, 'session_payment'),
    }),
  };
};
