import { type Client, withPauses } from '../../../client/call.ts';
import type { Service } from '../../../client/envelope.ts';
import type { Kind } from '../../../contract/chains.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { commandLine, nextStep } from '../../../core/next.ts';
import { escapeText, inSentence } from '../../../core/text.ts';
import { type Charge, followCharge, type RequestedCharge } from '../../../flows/charge/run.ts';
import type { PayContext, PayEvent } from '../../../flows/pay/context.ts';
import type { Preparing } from '../../../flows/pay/prepare.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import type { Io } from '../../../io/io.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import type { Operation } from '../../../journal/operation.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { typeCharge } from '../../operations/approving.ts';
import { confirmMoving, ofService } from '../../prompt/confirming.ts';
import { identifying } from './context.ts';
import { printPaymentEvents } from './show.ts';
import { countdown } from './show-pix.ts';

/** How long a Pix is still read after it expires: the service shows a late payment with a delay. */
const GRACE_MS = 30_000;

/** How a charge is shown: whether the command waits for its end, and whether it is one of several. */
type ChargeDisplay = { readonly waits: boolean; readonly among?: 'all' | undefined };

/** The context of a payment by Pix or card. The time for the verification of its payer does not count. */
export const chargeContext = (
  cli: CommandContext,
  given: ParsedArgs,
  { client, operation }: { readonly client: Client; readonly operation: Operation },
  shown: ChargeDisplay,
): Preparing => {
  const time = withPauses(client);
  return {
    client: time.client,
    operation,
    identify: identifying(cli, given, time),
    pixAtMost: stringArg(given, 'pay-at-most') ?? operation.state().stated.pay_at_most,
    confirmPixAmount: cli.io.prompt.isPossible
      ? (sentence) => cli.io.prompt.confirm(ofService(client.service, `${sentence} Show its code?`))
      : undefined,
    on: chargeEvents(cli, client.service.kind, shown),
  };
};

/**
 * The context with the deadline of a Pix. A terminal waits until the Pix expires. A script waits at most --timeout.
 */
const withTime = ({ globals, io }: CommandContext, context: Preparing, { pix }: Charge, isAlone: boolean) => {
  if (!pix) return context;
  const { client } = context;
  const left = Math.max(0, Date.parse(pix.expires_at) - io.clock.now()) + GRACE_MS;
  const last = io.clock.monotonic() + left;
  const isWatched = isAlone && io.prompt.isPossible && !globals.hasTimeout;
  return { ...context, client: { ...client, deadline: isWatched ? last : Math.min(client.deadline, last) } };
};

type Payable = Extract<PayEvent, { kind: 'payable' }>;

/** Prints one line for a Pix among several. Its code and QR code are printed when it is resumed alone. */
const printOpenPix = (cli: CommandContext, { payment_id: id, pix }: Payable): Promise<void> =>
  cli.say(escapeText(`Pix of ${id}: it can be paid until ${inSentence(pix.expires_at)}`));

/** Prints the command that pays a Pix in the sandbox, which has no bank. */
const printSandboxBank = async (cli: CommandContext, paymentId: string): Promise<void> => {
  await cli.say("In the sandbox this is the payer's bank:");
  await cli.say(`  ${commandLine(nextStep('sandbox.pix', paymentId))}`);
};

/**
 * Prints each step. With --json the code of a Pix is a line on stderr while the command waits, because the payer
 * needs it before the result. Without a wait the result has the code.
 */
const chargeEvents = (cli: CommandContext, kind: Kind, { waits, among }: ChargeDisplay): PayContext['on'] => {
  const say = printPaymentEvents(cli);
  return async (event: PayEvent): Promise<void> => {
    if (event.kind !== 'payable') return say(event);
    if (!cli.globals.json) {
      if (among === 'all') return printOpenPix(cli, event);
      await say(event);
      if (kind === 'sandbox' && cli.io.prompt.isPossible) await printSandboxBank(cli, event.payment_id);
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

/**
 * Follows one of several resumed payments. It does not wait for an unpaid Pix, because others may be in doubt.
 * Throws `not_final` with the command that shows the code of the Pix and waits.
 */
export const followingOneOfAll =
  (cli: CommandContext, context: Preparing) =>
  async (charge: Charge): Promise<RequestedCharge> => {
    const { payment_id: id, pix } = charge;
    const payment = await readPayment(context.client, id);
    if (pix === undefined || !EXECUTABLE_STATUSES.includes(payment.status))
      return following(cli, context, false)(charge);
    const ends = Date.parse(pix.expires_at) > cli.io.clock.now() ? 'ends' : 'ended';
    throw new Failure('not_final', `the Pix of payment ${id} is not paid; its time ${ends} at ${pix.expires_at}`, {
      data: payment,
      next: nextStep('pay.resume.charge', id),
    });
  };

/** Follows a payment to its end. A terminal shows the time that is left. */
export const following =
  (cli: CommandContext, context: Preparing, isAlone: boolean) =>
  (charge: Charge): Promise<RequestedCharge> =>
    cli.io.spin(waitingLabel(cli.io, charge), followCharge(withTime(cli, context, charge, isAlone), charge));

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
