import { checkStated } from '../../../chain/review/check.ts';
import type { Client, Input } from '../../../client/call.ts';
import type { Envelope } from '../../../client/envelope.ts';
import { deploymentOfService, type Service } from '../../../client/service.ts';
import { Failure, isFailure, withDetails } from '../../../core/failure.ts';
import { textAt, valueAt } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { besideInWords, openPixOf, otherCardOf, payablePix } from '../../../flows/charge/other-charge.ts';
import { payableOf } from '../../../flows/charge/pix.ts';
import { chargesIn } from '../../../flows/charge/run.ts';
import { type PaymentState, readPayment, receiversOf } from '../../../flows/pay/status.ts';
import { recorded } from '../../../flows/read-back.ts';
import {
  assertShownAsStated,
  combine,
  completedBy,
  PAYMENT_WORDS,
  statedBefore,
  uncovered,
  unstatedIn,
} from '../../../flows/statement.ts';
import { subjectOf } from '../../../journal/earlier.ts';
import type { ChargeIntent, StepIntent } from '../../../journal/intents.ts';
import type { Deployment } from '../../../journal/keys.ts';
import { CLAIM_PATIENCE_MS, storeOf } from '../../../journal/open-store.ts';
import { withOperation } from '../../../journal/operation.ts';
import { payerMark } from '../../../journal/payer-mark.ts';
import { type Facts, type Statement, statementOf, withLater } from '../../../journal/statement.ts';
import { isCardType } from '../../command/card-options.ts';
import type { CommandContext } from '../../command/command.ts';
import { assertGiven, type ParsedArgs, stringArg } from '../../command/options.ts';
import { typeCharge } from '../../operations/approving.ts';
import { busy, replace } from '../../operations/run-once.ts';
import { withOperation as withNamedOperation } from '../../operations/with-operation.ts';
import { askAboutDoubts, ofService } from '../../prompt/confirming.ts';
import { chargeContext } from './charge.ts';
import { PAYMENTS } from './journal.ts';

const shownIn = (payment: PaymentState): Facts => ({
  amount: textAt(payment, 'amount_from'),
  currency: textAt(payment, 'from_currency_symbol'),
});

const typedIn = (given: ParsedArgs): Facts => ({
  amount: stringArg(given, 'amount-from'),
  currency: stringArg(given, 'from-currency-symbol'),
});

/** The price of a payment: shown by the service, and completed by what the user stated. */
type Price = { readonly amount: string; readonly currency: string };

/** Throws `invalid_input` if nobody names the amount or the currency. */
const priceOf = ({ amount, currency }: Facts): Price => {
  const price = {
    amount: typeof amount === 'string' ? amount : '',
    currency: typeof currency === 'string' ? currency : '',
  };
  assertGiven([
    { anyOf: ['--amount-from'], value: price.amount },
    { anyOf: ['--from-currency-symbol'], value: price.currency },
  ]);
  return price;
};

/** What the user states about a charge, and its price. */
type StatedCharge = { readonly stated: Statement; readonly price: Price };

/**
 * Compares the amount and the currency that the service shows with the statements of the user, because a charge counts
 * as a signature. Statements come from this command, or from the registration on this machine. Asks about facts
 * without a statement. Throws `refused_by_review`, and `invalid_input` if two statements of the user differ.
 */
const stateCharge = async (
  cli: CommandContext,
  given: ParsedArgs,
  { service }: Client,
  payment: PaymentState,
): Promise<StatedCharge> => {
  const { id: paymentId } = payment;
  const shown = shownIn(payment);
  const options = statementOf(typedIn(given), 'options');
  const before = await statedBefore(cli.io, { paymentId, deployment: deploymentOfService(service) });
  const statement = combine(options, before, PAYMENT_WORDS);
  assertShownAsStated(paymentId, shown, statement);
  const price = priceOf(completedBy(shown, statement));
  const names = uncovered(shown, statement, before.confirmed);
  if (names.length === 0) return { stated: options, price };
  const checks = checkStated(unstatedIn(shown, names, PAYMENT_WORDS), false);
  const message = checks.map((check) => check.message).join(' ');
  if (!(await askAboutDoubts(cli, checks, ofService(service, `${message} Charge the card?`)))) {
    throw new Failure('declined', 'not confirmed; nothing was sent');
  }
  const confirmed = Object.fromEntries(names.map((name) => [name, shown[name]]));
  return { stated: withLater(options, statementOf(confirmed, 'confirmed')), price };
};

/**
 * Asks about another card of the payment, or a charge that it shows. Only a user at a terminal can allow a card beside it.
 * Throws `not_final` after the service accepted the other card, and else `outcome_unknown`.
 */
const assertAlone = async ({ io }: CommandContext, { service }: Client, payment: PaymentState): Promise<void> => {
  const { id } = payment;
  const other = await otherCardOf(io, deploymentOfService(service), id);
  const message = besideInWords(id, other, chargesIn(payment));
  if (message === undefined) return;
  if (io.prompt.isPossible && (await io.prompt.confirm(ofService(service, `${message} Charge a card beside it?`))))
    return;
  const isAccepted = other?.sent === 'yes';
  throw new Failure(isAccepted ? 'not_final' : 'outcome_unknown', message, {
    data: { payment_id: id, tid_hash: null },
    hint: 'No card was sent now. Only a user at a terminal can confirm another one.',
    next: other?.sent === 'maybe' ? nextStep('pay.resume.charge', id) : nextStep('pay.status.wait', id),
  });
};

