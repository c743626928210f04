import { type Client, checkInput, type Input, prepare } from '../../../client/call.ts';
import { create as createEndpoint } from '../../../contract/order/create.ts';
import { update as updateEndpoint } from '../../../contract/order/update.ts';
import { allowedMethods } from '../../../contract/pay/shared.ts';
import { type FailureCode, isFailure, withDetails } from '../../../core/failure.ts';
import { isJsonObject, textAt } from '../../../core/json.ts';
import {
  assertWholeSplit,
  type Change,
  differenceOf,
  differenceOfNew,
  mergedOrder,
} from '../../../flows/order/difference.ts';
import { findOrder, lookUpOrder, notListed, readOrders } from '../../../flows/order/rows.ts';
import { createOrder, updateOrder } from '../../../flows/order/write.ts';
import { withoutAnswer } from '../../../flows/read-back.ts';
import type { CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { flagOf } from '../../command/fields.ts';
import { assertGiven, type ParsedArgs, stringArg } from '../../command/options.ts';
import { ALLOW_AND_SPLIT, PAYMENT_DEFAULTS } from '../../command/payment-options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { storeOrderIds } from '../../context/order-ids.ts';
import { checkReceivers } from '../../operations/check-receivers.ts';
import { requestDocument } from '../../print/dry-run.ts';
import { printsSteps } from '../../print/steps.ts';
import { assertConfirmed, ofService } from '../../prompt/confirming.ts';
import { changeLines, MAX_ORDERS, ORDER_FIELDS, orderId } from './shared.ts';

/** Optional fields that most orders need. */
const USUAL_FIELDS = ALLOW_AND_SPLIT.sets;

/** If a required field is missing, makes the prompt ask for payment methods and receivers too. */
const askForUsualFields = (cli: CommandContext, given: ParsedArgs, input: Input): void => {
  if (!cli.io.prompt.isPossible || stringArg(given, 'body') !== undefined) return;
  try {
    checkInput(createEndpoint, input);
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
const confirmAnswers = async (cli: CommandContext, input: Input): Promise<undefined> => {
  if (cli.equivalentArgs === undefined) return;
  const client = await cli.client();
  const slots = await slotsInWords(cli, client);
  await cli.io.stderr.write(changeLines(cli, differenceOfNew(input)));
  await assertConfirmed(cli, ofService(client.service, `${slots} Create this order?`));
};

/** `order create`. */
export const create = derive(createEndpoint, {
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
  examples: [
    'order create --from-currency-symbol BRL --amount-from 25 --to-currency-symbol USDT --allow crypto',
    'order create --body order.json --jq .order_id',
  ],
});

const LIST_INCOMPLETE = 'The list of orders is incomplete and lacks this order, so its changes cannot be shown.';

const NOT_LISTED = 'This order is not in the list. The service decides whether it exists.';

/** The changes that an update will make, or the reason why they are unknown. */
const changesOf = async (client: Client, input: Input): Promise<readonly Change[] | string> => {
  const { order_id, ...sent } = input;
  const { row: stored, isWhole } = await lookUpOrder(client, String(order_id));
  if (!stored) return isWhole ? NOT_LISTED : LIST_INCOMPLETE;
  const merged = mergedOrder(stored, sent);
  if (sent['split_payment_config'] !== undefined) assertWholeSplit(merged);
  return differenceOf(stored, merged);
};

const SELF_EXPLAINING: readonly FailureCode[] = ['invalid_input', 'interrupted'];

/** Adds to a failed read that nothing was sent. */
const withNothingSent = (error: unknown): unknown => {
  if (!isFailure(error) || SELF_EXPLAINING.includes(error.code)) return error;
  const hint = `Nothing was sent: the order must be read before it is changed. ${error.details.hint ?? ''}`.trim();
  return withDetails(error, { hint });
};

/** Shows the changes as the service would store them. After prompts, asks for confirmation too. */
const showAndConfirm = async (cli: CommandContext, input: Input) => {
  const wasAsked = cli.equivalentArgs !== undefined;
  const client = await cli.client();
  const reading = changesOf(client, input).catch((error: unknown) => {
    throw withNothingSent(error);
  });
  const changes = await cli.io.spin('Reading the order', reading);
  if (changes.length === 0) {
    await cli.printNote('The order already has these values; nothing was sent.');
    const row = await findOrder(client, String(input['order_id']));
    return withoutAnswer('unchanged', 'order_updated', row);
  }
  if (typeof changes === 'string') await cli.printNote(changes);
  else if (printsSteps(cli) || wasAsked) await cli.io.stderr.write(changeLines(cli, changes));
  if (wasAsked) await assertConfirmed(cli, ofService(client.service, 'Change this order?'));
  return undefined;
};

/** The changes for --dry-run. If the order cannot be read, the request is still shown. */
const differenceOrWhy = async (client: Client, input: Input): Promise<readonly Change[] | string> => {
  try {
    return await changesOf(client, input);
  } catch (error) {
    if (!isFailure(error) || error.code === 'invalid_input' || error.code === 'interrupted') throw error;
    return `the order could not be read: ${error.sentence}`;
  }
};

/** Shows the request and its changes for --dry-run: reads the order and sends nothing. */
const show = async (cli: CommandContext, input: Input): Promise<void> => {
  const client = await cli.client();
  const request = requestDocument(client.service, prepare(client.service, updateEndpoint, input));
  const difference = await differenceOrWhy(client, input);
  if (cli.globals.json) {
    const known = typeof difference === 'string' ? { changes: null, note: difference } : { changes: difference };
    return cli.printResult({ ...request, ...known });
  }
  if (typeof difference === 'string') await cli.printNote(difference);
  else if (!cli.globals.quiet) await cli.io.stderr.write(changeLines(cli, difference));
  return cli.printResult(request);
};

/** The fields that the prompt offers to change. */
const PROMPTED_FIELDS = ['amount_from', 'from_currency_symbol', 'to_currency_symbol', 'gateway_method'] as const;
const PROMPTED_OPTIONS = [...PROMPTED_FIELDS.map(flagOf), ...ALLOW_AND_SPLIT.options.map(({ flag }) => flag)];

/** Without any change on the command line, makes the prompt ask what to change. */
const requireChange = ({ io }: CommandContext, given: ParsedArgs, input: Input): void => {
  const sent = Object.entries(input).filter(([name, value]) => name !== 'order_id' && value !== undefined);
  const hasChange = sent.length > 0 || stringArg(given, 'body') !== undefined;
  if (hasChange || !io.prompt.isPossible) return;
  // The order is asked for first: its current values are the defaults of the other questions.
  assertGiven([{ anyOf: ['ORDER_ID'], value: stringArg(given, 'order_id') }]);
  assertGiven([{ anyOf: PROMPTED_OPTIONS, value: undefined }]);
};

/** The stored order. Throws `not_found` for an unknown id, before the user is asked for changes. */
const findStored = async (cli: CommandContext, id: string) => {
  const { row, isWhole } = await lookUpOrder(await cli.client(), id);
  if (!row && isWhole) throw notListed(id);
  return row;
};

/** The current values by option, for the prompt; empty if the order cannot be read. Throws `not_found`. */
const currentValues = async (cli: CommandContext, given: ParsedArgs): Promise<Readonly<Record<string, string>>> => {
  const id = stringArg(given, 'order_id');
  const row = id === undefined ? undefined : await undefinedOnFailure(findStored(cli, id), 'not_found');
  if (!row) return {};
  const { payment_method_allowed: allowed, split_payment_config: split } = row;
  const methods = allowedMethods(allowed);
  const known = PROMPTED_FIELDS.filter((name) => textAt(row, name) !== undefined);
  return {
    ...Object.fromEntries(known.map((name) => [flagOf(name), String(row[name])])),
    ...(methods.length > 0 && { '--allow': methods.join(', ') }),
    ...(Array.isArray(split) && { '--split': `${split.length} ${split.length === 1 ? 'receiver' : 'receivers'}` }),
  };
};

/** `order update`. It shows the changes first, because the service merges lists by index. */
export const update = derive(updateEndpoint, {
  ...ALLOW_AND_SPLIT,
  fields: ORDER_FIELDS,
  isCorrectable: true,
  arguments: { order_id: orderId() },
  currentValues,
  complete: async (cli, given, input) => {
    requireChange(cli, given, input);
    if (!cli.globals.dryRun || cli.globals.curl) return input;
    checkInput(updateEndpoint, input);
    await checkReceivers(cli, input);
    await show(cli, input);
    return undefined;
  },
  validate: checkReceivers,
  before: showAndConfirm,
  calls: ['order.list', 'order.update'],
  fetch: async (cli, _, input) => updateOrder(await cli.client(), input),
  summary: async (data) => (await import('../../summaries/order-summary.ts')).orderSummary(data),
  examples: [
    'order update cmb1x2y3z0000abcd1234efgh --amount-from 30',
    'order update cmb1x2y3z0000abcd1234efgh --amount-from 30 --dry-run',
  ],
});
