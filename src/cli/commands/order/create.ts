import { type Client, checkInput } from '../../../client/call.ts';
import { create as endpoint } from '../../../contract/order/create.ts';
import { isFailure, withDetails } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { differenceOfNew } from '../../../flows/order/difference.ts';
import { readOrders } from '../../../flows/order/rows.ts';
import { createOrder } from '../../../flows/order/write.ts';
import type { Body } from '../../command/body.ts';
import { derive } from '../../command/derive.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { ALLOW_AND_SPLIT, PAYMENT_DEFAULTS } from '../../command/payment-options.ts';
import type { CommandContext } from '../../context/context.ts';
import { storeOrderIds } from '../../context/order-ids.ts';
import { undefinedOnFailure } from '../../context/undefined-on-failure.ts';
import { checkReceivers } from '../../operations/check-receivers.ts';
import { assertConfirmed, ofService } from '../../prompt/confirming.ts';
import { changeLines, MAX_ORDERS, ORDER_FIELDS } from './shared.ts';

/** Optional fields that most orders need. */
const USUAL_FIELDS = ALLOW_AND_SPLIT.sets;

/** If a required field is missing, makes the prompt ask for payment methods and receivers too. */
const askForUsualFields = (cli: CommandContext, given: ParsedArgs, input: Body): void => {
  if (!cli.io.prompt.isPossible || stringArg(given, 'body') !== undefined) return;
  try {
    checkInput(endpoint, input);
  } catch (error) {
    if (!isFailure(error) || !error.details.errors?.some(({ isMissing }) => isMissing)) throw error;
    const more = USUAL_FIELDS.filter((field) => input[field] === undefined);
    const errors = more.map((field) => ({ field, message: 'required', isMissing: true as const }));
    throw withDetails(error, { errors: [...error.details.errors, ...errors] });
  }
};

/** A sentence about the used slots. */
const slotsInWords = async (cli: CommandContext, client: Client): Promise<string> => {
  const rows = await cli.io.spin('Reading the orders', undefinedOnFailure(readOrders(client)));
  return `${rows?.length ?? 'An unknown number'} of ${MAX_ORDERS} slots are used, and orders cannot be deleted.`;
};

/** After prompts, shows the answers and asks once more: an order takes a slot forever. */
const confirmAnswers = async (cli: CommandContext, input: Body): Promise<undefined> => {
  if (cli.equivalentArgs === undefined) return;
  const client = await cli.client();
  const slots = await slotsInWords(cli, client);
  await cli.io.stderr.write(changeLines(cli, differenceOfNew(input)));
  await assertConfirmed(cli, ofService(client.service, `${slots} Create this order?`));
};

/** `order create`. */
export const create = derive(endpoint, {
  ...ALLOW_AND_SPLIT,
  fields: ORDER_FIELDS,
  isCorrectable: true,
  defaults: PAYMENT_DEFAULTS,
  complete: async (cli, given, input) => {
    askForUsualFields(cli, given, input);
    return input;
  },
  before: confirmAnswers,
  summary: async (data, input) => (await import('../../summaries/order-summary.ts')).createdSummary(data, input),
  after: async ({ io }, _, { data }) => {
    const id = isJsonObject(data) ? data['order_id'] : undefined;
    if (typeof id === 'string') await storeOrderIds(io, [id]);
  },
  validate: checkReceivers,
  fetch: async (cli, _, input) => createOrder(await cli.client(), input),
  examples: ['order create --from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto'],
});
