import { type Client, checkInput, prepare } from '../../../client/call.ts';
import { update as endpoint } from '../../../contract/order/update.ts';
import { Failure, type FailureCode, isFailure } from '../../../core/failure.ts';
import { isJsonObject } from '../../../core/json.ts';
import { textAt } from '../../../core/text-at.ts';
import { type Change, differenceOf } from '../../../flows/order/difference.ts';
import { assertWholeSplit, mergedOrder } from '../../../flows/order/merged.ts';
import { findOrder, lookUpOrder, notListed } from '../../../flows/order/rows.ts';
import { updateOrder } from '../../../flows/order/write.ts';
import { withoutAnswer } from '../../../flows/read-back.ts';
import type { Body } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { flagOf } from '../../command/fields.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { ALLOW_AND_SPLIT } from '../../command/payment-options.ts';
import { assertGiven } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { undefinedOnFailure } from '../../context/undefined-on-failure.ts';
import { checkReceivers } from '../../operations/check-receivers.ts';
import { requestDocument } from '../../print/dry-run.ts';
import { printsSteps } from '../../print/steps.ts';
import { assertConfirmed, ofService } from '../../prompt/confirming.ts';
import { ORDER_FIELDS, orderId } from './shared.ts';
import { changeLines } from './show-difference.ts';

const NOT_SHOWN = 'The list of orders has gaps, and this one is not in it: what this changes is not known.';

const NOT_LISTED = 'The list of orders does not have this one: the service decides.';

/** What an update will really change; why nobody can tell, where the list does not show the order. */
const changesOf = async (client: Client, input: Body): Promise<readonly Change[] | string> => {
  const { order_id, ...sent } = input;
  const { row: stored, isWhole } = await lookUpOrder(client, String(order_id));
  if (!stored) return isWhole ? NOT_LISTED : NOT_SHOWN;
  const merged = mergedOrder(stored, sent);
  if (sent['split_payment_config'] !== undefined) assertWholeSplit(merged);
  return differenceOf(stored, merged);
};

const SAYS_ITSELF: readonly FailureCode[] = ['invalid_input', 'interrupted'];

/** Nobody changes what they cannot see: the list is read before anything is sent. */
const unread = (error: unknown): unknown => {
  if (!isFailure(error) || SAYS_ITSELF.includes(error.code)) return error;
  const hint = `Nothing was sent: the order is read before it is changed. ${error.details.hint ?? ''}`.trim();
  return new Failure(error.code, error.sentence, { ...error.details, hint, cause: error });
};

const changesOrWhy = (client: Client, input: Body): Promise<readonly Change[] | string> =>
  changesOf(client, input).catch((error: unknown) => {
    throw unread(error);
  });

/** What was asked for is shown as the service would store it, and asked about; by options alone it is only shown. */
const showAndAsk = async (cli: CommandContext, input: Body) => {
  const wasAsked = cli.equivalentArgs !== undefined;
  const client = await cli.client();
  const changes = await cli.io.spin('Reading the order', changesOrWhy(client, input));
  if (changes.length === 0) {
    await cli.say('The order is like that already; nothing was sent.');
    const row = await findOrder(client, String(input['order_id']));
    return withoutAnswer('unchanged', 'order_updated', row);
  }
  if (typeof changes === 'string') await cli.say(changes);
  else if (printsSteps(cli) || wasAsked) await cli.io.stderr.write(changeLines(cli, changes));
  if (wasAsked) await assertConfirmed(cli, ofService(client.service, 'Change the order?'));
  return undefined;
};

/** The difference for --dry-run. What cannot be read is no reason to show no request. */
const differenceOrWhy = async (client: Client, input: Body): Promise<readonly Change[] | string> => {
  try {
    return await changesOf(client, input);
  } catch (error) {
    if (!isFailure(error) || error.code === 'invalid_input' || error.code === 'interrupted') throw error;
    return `the order could not be read: ${error.sentence}`;
  }
};

