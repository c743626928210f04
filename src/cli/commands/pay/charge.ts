import { type Client, withPauses } from '../../../client/call.ts';
import { deploymentOfService, type Service } from '../../../client/service.ts';
import type { Kind } from '../../../contract/chains.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { divideDecimals, isDecimal } from '../../../core/decimal.ts';
import { amended, Failure, withDetails } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { commandLine, type NextStep, nextStep, variable } from '../../../core/next.ts';
import { escapeText, inSentence, isSameText } from '../../../core/text.ts';
import {
  beginCharge,
  type Charge,
  type ChargeRequest,
  followCharge,
  type RequestedCharge,
} from '../../../flows/charge/run.ts';
import type { PayContext, PayEvent } from '../../../flows/pay/context.ts';
import type { PrepareContext } from '../../../flows/pay/prepare.ts';
import { noteEnd } from '../../../flows/pay/run.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import { marketWorth } from '../../../flows/quote/worth.ts';
import type { Io } from '../../../io/io.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import { newestId } from '../../../journal/naming.ts';
import type { Operation } from '../../../journal/operation.ts';
import { payerMark } from '../../../journal/payer-mark.ts';
import { factsOf, statementOf } from '../../../journal/statement.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { offerWhileWaiting } from '../../context/sandbox-control.ts';
import { typeCharge } from '../../operations/approving.ts';
import { printReceipt } from '../../operations/area.ts';
import { assertConfirmableOrRepeat, intentKey, warnOfNewJournal } from '../../operations/run-once.ts';
import { withOperation } from '../../operations/with-operation.ts';
import { completeNext, repeated, variableOf, withVariables } from '../../print/next-command.ts';
import { confirmMoving, ofService } from '../../prompt/confirming.ts';
import { identifying } from './context.ts';
import { chargeEnd, chargeReceipt, PAYMENTS, printPaymentEvents } from './journal.ts';
import type { planCharge } from './plan.ts';
import { asksUser, countdown, offerOf, printSandboxBank } from './show-pix.ts';

/** How long a Pix is still read after it expires: the service shows a late payment with a delay. */
const GRACE_MS = 30_000;

/** How a charge is shown: whether the command waits for its end, and whether it is one of several. */
type ChargeDisplay = { readonly waits: boolean; readonly isOneOfAll?: boolean };

/** The context of a payment by Pix or card. The time for the verification of its payer does not count. */
export const chargeContext = (
  cli: CommandContext,
  given: ParsedArgs,
  { client, operation }: { readonly client: Client; readonly operation: Operation },
  shown: ChargeDisplay,
): PrepareContext => {
  const time = withPauses(client);
  return {
    client: time.client,
    operation,
    identify: identifying(cli, given, time),
    pixAtMost: stringArg(given, 'pay-at-most') ?? operation.state().stated.pay_at_most,
    confirmPixAmount: cli.io.prompt.isPossible
      ? async (sentence) => {
          const question = ofService(client.service, `${sentence} Show its code?`);
          const isConfirmed = await cli.io.prompt.confirm(question, client.service.kind === 'sandbox');
          if (isConfirmed) cli.impliedOptions.set('--pay-at-most', variableOf('--pay-at-most'));
          return isConfirmed;
        }
      : undefined,
    on: chargeEvents(cli, client.service.kind, shown),
  };
};

/**
 * The context with the deadline of a Pix. A terminal waits until the Pix expires. A script waits at most --timeout.
 */
const withTime = ({ globals, io }: CommandContext, context: PrepareContext, { pix }: Charge, isAlone: boolean) => {
  if (!pix) return context;
  const { client } = context;
  const left = Math.max(0, Date.parse(pix.expires_at) - io.clock.now()) + GRACE_MS;
  const last = io.clock.monotonic() + left;
  const isWatched = isAlone && io.prompt.isPossible && !globals.hasTimeout;
  return { ...context, client: { ...client, deadline: isWatched ? last : Math.min(client.deadline, last) } };
};

