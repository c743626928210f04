import type { Input } from '../../../client/call.ts';
import { validate } from '../../../contract/define.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { Failure } from '../../../core/failure.ts';
import { resumeCharge } from '../../../flows/charge/resumption.ts';
import type { PayInputs } from '../../../flows/pay/resume/resumption.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import { CARD_CUSTOM, withCard } from '../../command/card-options.ts';
import { flagOf } from '../../command/fields.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { eitherOf } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Reopened } from '../../operations/resume-one.ts';
import { ofService } from '../../prompt/confirming.ts';
import { assertCardApproved, chargeContext, following, followingOneOfAll } from './charge-context.ts';
import { PENDING_ID } from './plan.ts';
import { chargeReceipt } from './show.ts';

/** Fields that a card token needs and a raw card does not. */
const TOKEN_FIELDS: readonly string[] = ['payer_ip', 'session_id'];

type ResumedCharge = Reopened & { readonly intent: ChargeIntent; readonly inputs: PayInputs };

const tokenFieldsIn = (given: ParsedArgs): Input => {
  const typed = TOKEN_FIELDS.map((name) => [name, stringArg(given, name.replaceAll('_', '-'))] as const);
  return Object.fromEntries(typed.filter(([, value]) => value !== undefined));
};

/** Whether a field belongs to the card. Only these are asked for again; the others were checked at the start. */
const isOfCard = ({ field }: { readonly field: string }): boolean =>
  field.startsWith('card_data') || TOKEN_FIELDS.includes(field);

/**
 * Reads the card again, and asks the user to confirm the charge. Throws `invalid_input` with every missing option,
 * and `confirmation_needed`. The payment stays unchanged.
 */
const askCardAgain = async (cli: CommandContext, given: ParsedArgs, { client, intent, inputs }: ResumedCharge) => {
  const { card_data } = CARD_CUSTOM.bodyFrom(given);
  const beside = tokenFieldsIn(given);
  const whole = await withCard(cli, given, { ...inputs.transaction, ...beside, ...(card_data ? { card_data } : {}) });
  const result = validate(transaction, { ...whole, payment_id: PENDING_ID });
  const errors = result.ok ? [] : result.problems.filter(isOfCard);
  if (errors.length > 0) {
    throw new Failure('invalid_input', 'the card is kept nowhere, and has to be given again', {
      errors: errors.map(({ field, message, isMissing }) => {
        const own = CARD_CUSTOM.optionsOf(field);
        const anyOf = own.length > 0 ? own : [flagOf(field)];
        return { field, message, isMissing, option: eitherOf(anyOf), anyOf };
      }),
      hint: 'Nothing was sent now.',
    });
  }
  await assertCardApproved(cli, client.service, intent);
  return { card_data: whole['card_data'], ...beside };
};

/** Resumes a payment by Pix or card and returns its receipt. Throws as `resumeCharge`. */
export const resumeChargeOf = async (cli: CommandContext, given: ParsedArgs, resumed: ResumedCharge) => {
  const { operation, state, client, intent, inputs } = resumed;
  const isOneOfAll = boolArg(given, 'all');
  const shown = { waits: true, among: isOneOfAll ? ('all' as const) : undefined };
  const context = chargeContext(cli, given, { client, operation }, shown);
  const isConfirmed = async (question: string) =>
    cli.io.prompt.isPossible && cli.io.prompt.confirm(ofService(client.service, question));
  const resumption = { state, intent, inputs, isConfirmed, askCard: () => askCardAgain(cli, given, resumed) };
  const { payment_id, pix, payment } = await resumeCharge(
    context,
    resumption,
    isOneOfAll ? followingOneOfAll(cli, context) : following(cli, context, true),
  );
  const { status, tid_hash = null } = payment;
  return chargeReceipt(state, intent, { payment_id, status, tid_hash: tid_hash ?? null, pix });
};
