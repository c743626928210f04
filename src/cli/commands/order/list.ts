import { type Client, call } from '../../../client/call.ts';
import { list as endpoint } from '../../../contract/order/list.ts';
import { GATEWAY_METHODS } from '../../../contract/pay/shared.ts';
import { Failure } from '../../../core/failure.ts';
import { isJsonObject, textAt, valueAt } from '../../../core/json.ts';
import { type OrderRow, readOrders } from '../../../flows/order/rows.ts';
import { type CallResult, withoutAnswer } from '../../../flows/read-back.ts';
import type { Body } from '../../command/body.ts';
import type { Command } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { boolArg, type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { storeOrderIds } from '../../context/order-ids.ts';
import { refuseCurl } from '../../print/dry-run.ts';
import type { TerminalList } from '../../print/print-result.ts';
import { printsSteps } from '../../print/steps.ts';
import { methodsOf, switchOf } from '../../summaries/order-summary.ts';
import { MAX_ORDERS } from './shared.ts';

/** The columns of a pipe. */
const PIPED_COLUMNS = [
  'id',
  'active',
  'gateway_method',
  'amount_from',
  'from_currency_symbol',
  'to_currency_symbol',
  'on_ramp',
  'payment_method_allowed',
  'created_at',
  'updated_at',
];

/** The columns of a terminal, the most important first. */
const COLUMNS = ['id', 'state', 'amount', 'for', 'methods', 'gateway', 'created_at'];

const rowOf = (order: unknown) => ({
  id: valueAt(order, 'id'),
  state: switchOf(order) ?? 'not known',
  amount: [textAt(order, 'amount_from'), textAt(order, 'from_currency_symbol')].filter(Boolean).join(' '),
  for: valueAt(order, 'to_currency_symbol'),
  methods: methodsOf(order),
  gateway: [textAt(order, 'gateway_method'), valueAt(order, 'on_ramp') === true && 'on-ramp']
    .filter(Boolean)
    .join(', '),
  created_at: valueAt(order, 'created_at'),
});

/** Orders as a person tells them apart. Scripts get what the service said. */
export const orderTable = (orders: unknown): TerminalList => ({
  rows: Array.isArray(orders) ? orders.map(rowOf) : orders,
  brief: COLUMNS,
});

const OPTIONS: readonly Option[] = [
  { flag: '--all', description: 'Every page' },
  {
    flag: '--gateway-method',
    value: 'CHOICE',
    choices: GATEWAY_METHODS,
    description: 'Only orders of this kind, picked here from all pages',
  },
  { flag: '--on-ramp', description: 'Only on-ramp orders, picked here from all pages' },
  { flag: '--no-on-ramp', description: 'Only orders that are not on-ramp' },
  { flag: '--active', description: 'Only orders that can be used, picked here from all pages' },
  { flag: '--no-active', description: 'Only orders that cannot be used' },
];

const FILTERS = ['gateway-method', 'on-ramp', 'no-on-ramp', 'active', 'no-active'];

const isSo = (given: ParsedArgs, name: string, value: unknown): boolean =>
  (!boolArg(given, name) || value === true) && (!boolArg(given, `no-${name}`) || value !== true);

/** The service's own filters have no documented names, so orders are picked here. */
const isWanted = (given: ParsedArgs, row: OrderRow): boolean => {
  const method = stringArg(given, 'gateway-method');
  return (
    (method === undefined || row['gateway_method'] === method) &&
    isSo(given, 'on-ramp', row['on_ramp']) &&
    isSo(given, 'active', row.active)
  );
};

const fetchAll = async (client: Client, given: ParsedArgs): Promise<CallResult> => {
  const orders = (await readOrders(client)).filter((row) => isWanted(given, row));
  const pagination = { total: orders.length, page: 1, limit: orders.length, total_pages: 1 };
  return withoutAnswer('collected', 'orders_listed', { orders, pagination });
};

const isPicked = (given: ParsedArgs): boolean => FILTERS.some((name) => given[name] !== undefined);

const readsAll = (given: ParsedArgs): boolean => boolArg(given, 'all') || isPicked(given);

/** What is picked here is in no request. */
const assertShowable = async (cli: CommandContext): Promise<void> => {
  refuseCurl(cli, 'order list with --all or a filter reads all pages and picks from them here');
  if (cli.globals.dryRun) await cli.say('One page is shown; every page would be read, and picked from here.');
};

const fetchOrders = async (cli: CommandContext, given: ParsedArgs, input: Body): Promise<CallResult> => {
  const client = await cli.client();
  return readsAll(given) ? fetchAll(client, given) : call(client, endpoint, input);
};

/** How full the account is, below the table; how to see the rest, where there is one. */
const footer = (all: number, pages: number): string => {
  const left = Math.max(0, MAX_ORDERS - all);
  const slots = `${all} of ${MAX_ORDERS} orders; ${left} ${left === 1 ? 'slot' : 'slots'} left.`;
  return pages > 1 ? `${slots} This is one of ${pages} pages; --all shows every one.` : slots;
};

const sayFooter = async (cli: CommandContext, given: ParsedArgs, { data }: CallResult): Promise<void> => {
  const pagination = isJsonObject(data) ? data['pagination'] : undefined;
  if (!isJsonObject(pagination) || isPicked(given) || cli.globals.json || !printsSteps(cli)) return;
  const { total, total_pages: pages } = pagination;
  if (typeof total === 'number' && typeof pages === 'number') await cli.say(footer(total, pages));
};

const idsIn = ({ data }: CallResult): readonly string[] => {
  const orders = isJsonObject(data) && Array.isArray(data['orders']) ? data['orders'] : [];
  return orders.flatMap((order) => (isJsonObject(order) && typeof order['id'] === 'string' ? [order['id']] : []));
};

const listed = derive(endpoint, {
  rows: 'orders',
  none: 'No order here. To make one: bursar order create',
  listed: (_, rows) => orderTable(rows),
  piped: (rows) => ({ rows, columns: PIPED_COLUMNS }),
  options: OPTIONS,
  complete: async (cli, given, input) => {
    const isPaged = stringArg(given, 'page') !== undefined || stringArg(given, 'limit') !== undefined;
    if (boolArg(given, 'all') && isPaged)
      throw new Failure('usage', '--all: it leaves --page and --limit nothing to say');
    if (readsAll(given)) await assertShowable(cli);
    return input;
  },
  fetch: fetchOrders,
  noEnvelopeWith: ['all', ...FILTERS],
  after: async (cli, given, answered) => {
    await storeOrderIds(cli.io, idsIn(answered));
    await sayFooter(cli, given, answered);
  },
  examples: ['order list --all', 'order list --limit 5', 'order list --gateway-method subs --json'],
});

/** `order list`: a page, or all. */
export const list: Command = {
  ...listed,
  about: [`In a pipe a line is ${PIPED_COLUMNS.join(', ')}; --json has all.`],
};
