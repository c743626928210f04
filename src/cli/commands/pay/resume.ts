import { deploymentOfService } from '../../../client/service.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { assertEndShown } from '../../../flows/pay/landed.ts';
import { payAgain } from '../../../flows/pay/pay-again.ts';
import { resumePayment } from '../../../flows/pay/resume/payment.ts';
import type { PayInputs } from '../../../flows/pay/resume/resumption.ts';
import { readInputs } from '../../../journal/inputs.ts';
import { isChargeIntent, isPaymentIntent, isStepIntent, type PaymentIntent } from '../../../journal/intents.ts';
import { hashSent, type OperationState } from '../../../journal/operation-state.ts';
import { boundTo } from '../../../journal/statement.ts';
import { wireStatusOf } from '../../../journal/status.ts';
import { CARD_CUSTOM } from '../../command/card-options.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { keyOption, PASSWORD_OPTIONS } from '../../command/key-options.ts';
import type { ParsedArgs } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import type { AreaResume, AsEnded, Resumable } from '../../operations/resumable.ts';
import { resumeLeaf } from '../../operations/resume.ts';
import { NEW_API_KEY_OPTION } from '../../operations/same-service.ts';
import { signerOf } from '../../operations/signing-key.ts';
import { networkOf } from '../../profiles/gate.ts';
import { confirmMoving, ofService } from '../../prompt/confirming.ts';
import { contextFor } from './context.ts';
import { chargeReceipt, PAYMENTS, receiptHead } from './journal.ts';
import { assertFieldsAsEntered } from './other-fields.ts';
import { nodeFor, REVIEW_OPTIONS, RPC_OPTION } from './plan.ts';
import { signedFacts } from './signed-facts.ts';
import { STATEMENT_OPTIONS, statingOfResumed, typedIn } from './stated.ts';

/** The stored inputs of an operation. They are validated again before each call. */
const inputsOf = async (cli: CommandContext, id: string): Promise<PayInputs> => (await readInputs(cli.io, id)) ?? {};

/** The receipt of a resumed payment. */
const receiptOf = (state: OperationState, intent: PaymentIntent, status: string, hash: string | null) => ({
  ...receiptHead(state, { payment_id: state.payment_id ?? null, status, tid_hash: hash }),
  chain_name: intent.chain,
  payer_wallet: intent.payer,
  amount_from: intent.amount,
  from_currency_symbol: intent.currency,
});

/** Resumes a payment in crypto. */
const resumeSigned = async (
  cli: CommandContext,
  given: ParsedArgs,
  { operation, state, client }: Resumable,
  intent: PaymentIntent,
): Promise<unknown> => {
  const [typed, inputs] = [await typedIn(cli, given), await inputsOf(cli, state.id)];
  await assertFieldsAsEntered(client, { state, inputs, payer: intent.payer }, typed.input);
  const resumed = { state, intent, deployment: deploymentOfService(client.service) };
  const stating = await statingOfResumed(cli.io, resumed, typed);
  if (Object.keys(typed.statement.facts).length > 0 || typed.statement.pay_at_most !== undefined) {
    await operation.record({ step: 'stated', stated: boundTo(typed.statement, intent.token) });
  }
  const context = { ...(await contextFor(cli, given, { client, intent, stating })), operation };
  const withKey = signerOf(cli, given, { area: PAYMENTS, chain: 'evm', address: intent.payer });
  const confirm = (question: string) => confirmMoving(cli, ofService(client.service, question));
  const resumption = { state, intent, inputs, withKey, confirm };
  const { payment_id, hash, payment, feePaid } = await resumePayment(context, resumption);
  const facts = signedFacts(context.network, operation.state(), feePaid);
  return { ...receiptOf({ ...state, payment_id }, intent, payment.status, hash), ...facts };
};

