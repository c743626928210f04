import type { Client, Input } from '../../../client/call.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { validate } from '../../../contract/validate.ts';
import { Failure } from '../../../core/failure.ts';
import { resumeCharge } from '../../../flows/charge/resume.ts';
import type { PayInputs } from '../../../flows/pay/resume/resumption.ts';
import type { ChargeIntent } from '../../../journal/intents.ts';
import type { Operation } from '../../../journal/operation.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import { CARD_CUSTOM, withCard } from '../../command/card-options.ts';
import { flagOf } from '../../command/fields.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { eitherOf } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { ofService } from '../../prompt/confirming.ts';
import { assertCardApproved, chargeContext, following, followingOneOfAll } from './charge-context.ts';
import { chargeReceipt } from './charge-receipt.ts';
import { PENDING_ID } from './plan.ts';

/** What a card's token needs beside it: a payment that was begun with a raw card was not asked for it. */
const OF_TOKEN: readonly string[] = ['payer_ip', 'session_id'];

type Taking = {
  readonly operation: Operation;
  readonly state: OperationState;
  readonly client: Client;
  readonly intent: ChargeIntent;
  readonly inputs: PayInputs;
};

const besideToken = (given: ParsedArgs): Input => {
  const typed = OF_TOKEN.map((name) => [name, stringArg(given, name.replaceAll('_', '-'))] as const);
  return Object.fromEntries(typed.filter(([, value]) => value !== undefined));
};

/** Only fields of the card are asked for: the others were right when the payment was begun. */
const isOfCard = ({ field }: { readonly field: string }): boolean =>
  field.startsWith('card_data') || OF_TOKEN.includes(field);

/**
 * The card, given again, and the user's word. Throws `invalid_input` with every option that is missing, and
 * `confirmation_needed`; the payment stays as it was.
 */
const cardAgain = async (
  cli: CommandContext,
  given: ParsedArgs,
  { client, intent, inputs }: Taking,
): Promise<Input> => {
  const { card_data } = CARD_CUSTOM.bodyFrom(given);
  const beside = besideToken(given);
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

/** Takes a payment by Pix or card up again and gives its receipt. Throws as `resumeCharge`. */
export const resumeChargeOf = async (cli: CommandContext, given: ParsedArgs, taking: Taking): Promise<unknown> => {
  const { operation, state, client, intent, inputs } = taking;
  const isOneOfAll = boolArg(given, 'all');
  const shown = { waits: true, among: isOneOfAll ? ('all' as const) : undefined };
  const context = chargeContext(cli, given, { client, operation }, shown);
  const isConfirmed = async (question: string) =>
    cli.io.prompt.isPossible && cli.io.prompt.confirm(ofService(client.service, question));
  const resumption = { state, intent, inputs, isConfirmed, askCard: () => cardAgain(cli, given, taking) };
  const { payment_id, pix, payment } = await resumeCharge(
    context,
    resumption,
    isOneOfAll ? followingOneOfAll(cli, context) : following(cli, context, true),
  );
  const { status, tid_hash = null } = payment;
  return chargeReceipt(state, intent, { payment_id, status, tid_hash: tid_hash ?? null, pix });
};
