import { type Client, call, type Input } from '../../../client/call.ts';
import { list as endpoint } from '../../../contract/order/list.ts';
import { GATEWAY_METHODS } from '../../../contract/pay/shared.ts';
import { Failure } from '../../../core/failure.ts';
import { isJsonObject, textAt, valueAt } from '../../../core/json.ts';
import { type OrderRow, readOrders } from '../../../flows/order/rows.ts';
import { type CallResult, withoutAnswer } from '../../../flows/read-back.ts';
import type { CommandContext } from '../../command/command.ts';
import { derive } from '../../command/derive.ts';
import { boolArg, type Option, type ParsedArgs, stringArg } from '../../command/options.ts';
import { storeOrderIds } from '../../context/order-ids.ts';
import { refuseCurl } from '../../print/dry-run.ts';
import type { TerminalList } from '../../print/print-result.ts';
import { printsSteps } from '../../print/steps.ts';
import { activeStateOf, methodsOf } from '../../summaries/order-summary.ts';
import { MAX_ORDERS } from './shared.ts';

/** The columns of pipe output. */
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

/** The columns of a terminal, most important first. */
const COLUMNS = ['id', 'state', 'amount', 'for', 'methods', 'gateway', 'created_at'];

const rowOf = (order: unknown) => ({
  id: valueAt(order, 'id'),
  state: activeStateOf(order) ?? 'unknown',
  amount: [textAt(order, 'amount_from'), textAt(order, 'from_currency_symbol')].filter(Boolean).join(' '),
  for: valueAt(order, 'to_currency_symbol'),
  methods: methodsOf(order),
  gateway: [textAt(order, 'gateway_method'), valueAt(order, 'on_ramp') === true && 'on-ramp']
    .filter(Boolean)
    .join(', '),
  created_at: valueAt(order, 'created_at'),
});

/** Orders as rows for a terminal. */
export const orderTable = (orders: unknown): TerminalList => ({
  rows: Array.isArray(orders) ? orders.map(rowOf) : orders,
  brief: COLUMNS,
});

const OPTIONS: readonly Option[] = [
  { flag: '--all', description: 'Read every page' },
  {
    flag: '--gateway-method',
    value: 'CHOICE',
    choices: GATEWAY_METHODS,
    description: 'Show only orders with this gateway method; reads every page',
  },
  { flag: '--on-ramp', description: 'Show only on-ramp orders; reads every page' },
  { flag: '--no-on-ramp', description: 'Show only orders that are not on-ramp; reads every page' },
  { flag: '--active', description: 'Show only active orders; reads every page' },
  { flag: '--no-active', description: 'Show only inactive orders; reads every page' },
];

const FILTERS = ['gateway-method', 'on-ramp', 'no-on-ramp', 'active', 'no-active'];

const matchesFlag = (given: ParsedArgs, name: string, value: unknown): boolean =>
  (!boolArg(given, name) || value === true) && (!boolArg(given, `no-${name}`) || value !== true);

/** Filters locally: the filters of the service have no documented names. */
const matchesFilters = (given: ParsedArgs, row: OrderRow): boolean => {
  const method = stringArg(given, 'gateway-method');
  return (
    (method === undefined || row['gateway_method'] === method) &&
    matchesFlag(given, 'on-ramp', row['on_ramp']) &&
    matchesFlag(given, 'active', row.active)
  );
};

const isFiltered = (given: ParsedArgs): boolean => FILTERS.some((name) => given[name] !== undefined);

const isPaged = (given: ParsedArgs): boolean =>
  stringArg(given, 'page') !== undefined || stringArg(given, 'limit') !== undefined;

/** The service's defaults. */
const FIRST_PAGE = endpoint.query.page.parse(undefined);
const USUAL_LIMIT = endpoint.query.limit.parse(undefined);

