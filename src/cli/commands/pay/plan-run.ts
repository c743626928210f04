import type { Input } from '../../../client/call.ts';
import { register } from '../../../contract/pay/register.ts';
import { TRANSACTION_TYPES } from '../../../contract/pay/shared.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import type { PayRequest } from '../../../flows/pay/run.ts';
import { factsOfPayment } from '../../../journal/statement.ts';
import { buildInput, type InputSpec, namingOptions, optionNamer } from '../../command/build-input.ts';
import { CARD_CUSTOM, withCard } from '../../command/card-options.ts';
import type { CommandContext } from '../../command/command.ts';
import { type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { REGISTER_CUSTOM, REGISTER_FIELDS, TRANSACTION_FIELDS, validatedBy } from '../../command/payment-options.ts';
import { chargedAmountErrors, paidAmountErrors } from '../../operations/check-amounts.ts';
import { payerTokenErrors, taxIdErrors } from '../../operations/check-payer.ts';
import { checkReceivers } from '../../operations/check-receivers.ts';
import { addressOfKey, chooseKey, type KeyChoice } from '../../operations/signing-key.ts';
import { checkReviewOptions, type Payer, planCharge, planPayment, RUN_FIELDS } from './plan.ts';
import { assertWithinBound } from './stated.ts';

/** The transaction types without a signature. Any other type is crypto, or invalid. */
const CHARGE_TYPES: readonly unknown[] = TRANSACTION_TYPES.filter((type) => type !== 'crypto');

/** The default values of `pay run`. */
export const DEFAULTS: Input = { ...REGISTER_CUSTOM.defaults, transaction_type: 'crypto' };

/** How `pay run` builds the input of its two endpoints. */
export const GATHERING: InputSpec = {
  ...REGISTER_CUSTOM,
  defaults: DEFAULTS,
  bodyFrom: (given) => ({ ...REGISTER_CUSTOM.bodyFrom(given), ...CARD_CUSTOM.bodyFrom(given) }),
  fields: {
    ...TRANSACTION_FIELDS,
    ...REGISTER_FIELDS,
    amount_from: { ...REGISTER_FIELDS.amount_from, validate: validatedBy('validatePaidAmount') },
  },
  optionsOf: (field) => [...REGISTER_CUSTOM.optionsOf(field), ...CARD_CUSTOM.optionsOf(field)],
};

/** Asks for the amount and the type first, because the other required fields depend on the type. */
const assertBeginning = (cli: CommandContext, given: ParsedArgs, typed: Input): void => {
  const type = stringArg(given, 'transaction-type');
  if (!cli.io.prompt.isPossible || (type ?? stringArg(given, 'body') ?? typed['amount_from']) !== undefined) return;
  required({
    '--amount-from': undefined,
    '--from-currency-symbol': stringArg(given, 'from-currency-symbol'),
    '--transaction-type': type,
  });
};

/** A payment by Pix or card, before its payer is known. */
export type ChargePlan = ReturnType<typeof planCharge>;

/** A payment as its command line states it. A payment in crypto has the name of its key. */
export type PlannedRun =
  | { readonly by: 'charge'; readonly request: ChargePlan }
  | { readonly by: 'crypto'; readonly request: PayRequest; readonly name: string };

/** As `planRun`, with the fields of the service in its errors. */
export const readPlan = async (cli: CommandContext, given: ParsedArgs, payer?: Payer): Promise<PlannedRun> => {
  const typed = await buildInput(cli, [register, transaction], GATHERING, given);
  assertBeginning(cli, given, typed);
  if (CHARGE_TYPES.includes(typed['transaction_type'])) {
    const wrong = [...taxIdErrors(typed), ...chargedAmountErrors(typed)];
    const charge = planCharge(await withCard(cli, given, typed), wrong);
    await checkReceivers(cli, charge.register);
    return { by: 'charge', request: charge };
  }
  const { name = '', problem }: KeyChoice = payer ?? (await chooseKey(cli, given, 'evm'));
  const wrong = [...(await paidAmountErrors(cli, typed)), ...payerTokenErrors(typed)];
  const signer = payer ?? (name ? { name, address: await addressOfKey(cli, name) } : undefined);
  const request = signer
    ? planPayment(typed, signer, wrong)
    : planPayment(typed, undefined, [
        ...wrong,
        { field: 'key', message: 'required', ...problem, option: '--key', isMissing: true, isExplained: true },
      ]);
  assertWithinBound(factsOfPayment(request.intent), stringArg(given, 'pay-at-most'));
  await checkReceivers(cli, request.register);
  // A wrong option fails before any request or question.
  await checkReviewOptions(cli, given);
  return { by: 'crypto', request, name };
};

/**
 * Plans a payment by a key, or by the one that the command line names, and sends nothing. Throws `invalid_input` with every
 * wrong or missing field and its option.
 */
export const planRun = (cli: CommandContext, given: ParsedArgs, payer?: Payer): Promise<PlannedRun> =>
  namingOptions(readPlan(cli, given, payer), optionNamer(RUN_FIELDS, GATHERING));
