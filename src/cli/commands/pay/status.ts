import { status as endpoint } from '../../../contract/pay/status.ts';
import { Failure, isFailure, withDetails } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { withPayAgain } from '../../../flows/pay/pay-again.ts';
import { type PaymentState, stateIn, waitForSuccess } from '../../../flows/pay/status.ts';
import { isOperationId } from '../../../journal/file-store.ts';
import { assertJournalHere } from '../../../journal/open-store.ts';
import { isDryRun } from '../../argv/command-line.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { boolArg, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { findOperation } from '../../operations/area.ts';
import { printWaitResult, statePrinter, WAITING_LABEL } from '../../print/steps.ts';
import { PAYMENTS, printPaymentEvents } from './journal.ts';
import { nodeOfService, PAYMENT_ID } from './plan.ts';

const summary = async (data: unknown, asked?: unknown) =>
  (await import('../../summaries/payment-summary.ts')).statusSummary(data, asked);

/** Records a final state that was printed, so that `pay list` shows it too. A read succeeds without it. */
const note = async (cli: CommandContext, given: ParsedArgs, payment: PaymentState | undefined): Promise<void> => {
  if (payment === undefined || cli.io.stdout.isClosed()) return;
  const client = await cli.client();
  const { noteRead } = await import('../../../flows/pay/note-read.ts');
  const openNode = (chain: string) => nodeOfService(cli, given, { client, chain });
  await undefinedOnFailure(noteRead(client, payment, openNode));
};

const plain = derive(endpoint, {
  about: [
    'What each state means: bursar help payments. With --wait and --json each change of state is a line of JSON on stderr.',
    'A final state is recorded in the journal, if this machine started the payment.',
  ],
  options: [{ flag: '--wait', description: 'Wait until the payment is final or --timeout is over' }],
  summary,
  noEnvelopeWith: ['wait'],
  after: (cli, given, { data }, { id }) => note(cli, given, stateIn(data, String(id))),
  arguments: { id: PAYMENT_ID },
  examples: ['pay status pay_0123', 'pay status pay_0123 --wait --timeout 60 --json'],
});

/** For `catch`: the command that pays again has the facts of a payment that this machine started. */
const namingOwnFacts =
  (cli: CommandContext, paymentId: string) =>
  async (error: unknown): Promise<never> => {
    if (!isFailure(error, 'payment_failed')) throw error;
    const own = await undefinedOnFailure(findOperation(cli, PAYMENTS, paymentId));
    throw own ? withPayAgain(error, own) : error;
  };

/** For `catch`: a payment in processing that this machine did not start may be one that `sandbox trigger` holds back. */
const namingRelease = (cli: CommandContext, paymentId: string, isHeld: () => boolean) => async (error: unknown) => {
  if (!isFailure(error, 'not_final') || !isHeld()) throw error;
  const own = await undefinedOnFailure(findOperation(cli, PAYMENTS, paymentId));
  const hint = `If sandbox trigger made it, this command sends its transaction: bursar sandbox trigger --release ${paymentId}`;
  throw own ? error : withDetails(error, { hint });
};

const wait = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { PAYMENT_ID: paymentId } = required({ PAYMENT_ID: stringArg(given, 'payment_id') });
  const printEvent = printPaymentEvents(cli);
  const client = await cli.client();
  let last: PaymentState | undefined;
  const printState = statePrinter<PaymentState>(
    cli,
    ({ status: state }) => ({ payment_id: paymentId, status: state }),
    ({ status: state }) => printEvent({ kind: 'state', status: state }),
  );
  const onState = (state: PaymentState) => {
    last = state;
    return printState(state);
  };
  const isHeld = () => client.service.kind === 'sandbox' && last?.status === 'processing';
  const waiting = waitForSuccess(client, paymentId, { onState })
    .catch(namingOwnFacts(cli, paymentId))
    .catch(namingRelease(cli, paymentId, isHeld));
  const work = cli.io.spin(WAITING_LABEL, waiting);
  try {
    await printWaitResult(cli, work, summary, 'not_final');
  } finally {
    await note(cli, given, last);
  }
};

/** Replaces the id of an operation of this machine with the id of its payment. Throws `invalid_input` without one. */
const withPaymentId = async (cli: CommandContext, given: ParsedArgs): Promise<ParsedArgs> => {
  const id = stringArg(given, 'payment_id');
  if (id === undefined || !isOperationId(id)) return given;
  const { payment_id } = await findOperation(cli, PAYMENTS, id);
  if (payment_id !== undefined) return { ...given, payment_id };
  throw new Failure('invalid_input', `the payment of ${id} is not registered, so the service has no state of it`, {
    next: nextStep('pay.resume', id),
  });
};

const read = async (cli: CommandContext, typed: ParsedArgs): Promise<void> => {
  await assertJournalHere(cli.io);
  const given = await withPaymentId(cli, typed);
  return boolArg(given, 'wait') && !isDryRun(cli) ? wait(cli, given) : plain.run(cli, given);
};

export const status: Command = { ...plain, fails: ['not_final', 'payment_failed'], run: read };
