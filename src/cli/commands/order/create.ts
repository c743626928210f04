import { type Client, checkInput } from '../../../client/call.ts';
import { create as endpoint } from '../../../contract/order/create.ts';
import { Failure, isFailure } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { differenceOfNew } from '../../../flows/order/difference.ts';
import { readOrders } from '../../../flows/order/rows.ts';
import { createOrder } from '../../../flows/order/write.ts';
import type { Body } from '../../command/body.ts';
import { derive } from '../../command/derive.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { ALLOW_AND_SPLIT, PAYMENT_DEFAULTS } from '../../command/payment-options.ts';
import type { CommandContext } from '../../context/context.ts';
import { rememberOrders } from '../../context/seen-orders.ts';
import { undefinedOnFailure } from '../../context/undefined-on-failure.ts';
import { checkReceivers } from '../../operations/check-receivers.ts';
import { assertConfirmed, ofService } from '../../prompt/confirming.ts';
import { MAX_ORDERS, ORDER_FIELDS } from './shared.ts';
import { changeLines } from './show-difference.ts';

/** What an order may do without, and its maker hardly means to leave out. */
const ASKED_TOO = ALLOW_AND_SPLIT.sets;

/** Whoever is asked for a part of an order is asked for its methods and receivers as well. */
const askingForAll = (cli: CommandContext, given: ParsedArgs, input: Body): void => {
  if (!cli.io.prompt.isPossible || stringArg(given, 'body') !== undefined) return;
  try {
    checkInput(endpoint, input);
  } catch (error) {
    if (!isFailure(error) || !error.details.errors?.some(({ isMissing }) => isMissing)) throw error;
    const more = ASKED_TOO.filter((field) => input[field] === undefined);
    const errors = more.map((field) => ({ field, message: 'required', isMissing: true as const }));
    throw new Failure(error.code, error.sentence, {
      ...error.details,
      errors: [...error.details.errors, ...errors],
      cause: error,
    });
  }
};

/** How many slots are taken, where the list can be read. */
const slotsInWords = async (cli: CommandContext, client: Client): Promise<string> => {
  const rows = await cli.io.spin('Reading the orders', undefinedOnFailure(readOrders(client)));
  return `${rows?.length ?? 'An unknown number'} of ${MAX_ORDERS} slots are used, and an order is never deleted.`;
};

/** A slot that is taken is never free again: what was asked for is shown before it takes one. */
const showAndAsk = async (cli: CommandContext, input: Body): Promise<undefined> => {
  if (cli.equivalentArgs === undefined) return;
  const client = await cli.client();
  const slots = await slotsInWords(cli, client);
  await cli.io.stderr.write(changeLines(cli, differenceOfNew(input)));
  await assertConfirmed(cli, ofService(client.service, `${slots} Create it?`));
};

/** `order create`. */
export const create = derive(endpoint, {
  ...ALLOW_AND_SPLIT,
  fields: ORDER_FIELDS,
  isCorrectable: true,
  defaults: PAYMENT_DEFAULTS,
  complete: async (cli, given, input) => {
    askingForAll(cli, given, input);
    return input;
  },
  before: showAndAsk,
  card: async (data, input) => (await import('../../summaries/order-summary.ts')).createdCard(data, input),
  after: async ({ io }, _, { data }) => {
    const id = isJsonObject(data) ? data['order_id'] : undefined;
    if (typeof id === 'string') await rememberOrders(io, [id]);
  },
  validate: checkReceivers,
  fetch: async (cli, _, input) => createOrder(await cli.client(), input),
  examples: ['order create --from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto'],
});