/**
 * Prints each step. With --json the code of a Pix is a line on stderr while the command waits, because the payer
 * needs it before the result. Without a wait the result has the code.
 */
const chargeEvents = (cli: CommandContext, kind: Kind, { waits, isOneOfAll }: ChargeDisplay): PayContext['on'] => {
  const printEvent = printPaymentEvents(cli);
  return async (event: PayEvent): Promise<void> => {
    if (event.kind !== 'payable') return printEvent(event);
    if (!cli.globals.json) {
      if (isOneOfAll) {
        // Its code and QR code are printed when it is resumed alone.
        const until = inSentence(event.pix.expires_at);
        return cli.printNote(escapeText(`Pix of ${event.payment_id}: it can be paid until ${until}`));
      }
      await printEvent(event);
      if (asksUser(cli, kind)) await printSandboxBank(cli, 'sandbox.pix', event.payment_id);
      return;
    }
    const { code, expires_at, amount } = event.pix;
    const line = { payment_id: event.payment_id, status: 'payable', pix_code: code, pix_amount: amount, expires_at };
    if (waits && !cli.globals.quiet) await cli.io.stderr.write(`${printJson(line)}\n`);
  };
};

const waitingLabel = (io: Io, { pix }: Charge) => {
  if (!pix) return 'Waiting for the card';
  return () => `Waiting for the payer, ${countdown(Date.parse(pix.expires_at) - io.clock.now())} left`;
};

/** Whether a card of the sandbox waits for its issuer. The command that decides it is printed then. */
const isCardPending = async (cli: CommandContext, client: Client, { payment_id: id }: Charge): Promise<boolean> => {
  const payment = await undefinedOnFailure(readPayment(client, id));
  const isPending = payment !== undefined && EXECUTABLE_STATUSES.includes(payment.status);
  if (isPending) await printSandboxBank(cli, 'sandbox.card', id);
  return isPending;
};

/** Follows a payment to its end. A terminal shows the time that is left; in the sandbox its user may act as the bank. */
export const following =
  (cli: CommandContext, context: PrepareContext, isAlone: boolean) =>
  async (charge: Charge): Promise<RequestedCharge> => {
    const { client } = context;
    const isAsked = isAlone && asksUser(cli, client.service.kind);
    const isOffered = isAsked && (charge.pix !== undefined || (await isCardPending(cli, client, charge)));
    const bank = charge.pix ? 'sandbox.pix' : 'sandbox.card';
    const offer = offerWhileWaiting(cli, isOffered ? offerOf(cli, bank, charge.payment_id) : undefined);
    const on: PayContext['on'] = async (event) => {
      await offer.withdraw();
      await context.on(event);
    };
    const work = followCharge({ ...withTime(cli, context, charge, isAlone), on }, charge);
    await offer.untilAnswered(work);
    return cli.io.spin(waitingLabel(cli.io, charge), work);
  };

/**
 * Asks before a card is charged, by a yes or by the amount, and before anything is registered. A Pix needs no
 * question: only its payer can move money.
 */
export const assertCardApproved = async (cli: CommandContext, service: Service, intent: ChargeIntent) => {
  if (intent.operation !== 'card' || (await typeCharge(cli, intent.amount, intent.currency))) return;
  const question = ofService(service, `Charge ${intent.amount} ${intent.currency} to the card?`);
  if (await confirmMoving(cli, question)) return;
  throw new Failure('declined', 'not confirmed; nothing was sent');
};

/** Reads a charge once, and records a success. One that cannot be read is registered, because the request was sent. */
const readOnce = async (context: PrepareContext, charge: Charge): Promise<RequestedCharge> => {
  const payment = await undefinedOnFailure(readPayment(context.client, charge.payment_id));
  if (payment?.status === 'success') noteEnd(context, payment);
  return { ...charge, payment: payment ?? { id: charge.payment_id, status: 'registered', tid_hash: null } };
};

