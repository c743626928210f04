import type { Client } from '../../../client/call.ts';
import type { Service } from '../../../client/service.ts';
import type { Kind } from '../../../contract/chains.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { escapeText } from '../../../core/escape.ts';
import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { commandLine, nextStep } from '../../../core/next.ts';
import { inSentence } from '../../../core/remote-text.ts';
import { type Charge, followCharge, type RequestedCharge } from '../../../flows/charge/run.ts';
import type { PayContext, PayEvent } from '../../../flows/pay/context.ts';
import type { Preparing } from '../../../flows/pay/prepare.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import type { Io } from '../../../io/io.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import type { Operation } from '../../../journal/operation.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { withPauses } from '../../context/pausable-client.ts';
import { typeCharge } from '../../profiles/typed-amount.ts';
import { confirmMoving, ofService } from '../../prompt/confirming.ts';
import { identifying } from './identify.ts';
import { sayEvents } from './show.ts';
import { countdown } from './show-pix.ts';

/** How long after its time a Pix is looked at: who pays in the last second is told a little later. */
const GRACE_MS = 30_000;

/** Whether the end is waited for, and whether the payment is one of all that are taken up at once. */
type Shown = { readonly waits: boolean; readonly among?: 'all' | undefined };

/** What a payment by Pix or card works with; its payer may have to be verified first, and that time is not the command's. */
export const chargeContext = (
  cli: CommandContext,
  given: ParsedArgs,
  { client, operation }: { readonly client: Client; readonly operation: Operation },
  shown: Shown,
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
 * A Pix is waited for until it expires, and no longer: a person at a terminal sees the time run, a script has that of
 * --timeout.
 */
const withTime = (
  { globals, io }: CommandContext,
  context: Preparing,
  { pix }: Charge,
  isAlone: boolean,
): Preparing => {
  if (!pix) return context;
  const { client } = context;
  const left = Math.max(0, Date.parse(pix.expires_at) - io.clock.now()) + GRACE_MS;
  const last = io.clock.monotonic() + left;
  const isWatched = isAlone && io.prompt.isPossible && !globals.hasTimeout;
  return { ...context, client: { ...client, deadline: isWatched ? last : Math.min(client.deadline, last) } };
};

type Payable = Extract<PayEvent, { kind: 'payable' }>;

/** Among others a Pix is a line: its code and QR code are shown when it is taken up alone. */
const sayOpen = (cli: CommandContext, { payment_id: id, pix }: Payable): Promise<void> =>
  cli.say(escapeText(`Pix of ${id}: it can be paid until ${inSentence(pix.expires_at)}`));

/** Nobody's bank pays in the sandbox. */
const sayBank = async (cli: CommandContext, paymentId: string): Promise<void> => {
  await cli.say("In the sandbox this is the payer's bank:");
  await cli.say(`  ${commandLine(nextStep('sandbox.pix', paymentId))}`);
};

/**
 * Says each step. With --json the code of a Pix is a line on stderr, for who waits for the end on stdout: without it
 * nobody could pay. What is not waited for has it in its answer.
 */
const chargeEvents = (cli: CommandContext, kind: Kind, { waits, among }: Shown): PayContext['on'] => {
  const say = sayEvents(cli);
  return async (event: PayEvent): Promise<void> => {
    if (event.kind !== 'payable') return say(event);
    if (!cli.globals.json) {
      if (among === 'all') return sayOpen(cli, event);
      await say(event);
      if (kind === 'sandbox' && cli.io.prompt.isPossible) await sayBank(cli, event.payment_id);
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
 * Follows one of several that are taken up at once. A Pix that nobody has paid yet is not waited for: others may be in
 * doubt. Throws `not_final` with the command that shows its code and waits.
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

/** Follows a payment to its end, on a terminal with the time running down. Among several each has its share of the time. */
export const following =
  (cli: CommandContext, context: Preparing, isAlone: boolean) =>
  (charge: Charge): Promise<RequestedCharge> =>
    cli.io.spin(waitingLabel(cli.io, charge), followCharge(withTime(cli, context, charge, isAlone), charge));

/**
 * A card is charged when it is sent: that is asked before anything is registered, by a yes or by its amount. A Pix moves
 * nothing by itself.
 */
export const assertCardApproved = async (
  cli: CommandContext,
  service: Service,
  intent: ChargeIntent,
): Promise<void> => {
  if (intent.operation !== 'card' || (await typeCharge(cli, intent.amount, intent.currency))) return;
  const question = ofService(service, `Charge ${intent.amount} ${intent.currency} to the card?`);
  if (await confirmMoving(cli, question)) return;
  throw new Failure('declined', 'not confirmed; nothing was sent');
};
