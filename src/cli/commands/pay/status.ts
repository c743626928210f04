import { status as endpoint } from '../../../contract/pay/status.ts';
import { type PaymentState, waitForSuccess } from '../../../flows/pay/status.ts';
import { isDryRun } from '../../argv/command-line.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { boolArg, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { printWaitResult, statePrinter, WAITING_LABEL } from '../../print/steps.ts';
import { printPaymentEvents } from './journal.ts';
import { PAYMENT_ID } from './plan.ts';

const summary = async (data: unknown, asked?: unknown) =>
  (await import('../../summaries/payment-summary.ts')).statusSummary(data, asked);

const plain = derive(endpoint, {
  about: [
    'What each state means: bursar help payments. With --wait and --json each change of state is a line of JSON on stderr.',
  ],
  options: [{ flag: '--wait', description: 'Wait until the payment is final or --timeout is over' }],
  summary,
  noEnvelopeWith: ['wait'],
  arguments: { id: PAYMENT_ID },
  examples: ['pay status pay_0123', 'pay status pay_0123 --wait --timeout 60 --json'],
});

const wait = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { PAYMENT_ID: paymentId } = required({ PAYMENT_ID: stringArg(given, 'payment_id') });
  const printEvent = printPaymentEvents(cli);
  const client = await cli.client();
  const onState = statePrinter<PaymentState>(
    cli,
    ({ status: state }) => ({ payment_id: paymentId, status: state }),
    ({ status: state }) => printEvent({ kind: 'state', status: state }),
  );
  const work = cli.io.spin(WAITING_LABEL, waitForSuccess(client, paymentId, { onState }));
  await printWaitResult(cli, work, summary, 'not_final');
};

export const status: Command = {
  ...plain,
  fails: ['not_final', 'payment_failed'],
  run: (cli, given) => (boolArg(given, 'wait') && !isDryRun(cli) ? wait(cli, given) : plain.run(cli, given)),
};