/** The facts of a Pix or a card of a payment, as the journal keeps them. */
const intentOf = async (
  { io }: CommandContext,
  { transaction_type: type, payer_email: email }: Input,
  payment: PaymentState,
  price: Price,
): Promise<ChargeIntent> => ({
  operation: isCardType(type) ? 'card' : 'pix',
  type: String(type),
  ...price,
  to_currency: textAt(payment, 'to_currency_symbol') ?? '',
  chain: textAt(payment, 'to_chain') ?? '',
  receivers: receiversOf(payment['split_payment_config']),
  payer: await payerMark(io, String(email)),
});

type Send = (client: Client) => Promise<Envelope>;

const STEP: StepIntent = { operation: 'transaction', chain: '', token: '', payer: '' };

/** Works while no other process makes a charge for the payment from here. Throws `not_final`. */
const alone = async <T>({ io }: CommandContext, deployment: Deployment, paymentId: string, work: () => Promise<T>) => {
  const subject = subjectOf({ deployment, intent: STEP, key: `charge of ${paymentId}` });
  const claiming = await (await storeOf(io)).claim(subject, CLAIM_PATIENCE_MS);
  if ('holder' in claiming) {
    throw withDetails(busy(PAYMENTS, claiming.holder), { hint: 'Nothing was sent from here.' });
  }
  try {
    return await work();
  } finally {
    await claiming.claim.release();
  }
};

/**
 * Sends a card for a registered payment. Its operation is in doubt until the answer is there, as that of `pay run`. Of two
 * processes that send a card for one payment this way, only one does.
 */
export const sendCard = async (cli: CommandContext, given: ParsedArgs, input: Input, send: Send): Promise<Envelope> => {
  const client = await cli.client();
  const payment_id = String(input['payment_id']);
  const deployment = deploymentOfService(client.service);
  return alone(cli, deployment, payment_id, async () => {
    const payment = await readPayment(client, payment_id);
    await assertAlone(cli, client, payment);
    const { stated, price } = await stateCharge(cli, given, client, payment);
    await typeCharge(cli, price.amount, price.currency);
    const intent = await intentOf(cli, input, payment, price);
    return withOperation(cli.io, { ...deployment, intent, stated, payment_id }, (operation) =>
      recorded(
        { operation },
        { step: 'creating', payment_id },
        () => send(client),
        ({ data }) => ({ step: 'created', payment_id, page: textAt(data, 'session_payment') }),
      ),
    );
  });
};

/** The price of a Pix: as the user stated it here or on this machine, or else as the service shows it. */
const statePix = async (
  { io }: CommandContext,
  given: ParsedArgs,
  { service }: Client,
  payment: PaymentState,
): Promise<StatedCharge> => {
  const options = statementOf(typedIn(given), 'options', stringArg(given, 'pay-at-most'), 'BRL');
  const before = await statedBefore(io, { paymentId: payment.id, deployment: deploymentOfService(service) });
  const statement = combine(options, before, PAYMENT_WORDS);
  const shown = shownIn(payment);
  assertShownAsStated(payment.id, shown, statement);
  return { stated: options, price: priceOf(completedBy(shown, statement)) };
};

/**
 * Asks before a Pix is made beside one that can be paid. Earlier Pix of the payment whose code was never shown are
 * superseded: a resume would make each once more.
 */
const makeRoom = async (cli: CommandContext, service: Service, paymentId: string): Promise<void> => {
  const open = await openPixOf(cli.io, deploymentOfService(service), paymentId);
  const other = payablePix(cli.io, paymentId, open);
  const question = `${other?.message} Make another, which could be paid beside it?`;
  if (other && !(await cli.confirm(ofService(service, question)))) {
    throw new Failure('declined', 'not confirmed; nothing was sent', {
      next: nextStep('pay.resume.charge', other.state.id),
    });
  }
  for (const state of open.filter(({ pix }) => pix === undefined)) {
    if (state.stage === 'creating' || state.stage === 'created')
      await cli.warn(`payment ${paymentId} may have another Pix, whose code was lost; it could be paid too`);
    await replace(cli, state);
  }
};

/**
 * Requests a Pix for a registered payment. Its code is checked before anybody sees it, and recorded: `pay resume` shows it
 * again. Throws as `payableOf`.
 */
export const sendPix = async (cli: CommandContext, given: ParsedArgs, input: Input, send: Send): Promise<Envelope> => {
  const client = await cli.client();
  const payment_id = String(input['payment_id']);
  const payment = await readPayment(client, payment_id);
  const deployment = deploymentOfService(client.service);
  const { stated, price } = await statePix(cli, given, client, payment);
  const intent = await intentOf(cli, input, payment, price);
  const beginning = { ...deployment, intent, stated, payment_id, inputs: { transaction: input } };
  const start = async () => ({ beginning, context: {} });
  return alone(cli, deployment, payment_id, async () => {
    await makeRoom(cli, client.service, payment_id);
    return withNamedOperation(cli, { area: PAYMENTS, start }, async ({ operation }) => {
      const envelope = await recorded(
        { operation },
        { step: 'creating', payment_id },
        () => send(client),
        ({ data }) => ({ step: 'created', payment_id, page: textAt(data, 'session_payment') }),
      );
      const context = chargeContext(cli, given, { client, operation }, { waits: false });
      const showing = payableOf(context, payment_id, intent, valueAt(envelope.data, 'fiat_tx'));
      // Without a documented charge nothing is left to show, now or by a resume.
      await showing.catch(async (error: unknown) => {
        if (!isFailure(error, 'unexpected_answer')) throw error;
        await operation.note({ step: 'failed', code: error.code, status: undefined, is_unknown: false });
        throw error;
      });
      return envelope;
    });
  });
};