/** Options whose value belongs to one payment: its card, and its name. A new payment has others. */
const GIVEN_ANEW = ['--card-file', '--intent'];

/** The command line once more, to pay again after a charge that ended in error. Without a terminal nobody is asked about it. */
const sameAgain = ({ typed, equivalentArgs = repeated(typed), globals, io }: CommandContext): NextStep => {
  const isAsked = io.prompt.isPossible || globals.yes;
  // The variable of the first name may still be set, and that name is taken.
  const isName = (word: string) => word === variableOf('--intent');
  const words = withVariables(equivalentArgs, GIVEN_ANEW).map((word) => (isName(word) ? variable('NEW_INTENT') : word));
  return nextStep('again', [...words, ...(isAsked ? [] : ['--yes'])]);
};

/** The longest wait for what the market gives, in milliseconds. */
const WORTH_MS = 1_500;

/** How much the receivers get is not known before the registration, so a terminal shows what the market would give. */
const printWorth = async ({ io, globals, printNote }: CommandContext, client: Client, intent: ChargeIntent) => {
  const { amount, currency, to_currency: to } = intent;
  if (!io.prompt.isPossible || globals.json || isSameText(currency, to)) return;
  // It must not use up the time of the charge, or prevent it.
  const deadline = Math.min(client.deadline, io.clock.monotonic() + WORTH_MS);
  const worth = await marketWorth({ ...client, deadline })(amount, currency, to);
  if (worth === undefined || !isDecimal(worth)) return;
  await printNote(
    `At the market's price ${amount} ${currency} are ${divideDecimals(worth, '1', 6)} ${to}. The service sets its own.`,
  );
};

const begin = async (cli: CommandContext, given: ParsedArgs, client: Client, request: ChargeRequest): Promise<void> => {
  const { intent, ...inputs } = request;
  // The payer of a Pix always pays in reais.
  const stated = statementOf(factsOf(intent), 'options', stringArg(given, 'pay-at-most'), 'BRL');
  const own = { intent, intent_key: intentKey(given), stated, inputs, others: cli.batch?.others };
  const beginning = { ...deploymentOfService(client.service), ...own };
  const waits = !boolArg(given, 'no-wait');
  const warned = await warnOfNewJournal(cli, client.service.kind, intentKey(given));
  const start = async () => ({ beginning, context: {}, warned });
  await withOperation(cli, { area: PAYMENTS, start }, async ({ operation }) => {
    const context = chargeContext(cli, given, { client, operation }, { waits });
    const charge = await beginCharge(context, request);
    const again = (failure: Failure) => withDetails(failure, { next: sameAgain(cli) });
    const charged = waits
      ? await following(cli, context, true)(charge).catch(amended(again, 'payment_failed'))
      : await readOnce(context, charge);
    const isOpen = !waits && charged.payment.status !== 'success';
    const resume = completeNext(cli.typed, nextStep('pay.resume.charge', newestId(operation.state())));
    const receipt = {
      ...chargeReceipt({ id: operation.id, started: client.service }, intent, chargeEnd(charged)),
      ...(isOpen && { next: commandLine(resume) }),
      ...warned,
    };
    await printReceipt(PAYMENTS, cli.printCommitted, receipt);
  });
};

/** A payment by Pix or card: its client, its intent, and its start. Throws as `beginCharge` and `followCharge`. */
export const openCharge = async (cli: CommandContext, given: ParsedArgs, plan: ReturnType<typeof planCharge>) => {
  const payer = () => payerMark(cli.io, String(plan.transaction['payer_email']));
  const requested = async () => ({ intent: { ...plan.intent, payer: await payer() }, key: intentKey(given) });
  if (plan.intent.operation === 'card') await assertConfirmableOrRepeat(cli, requested);
  const client = await cli.client();
  const { intent } = await requested();
  const start = async () => {
    await printWorth(cli, client, intent);
    await assertCardApproved(cli, client.service, intent);
    await begin(cli, given, client, { ...plan, intent });
  };
  return { client, intent, start };
};