/** The pages are those of the matching orders. Without --page and --limit all of them are on one page. */
const fetchAll = async (cli: CommandContext, client: Client, given: ParsedArgs, input: Input): Promise<CallResult> => {
  const all = await readOrders(client);
  const found = all.filter((row) => matchesFilters(given, row));
  const total = found.length;
  const page = Number(input['page'] ?? FIRST_PAGE);
  const limit = isPaged(given) ? Number(input['limit'] ?? USUAL_LIMIT) : Math.max(total, USUAL_LIMIT);
  const pages = Math.ceil(total / limit);
  const where = pages > 1 || page > 1 ? ` Page ${page} of ${pages}.` : '';
  const note = `The orders were filtered here: ${total} of ${all.length} match.${where}`;
  if (isFiltered(given)) await cli.printNote(note);
  const orders = found.slice((page - 1) * limit, page * limit);
  const pagination = { total, page, limit, total_pages: pages };
  return withoutAnswer('collected', 'orders_listed', { orders, pagination });
};

const readsAll = (given: ParsedArgs): boolean => boolArg(given, 'all') || isFiltered(given);

/** Refuses --curl, and explains --dry-run: several requests and a local filter are not one request. */
const checkDryRun = async (cli: CommandContext): Promise<void> => {
  refuseCurl(cli, 'order list with --all or a filter reads all pages and filters them locally');
  if (cli.globals.dryRun)
    await cli.printNote('This is the request for one page. The command reads every page, then filters.');
};

const fetchOrders = async (cli: CommandContext, given: ParsedArgs, input: Input): Promise<CallResult> => {
  const client = await cli.client();
  return readsAll(given) ? fetchAll(cli, client, given, input) : call(client, endpoint, input);
};

/** The used slots and the number of pages, for the line below the table. */
const footer = (all: number, pages: number): string => {
  const left = Math.max(0, MAX_ORDERS - all);
  const slots = `${all} of ${MAX_ORDERS} orders; ${left} ${left === 1 ? 'slot' : 'slots'} left.`;
  return pages > 1 ? `${slots} This is one of ${pages} pages; --all shows all orders.` : slots;
};

const printFooter = async (cli: CommandContext, given: ParsedArgs, { data }: CallResult): Promise<void> => {
  const pagination = isJsonObject(data) ? data['pagination'] : undefined;
  if (!isJsonObject(pagination) || isFiltered(given) || cli.globals.json || !printsSteps(cli)) return;
  const { total, total_pages: pages } = pagination;
  if (typeof total === 'number' && typeof pages === 'number') await cli.printNote(footer(total, pages));
};

const idsIn = ({ data }: CallResult): readonly string[] => {
  const orders = isJsonObject(data) && Array.isArray(data['orders']) ? data['orders'] : [];
  return orders.flatMap((order) => (isJsonObject(order) && typeof order['id'] === 'string' ? [order['id']] : []));
};

/** `order list`: a page, or all. */
export const list = derive(endpoint, {
  about: [
    'The service has no documented filters. With one, bursar reads every page and filters; --page and --limit then count the matching orders.',
    `Columns in a pipe: ${PIPED_COLUMNS.join(', ')}. --json has all fields.`,
  ],
  rows: 'orders',
  none: 'No orders. To create one: bursar order create',
  listed: (_, rows) => orderTable(rows),
  piped: (rows) => ({ rows, columns: PIPED_COLUMNS }),
  options: OPTIONS,
  complete: async (cli, given, input) => {
    if (boolArg(given, 'all') && isPaged(given))
      throw new Failure('usage', '--all cannot be combined with --page or --limit');
    if (readsAll(given)) await checkDryRun(cli);
    return input;
  },
  fetch: fetchOrders,
  noEnvelopeWith: ['all', ...FILTERS],
  after: async (cli, given, answered) => {
    await storeOrderIds(cli.io, idsIn(answered));
    await printFooter(cli, given, answered);
  },
  examples: ['order list --all', 'order list --limit 5', 'order list --gateway-method subs --json'],
});
