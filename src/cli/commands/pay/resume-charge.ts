import type { Client, Input } from '../../../client/call.ts';
import { validate } from '../../../contract/define.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { amended, Failure } from '../../../core/failure.ts';
import { textAt } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { resumeCharge } from '../../../flows/charge/resumption.ts';
import type { Charge, RequestedCharge } from '../../../flows/charge/run.ts';
import { kycStatusOf, readVerification } from '../../../flows/kyc/status.ts';
import { withPayAgain } from '../../../flows/pay/pay-again.ts';
import type { PrepareContext } from '../../../flows/pay/prepare.ts';
import type { PayInputs } from '../../../flows/pay/resume/resumption.ts';
import { readPayment } from '../../../flows/pay/status.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import { CARD_CUSTOM, withCard } from '../../command/card-options.ts';
import type { CommandContext } from '../../command/command.ts';
import { flagOf } from '../../command/fields.ts';
import { boolArg, eitherOf, type ParsedArgs, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import type { Resumable } from '../../operations/resumable.ts';
import { ofService } from '../../prompt/confirming.ts';
import { assertCardApproved, chargeContext, following } from './charge.ts';
import { chargeEnd, chargeReceipt } from './journal.ts';
import { PENDING_ID } from './plan.ts';

/**
 * Follows a resumed payment, and does not wait for an unpaid Pix: with --no-wait, or because others may be in doubt. Throws
 * `not_final` for one of several, with the command that shows the code of the Pix and waits.
 */
const followingWithoutWait =
  (cli: CommandContext, context: PrepareContext, isOneOfAll: boolean) =>
  async (charge: Charge): Promise<RequestedCharge> => {
    const { payment_id: id, pix } = charge;
    const payment = await readPayment(context.client, id);
    if (pix === undefined || !EXECUTABLE_STATUSES.includes(payment.status))
      return following(cli, context, !isOneOfAll)(charge);
    if (!isOneOfAll) return { ...charge, payment };
    const ends = Date.parse(pix.expires_at) > cli.io.clock.now() ? 'ends' : 'ended';
    throw new Failure('not_final', `the Pix of payment ${id} is not paid; its time ${ends} at ${pix.expires_at}`, {
      data: payment,
      next: nextStep('pay.resume.charge', id),
    });
  };

/** Fields that a card token needs and a raw card does not. */
const TOKEN_FIELDS: readonly string[] = ['payer_ip', 'session_id'];

/** A payment by Pix or card that a resume has reopened. */
type ResumedCharge = Resumable & { readonly intent: ChargeIntent; readonly inputs: PayInputs };

const tokenFieldsIn = (given: ParsedArgs): Input => {
  const typed = TOKEN_FIELDS.map((name) => [name, stringArg(given, name.replaceAll('_', '-'))] as const);
  return Object.fromEntries(typed.filter(([, value]) => value !== undefined));
};

/** The e-mail address of the payer, unless the service has verified it meanwhile. */
const payerToVerify = async (client: Client, inputs: PayInputs): Promise<string | undefined> => {
  const email = textAt(inputs, 'transaction', 'payer_email');
  const verification = email && (await undefinedOnFailure(readVerification(client, { email })));
  return verification && kycStatusOf(verification) === 'approved' ? undefined : email;
};

/**
 * Reads the card again, and asks the user to confirm the charge. Throws `invalid_input` with every missing option,
 * and `confirmation_needed`. The payment stays unchanged.
 */
const askCardAgain = async (cli: CommandContext, given: ParsedArgs, charge: ResumedCharge) => {
  const { client, intent, inputs, state } = charge;
  const { card_data } = CARD_CUSTOM.bodyFrom(given);
  const beside = tokenFieldsIn(given);
  const whole = await withCard(cli, given, { ...inputs.transaction, ...beside, ...(card_data ? { card_data } : {}) });
  const result = validate(transaction, { ...whole, payment_id: PENDING_ID });
  // Only fields of the card are asked for again; the others were checked at the start.
  const errors = result.ok
    ? []
    : result.problems.filter(({ field }) => field.startsWith('card_data') || TOKEN_FIELDS.includes(field));
  if (errors.length > 0) {
    const payer = state.stop?.code === 'identity_gate' ? await payerToVerify(client, inputs) : undefined;
    throw new Failure('invalid_input', 'the card is kept nowhere, and has to be given again', {
      errors: errors.map(({ field, message, isMissing }) => {
        const own = CARD_CUSTOM.optionsOf(field);
        const anyOf = own.length > 0 ? own : [flagOf(field)];
        return { field, message, isMissing, option: eitherOf(anyOf), anyOf };
      }),
      hint: `Nothing was sent now.${payer ? ' The service asked for the identity of the payer, which comes first.' : ''}`,
      ...(payer && { next: nextStep('kyc.start', { email: payer }) }),
    });
  }
  await assertCardApproved(cli, client.service, intent);
  return { card_data: whole['card_data'], ...beside };
};

/** Resumes a payment by Pix or card and returns its receipt. Throws as `resumeCharge`. */
export const resumeChargeOf = async (cli: CommandContext, given: ParsedArgs, reopened: ResumedCharge) => {
  const { operation, state, client, intent, inputs } = reopened;
  const [isOneOfAll, waits] = [boolArg(given, 'all'), !boolArg(given, 'no-wait')];
  const context = chargeContext(cli, given, { client, operation }, { waits, isOneOfAll });
  const isConfirmed = async (question: string) =>
    cli.io.prompt.isPossible && cli.io.prompt.confirm(ofService(client.service, question));
  const resumption = { state, intent, inputs, isConfirmed, askCard: () => askCardAgain(cli, given, reopened) };
  const follow = isOneOfAll || !waits ? followingWithoutWait(cli, context, isOneOfAll) : following(cli, context, true);
  const again = (failure: Failure) => withPayAgain(failure, operation.state());
  const resumed = resumeCharge(context, resumption, follow).catch(amended(again, 'payment_failed'));
  return chargeReceipt(state, intent, chargeEnd(await resumed));
};