/** Shows the request, and what it would change: the order is read for that, and nothing is sent. */
const show = async (cli: CommandContext, input: Body): Promise<void> => {
  const client = await cli.client();
  const request = requestDocument(client.service, prepare(client.service, endpoint, input));
  const difference = await differenceOrWhy(client, input);
  if (cli.globals.json) {
    const known = typeof difference === 'string' ? { changes: null, note: difference } : { changes: difference };
    return cli.printResult({ ...request, ...known });
  }
  if (typeof difference === 'string') await cli.say(difference);
  else if (!cli.globals.quiet) await cli.io.stderr.write(changeLines(cli, difference));
  return cli.printResult(request);
};

/** What a person is most likely to change; all else is for options and --body. */
const CHANGEABLE = ['amount_from', 'from_currency_symbol', 'to_currency_symbol', 'gateway_method'] as const;
const CHANGING = [...CHANGEABLE.map(flagOf), ...ALLOW_AND_SPLIT.options.map(({ flag }) => flag)];

/** A person who says nothing of it is asked what to change. */
const assertChanges = ({ io }: CommandContext, given: ParsedArgs, input: Body): void => {
  const sent = Object.entries(input).filter(([name, value]) => name !== 'order_id' && value !== undefined);
  const isSaid = sent.length > 0 || stringArg(given, 'body') !== undefined;
  if (isSaid || !io.prompt.isPossible) return;
  assertGiven([
    { anyOf: ['ORDER_ID'], value: stringArg(given, 'order_id') },
    { anyOf: CHANGING, value: undefined },
  ]);
};

const isActive = ([, value]: readonly [string, unknown]): boolean => value === true;

/** Nobody is asked what to change of an order that there is not. */
const storedAt = async (cli: CommandContext, id: string) => {
  const { row, isWhole } = await lookUpOrder(await cli.client(), id);
  if (!row && isWhole) throw notListed(id);
  return row;
};

/** The order as it is, by the options that change it; nothing where it cannot be read. Throws `not_found`. */
const present = async (cli: CommandContext, given: ParsedArgs): Promise<Readonly<Record<string, string>>> => {
  const id = stringArg(given, 'order_id');
  const row = id === undefined ? undefined : await undefinedOnFailure(storedAt(cli, id), 'not_found');
  if (!row) return {};
  const { payment_method_allowed: allowed, split_payment_config: split } = row;
  const methods = isJsonObject(allowed) ? Object.entries(allowed).filter(isActive) : [];
  const known = CHANGEABLE.filter((name) => textAt(row, name) !== undefined);
  return {
    ...Object.fromEntries(known.map((name) => [flagOf(name), String(row[name])])),
    ...(methods.length > 0 && { '--allow': methods.map(([name]) => name).join(', ') }),
    ...(Array.isArray(split) && { '--split': `${split.length} ${split.length === 1 ? 'receiver' : 'receivers'}` }),
  };
};

const plain = derive(endpoint, {
  ...ALLOW_AND_SPLIT,
  fields: ORDER_FIELDS,
  isCorrectable: true,
  arguments: { order_id: orderId() },
  currentValues: present,
  complete: async (cli, given, input) => {
    assertChanges(cli, given, input);
    if (!cli.globals.dryRun || cli.globals.curl) return input;
    checkInput(endpoint, input);
    await checkReceivers(cli, input);
    await show(cli, input);
    return undefined;
  },
  validate: checkReceivers,
  before: showAndAsk,
  fetch: async (cli, _, input) => updateOrder(await cli.client(), input),
  card: async (data) => (await import('../../summaries/order-summary.ts')).orderCard(data),
  examples: [
    'order update cmb1x2y3z0000abcd1234efgh --amount-from 30',
    'order update cmb1x2y3z0000abcd1234efgh --amount-from 30 --dry-run',
  ],
});

/** `order update`: says what will really be stored, for lists merge by their places. */
export const update: Command = { ...plain, calls: ['order.list', 'order.update'] };
