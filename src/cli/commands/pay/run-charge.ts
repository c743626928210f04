import type { Client } from '../../../client/call.ts';
import { deploymentOfService } from '../../../client/envelope.ts';
import { isFailure } from '../../../core/failure.ts';
import { commandLine, nextStep } from '../../../core/next.ts';
import { beginCharge, type Charge, type ChargeRequest, type RequestedCharge } from '../../../flows/charge/run.ts';
import { type PaymentState, readPayment } from '../../../flows/pay/status.ts';
import { payerMark } from '../../../journal/payer-mark.ts';
import { factsOf, statementOf } from '../../../journal/statement.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { printReceipt } from '../../operations/area.ts';
import { intentKey, warnOfNewJournal } from '../../operations/run-once.ts';
import { withOperation } from '../../operations/with-operation.ts';
import { completeNext } from '../../print/next-command.ts';
import { assertCanConfirm } from '../../prompt/confirming.ts';
import { assertCardApproved, chargeContext, following } from './charge-context.ts';
import { PAYMENTS } from './journal.ts';
import type { planCharge } from './plan.ts';
import { chargeReceipt } from './show.ts';

/** The state of a charge that cannot be read: registered, because the request was sent. */
const asRegistered = (error: unknown, { payment_id: id }: Charge): PaymentState => {
  if (!isFailure(error) || error.code === 'interrupted') throw error;
  return { id, status: 'registered', tid_hash: null };
};

/** Reads the state of a charge once, without a wait. */
const readOnce = async (client: Client, charge: Charge): Promise<RequestedCharge> => ({
  ...charge,
  payment: await readPayment(client, charge.payment_id).catch((error: unknown) => asRegistered(error, charge)),
});

const begin = async (cli: CommandContext, given: ParsedArgs, client: Client, request: ChargeRequest): Promise<void> => {
  const { profile, kind, baseUrl } = client.service;
  const { intent, register, transaction } = request;
  const inputs = { register, transaction };
  // The payer of a Pix always pays in reais.
  const stated = statementOf(factsOf(intent), 'options', stringArg(given, 'pay-at-most'), 'BRL');
  const beginning = { ...deploymentOfService(client.service), intent, intent_key: intentKey(given), stated, inputs };
  const waits = !boolArg(given, 'no-wait');
  const warned = await warnOfNewJournal(cli, kind, intentKey(given));
  const start = async () => ({ beginning, context: {} });
  await withOperation(cli, { area: PAYMENTS, start }, async ({ operation }) => {
    const context = chargeContext(cli, given, { client, operation }, { waits });
    const charge = await beginCharge(context, request);
    const charged = waits ? await following(cli, context, true)(charge) : await readOnce(client, charge);
    const { payment_id, pix, payment } = charged;
    const started = { step: 'started', profile, kind, base_url: baseUrl, intent, stated } as const;
    const ended = { payment_id, status: payment.status, tid_hash: payment.tid_hash ?? null, pix };
    const next =
      waits || payment.status === 'success'
        ? {}
        : { next: commandLine(completeNext(cli.typed, nextStep('pay.resume.charge', operation.id))) };
    const receipt = { ...chargeReceipt({ id: operation.id, started }, intent, ended), ...next, ...warned };
    await printReceipt(PAYMENTS, cli.printCommitted, receipt);
  });
};

/** A payment by Pix or card: its client, its intent, and its start. Throws as `beginCharge` and `followCharge`. */
export const openCharge = async (cli: CommandContext, given: ParsedArgs, plan: ReturnType<typeof planCharge>) => {
  if (plan.intent.operation === 'card') assertCanConfirm(cli);
  const client = await cli.client();
  const intent = { ...plan.intent, payer: await payerMark(cli.io, String(plan.transaction['payer_email'])) };
  const start = async () => {
    await assertCardApproved(cli, client.service, intent);
    await begin(cli, given, client, { ...plan, intent });
  };
  return { client, intent, start };
};