const resumeAny: AreaResume['resume'] = async (cli, given, reopened) => {
  const { state } = reopened;
  const { intent } = state.started;
  if (isPaymentIntent(intent)) return resumeSigned(cli, given, reopened, intent);
  if (!isChargeIntent(intent)) throw new Failure('not_found', `the operation ${state.id} is no payment`);
  const { resumeChargeOf } = await import('./resume-charge.ts');
  return resumeChargeOf(cli, given, { ...reopened, intent, inputs: await inputsOf(cli, state.id) });
};

/** The receipt of a payment that is over, and the next command. */
const asEnded: AsEnded = async (state, cli) => {
  const { intent } = state.started;
  const hash = hashSent(state) ?? null;
  const { payment_id = null, tid_hash = null } = state;
  if (isPaymentIntent(intent)) {
    const network = await undefinedOnFailure(networkOf(cli, state.started.kind));
    return { receipt: { ...receiptOf(state, intent, wireStatusOf(state), hash), ...signedFacts(network, state) } };
  }
  const status = wireStatusOf(state);
  if (isChargeIntent(intent)) {
    return { receipt: chargeReceipt(state, intent, { payment_id, status, tid_hash, pix: undefined }) };
  }
  // After a single step the user runs the next step too.
  const executes = status === 'created' || status === 'signed';
  const { to_chain: chain, to_currency: to, currency } = 'receivers' in intent ? intent : {};
  const payer = { chain, token: currency === to ? to : undefined };
  const next = (id: string) => {
    if (executes) return nextStep('pay.execute', id);
    return status === 'registered' ? nextStep('pay.transaction', id, payer) : undefined;
  };
  const receipt = { ...receiptHead(state, { payment_id, status, tid_hash: null }), next: null };
  return { receipt, next: payment_id === null ? undefined : next(payment_id) };
};

const startAgain: AreaResume['startAgain'] = (state) => {
  const { payment_id, intent } = state.started;
  // The payment exists and can still be paid: another payment would stand beside it.
  if (payment_id !== undefined) return nextStep(isChargeIntent(intent) ? 'pay.status' : 'pay.execute', payment_id);
  if (isStepIntent(intent) && state.payment_id !== undefined) return nextStep('pay.status', state.payment_id);
  if (isPaymentIntent(intent) && state.payment_id !== undefined)
    return nextStep(state.crypto_tx === undefined ? 'pay.transaction.crypto' : 'pay.execute', state.payment_id);
  return Object.keys(state.stated.facts).length === 0 ? undefined : payAgain(state);
};

/** A success that the service alone reported is checked by the node that is named now. */
const assertEnd: AreaResume['assertEnd'] = async (cli, given, state) => {
  const { intent, kind } = state.started;
  const isOwnWord = state.status === 'success' && !state.isShownByNode && kind !== 'sandbox';
  if (!isOwnWord || !isPaymentIntent(intent)) return;
  const client = await cli.client();
  await assertEndShown({ client, node: await nodeFor(cli, given, intent.chain, client) }, state);
};

/** How a payment is resumed. */
export const RESUMING = { area: PAYMENTS, resume: resumeAny, asEnded, startAgain, assertEnd };

/** `pay resume`. */
export const resume: Command = resumeLeaf({
  resuming: RESUMING,
  about: [
    'Reads back what became of a payment, sends the approved bytes again, and, with --yes or at a terminal, signs what was not signed yet. Another transaction is signed only when the one before is shown to be dead.',
    'A Pix that can still be paid is shown again and waited for, except with --all. A card must be given again, because it is never stored.',
  ],
  options: [
    keyOption('evm'),
    ...PASSWORD_OPTIONS,
    ...REVIEW_OPTIONS,
    RPC_OPTION,
    ...CARD_CUSTOM.options,
    NEW_API_KEY_OPTION,
    ...STATEMENT_OPTIONS,
  ],
  calls: ['pay.register', 'pay.transaction', 'pay.execute', 'pay.status'],
  fails: ['not_found', 'refused_by_review', 'not_final', 'payment_failed', 'outcome_unknown'],
});
