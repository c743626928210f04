import { checkStated } from '../../../chain/review/check.ts';
import type { Client, Input } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { deploymentOfService } from '../../../client/service.ts';
import { pixCharge } from '../../../contract/pay/transaction.ts';
import { Failure } from '../../../core/failure.ts';
import { textAt, valueAt } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { assertPixCode } from '../../../flows/charge/pix.ts';
import { chargesIn } from '../../../flows/charge/run.ts';
import { type PaymentState, readPayment, receiversOf } from '../../../flows/pay/status.ts';
import { recorded } from '../../../flows/read-back.ts';
import {
  assertShownAsStated,
  combine,
  PAYMENT_WORDS,
  statedBefore,
  uncovered,
  unstatedIn,
} from '../../../flows/statement.ts';
import { subjectOf } from '../../../journal/earlier.ts';
import { CLAIM_PATIENCE_MS, storeOf } from '../../../journal/file-store.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import { type Deployment, deploymentOf, isSameDeployment, paymentKey } from '../../../journal/keys.ts';
import { statesUnder } from '../../../journal/look-up.ts';
import { newestId } from '../../../journal/naming.ts';
import { withOperation } from '../../../journal/operation.ts';
import { payerMark } from '../../../journal/payer-mark.ts';
import { type Facts, type Statement, statementOf, withLater } from '../../../journal/statement.ts';
import { cardSent } from '../../../journal/status.ts';
import type { CommandContext } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { typeCharge } from '../../operations/approving.ts';
import { busy } from '../../operations/run-once.ts';
import { askAboutDoubts, ofService } from '../../prompt/confirming.ts';
import { PAYMENTS } from './journal.ts';

/**
 * Compares the amount and the currency that the service shows with the statements of the user, because a charge counts
 * as a signature. Statements come from this command, or from the registration on this machine. Asks about facts
 * without a statement. Returns the new statements for the journal.
 * Throws `refused_by_review`, and `invalid_input` if two statements of the user differ.
 */
const stateCharge = async (
  cli: CommandContext,
  given: ParsedArgs,
  { service }: Client,
  payment: PaymentState,
): Promise<Statement> => {
  const { id: paymentId } = payment;
  const shown: Facts = { amount: textAt(payment, 'amount_from'), currency: textAt(payment, 'from_currency_symbol') };
  const typed: Facts = { amount: stringArg(given, 'amount-from'), currency: stringArg(given, 'from-currency-symbol') };
  const options = statementOf(typed, 'options');
  const before = await statedBefore(cli.io, { paymentId, deployment: deploymentOfService(service) });
  const statement = combine(options, before, PAYMENT_WORDS);
  assertShownAsStated(paymentId, shown, statement);
  const names = uncovered(shown, statement, before.confirmed);
  if (names.length === 0) return options;
  const checks = checkStated(unstatedIn(shown, names, PAYMENT_WORDS), false);
  const message = checks.map((check) => check.message).join(' ');
  if (!(await askAboutDoubts(cli, checks, ofService(service, `${message} Charge the card?`)))) {
    throw new Failure('declined', 'not confirmed; nothing was sent');
  }
  const confirmed = Object.fromEntries(names.map((name) => [name, shown[name]]));
  return withLater(options, statementOf(confirmed, 'confirmed'));
};

/**
 * Throws if an operation of this machine sent a card for the payment that is not known to be refused. While nobody knows
 * whether it was charged: `outcome_unknown`. After the service accepted it: `not_final`.
 */
const assertNoOtherCard = async ({ io }: CommandContext, paymentId: string, deployment: Deployment): Promise<void> => {
  for await (const state of statesUnder(io, [paymentKey(paymentId)])) {
    if (state.payment_id !== paymentId || !isSameDeployment(deploymentOf(state), deployment)) continue;
    const sent = cardSent(state);
    if (sent === 'no') continue;
    const data = { payment_id: paymentId, tid_hash: null };
    const hint = 'No card was sent now.';
    if (sent === 'yes') {
      const next = nextStep('pay.status.wait', paymentId);
      throw new Failure('not_final', `a card was sent for payment ${paymentId} already`, { data, hint, next });
    }
    throw new Failure('outcome_unknown', `a card may have been charged for payment ${paymentId} already`, {
      data,
      hint,
      next: nextStep('pay.resume.charge', newestId(state)),
    });
  }
};

/** Asks about charges of the payment that this machine did not make. Only a user at a terminal can allow another one. */
const confirmBeside = async ({ io }: CommandContext, { service }: Client, payment: PaymentState): Promise<void> => {
  if (chargesIn(payment) === 0) return;
  const message = `payment ${payment.id} shows a charge already, which is not of this machine`;
  const question = ofService(service, `Payment ${payment.id} shows a charge already. Charge a card beside it?`);
  if (io.prompt.isPossible && (await io.prompt.confirm(question))) return;
  throw new Failure('outcome_unknown', message, {
    data: { payment_id: payment.id, tid_hash: null },
    hint: 'No card was sent now. Only a user at a terminal can confirm another charge.',
    next: nextStep('pay.status', payment.id),
  });
};

/** The intent of a card: as the service shows its payment, because a single step does not state all of it. */
const intentOf = async ({ io }: CommandContext, payment: PaymentState, input: Input): Promise<ChargeIntent> => ({
  operation: 'card',
  type: String(input['transaction_type']),
  amount: textAt(payment, 'amount_from') ?? '',
  currency: textAt(payment, 'from_currency_symbol') ?? '',
  to_currency: textAt(payment, 'to_currency_symbol') ?? '',
  chain: textAt(payment, 'to_chain') ?? '',
  receivers: receiversOf(payment['split_payment_config']),
  payer: await payerMark(io, String(input['payer_email'])),
});

type Send = (client: Client) => Promise<Envelope>;

/**
 * Sends a card for a registered payment. Its operation is in doubt until the answer is there, as that of `pay run`. Of two
 * processes with the same payment only one sends a card.
 */
export const sendCard = async (cli: CommandContext, given: ParsedArgs, input: Input, send: Send): Promise<Envelope> => {
  const client = await cli.client();
  const payment_id = String(input['payment_id']);
  const deployment = deploymentOfService(client.service);
  const payment = await readPayment(client, payment_id);
  const intent = await intentOf(cli, payment, input);
  const subject = subjectOf({ deployment, intent, key: `card of ${payment_id}` });
  const claiming = await storeOf(cli.io).claim(subject, CLAIM_PATIENCE_MS);
  if ('holder' in claiming) throw busy(PAYMENTS, claiming.holder);
  try {
    await assertNoOtherCard(cli, payment_id, deployment);
    await confirmBeside(cli, client, payment);
    const stated = await stateCharge(cli, given, client, payment);
    await typeCharge(cli, intent.amount, intent.currency);
    return await withOperation(cli.io, { ...deployment, intent, stated, payment_id }, (operation) =>
      recorded(
        { operation },
        { step: 'creating', payment_id },
        () => send(client),
        ({ data }) => ({ step: 'created', payment_id, page: textAt(data, 'session_payment') }),
      ),
    );
  } finally {
    await claiming.claim.release();
  }
};

/**
 * Requests a Pix for a registered payment. Its code is checked before anybody sees it, against the amount that the user
 * stated for the payment on this machine. Throws `refused_by_review`.
 */
export const sendPix = async (cli: CommandContext, input: Input, send: Send): Promise<Envelope> => {
  const client = await cli.client();
  const envelope = await send(client);
  const { data: charge } = pixCharge.safeParse(valueAt(envelope.data, 'fiat_tx'));
  if (!charge) return envelope;
  const paymentId = String(input['payment_id']);
  const { entered } = await statedBefore(cli.io, { paymentId, deployment: deploymentOfService(client.service) });
  const text = (name: 'amount' | 'currency'): string => {
    const value = entered.facts[name]?.value;
    return typeof value === 'string' ? value : '';
  };
  const { pixCopiaECola: code, txid, pix_key: key } = charge;
  assertPixCode({ code, txid, key, amount: text('amount'), currency: text('currency') });
  return envelope;
};
