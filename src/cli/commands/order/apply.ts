import { Failure, type FieldError, withDetails } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { escapeText } from '../../../core/text.ts';
import { type AppliedOrder, applyOrders } from '../../../flows/order/apply.ts';
import type { DeclaredOrder } from '../../../flows/order/difference.ts';
import { type Action, type PlannedOrder, planOrders } from '../../../flows/order/plan.ts';
import { type OrderRow, readOrders } from '../../../flows/order/rows.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, required, stringArg } from '../../command/options.ts';
import { walletsIn, wrongReceivers } from '../../operations/check-receivers.ts';
import { refuseCurl } from '../../print/dry-run.ts';
import { printsSteps, step } from '../../print/steps.ts';
import { assertConfirmed, serviceInWords } from '../../prompt/confirming.ts';
import { readOrderFile, wrongOrders } from './file.ts';
import { changeLines, MAX_ORDERS } from './shared.ts';

/** Throws `limit_reached` if the plan needs more slots than are free: orders cannot be deleted. */
const assertFreeSlots = (stored: readonly OrderRow[], orders: readonly PlannedOrder[]): void => {
  const needed = orders.filter(({ actions }) => actions.includes('create')).length;
  const left = Math.max(0, MAX_ORDERS - stored.length);
  if (needed <= left) return;
  const why = `${needed} orders would be created, but only ${left} of ${MAX_ORDERS} slots are left`;
  throw new Failure('limit_reached', `nothing was sent: ${why}`, {
    hint: `An account has at most ${MAX_ORDERS} orders, inactive ones included, and none can be deleted. To reuse an unneeded order, write its id into the entry.`,
    next: nextStep('order.list.all'),
  });
};

/** Compares the file with the stored orders. Throws for a file that cannot be applied. */
const makePlan = async (cli: CommandContext, given: ParsedArgs, declared: readonly DeclaredOrder[]) => {
  const client = await cli.client();
  const stored = await cli.io.spin('Reading the orders', readOrders(client));
  const { orders, problems } = planOrders(declared, stored, boolArg(given, 'disable-others'));
  if (problems.length > 0) throw wrongOrders(problems);
  assertFreeSlots(stored, orders);
  return orders;
};

/** The orders may have changed during the question: only the plan that the user saw may be applied. */
const assertPlanUnchanged = async (
  cli: CommandContext,
  given: ParsedArgs,
  declared: readonly DeclaredOrder[],
  shown: readonly PlannedOrder[],
) => {
  if (printJson(await makePlan(cli, given, declared)) === printJson(shown)) return;
  throw new Failure('invalid_input', 'nothing was sent: the stored orders have changed since the plan was made', {
    hint: 'Apply the file again, and check the new plan.',
  });
};

type OrderResult = PlannedOrder & {
  readonly outcome?: AppliedOrder['outcome'] | 'planned';
  readonly done?: readonly Action[];
};

/** One order of the result. `order` is its place in the file, from 0, as in errors. */
const rowOf = ({ at, id, actions, changes, outcome = 'planned', done }: OrderResult) => ({
  order: at ?? null,
  id: id ?? null,
  actions,
  outcome,
  ...(done && { done }),
  changes,
});

/** The result for --json. */
const documentOf = async (cli: CommandContext, results: readonly OrderResult[]) => {
  const { profile, kind } = await cli.service();
  return { orders: results.map(rowOf), profile, kind };
};

/** The result as a table. */
const tableOf = (results: readonly OrderResult[]) =>
  results.map(rowOf).map(({ order, id, actions, outcome }) => ({ order, id, actions: actions.join(' '), outcome }));

/** Adds to the failure of a partial run how many orders are done. */
const incomplete = (failure: Failure, applied: readonly AppliedOrder[], document: unknown): Failure => {
  const todo = applied.filter(({ actions }) => actions.length > 0);
  const done = todo.filter(({ outcome }) => outcome === 'done').length;
  const rest = todo.some(({ outcome }) => outcome === 'not_sent') ? ', and those after the failure were not sent' : '';
  const hint = `${done} of ${todo.length} orders are done${rest}. Apply the file again to do the rest; nothing is done twice. ${failure.details.hint ?? ''}`;
  return withDetails(failure, { hint: hint.trim(), data: document });
};

const SIGNS = { create: '+', update: '~', enable: '~', disable: '~' } as const;

const headline = ({ at, id, actions }: PlannedOrder): string => {
  const place = at === undefined ? 'not in the file' : `orders.${at}`;
  return `${SIGNS[actions[0] ?? 'update']} ${actions.join(' and ')} ${escapeText(id ?? 'a new order')} (${place})`;
};

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ');

/** How many orders the plan creates, changes and leaves. */
const planInWords = (orders: readonly PlannedOrder[]): string => {
  const count = (matches: (order: PlannedOrder) => boolean) => orders.filter(matches).length;
  const created = count(({ actions }) => actions.includes('create'));
  const unchanged = count(({ actions }) => actions.length === 0);
  return `${created} to create, ${orders.length - created - unchanged} to change, ${unchanged} unchanged.`;
};

/** The plan for a terminal: each order with actions, and its changes. */
const planLines = (cli: CommandContext, orders: readonly PlannedOrder[]): string =>
  orders
    .filter(({ actions }) => actions.length > 0)
    .map((order) => `${headline(order)}\n${indented(changeLines(cli, order.changes))}`)
    .join('');

const receiverErrors = (cli: CommandContext, order: PlannedOrder): Promise<readonly FieldError[]> => {
  // A new list, or a new entry of a list, is one change at its own path.
  const isChanged = (field: string) => order.changes.some(({ path }) => field === path || field.startsWith(`${path}.`));
  const changed = walletsIn(order.send).filter(([field]) => isChanged(field));
  const placed = changed.map(([field, wallet]) => [`orders.${order.at}.${field}`, wallet] as const);
  return wrongReceivers(cli, placed, order.send['to_chain']);
};

/** Throws `invalid_input` with every wrong receiver that is new. Stored receivers are not checked. */
const checkNewReceivers = async (cli: CommandContext, orders: readonly PlannedOrder[]): Promise<void> => {
  const errors: FieldError[] = [];
  for (const order of orders) errors.push(...(await receiverErrors(cli, order)));
  if (errors.length > 0) throw wrongOrders(errors);
};

const applyPlan = async (cli: CommandContext, orders: readonly PlannedOrder[]): Promise<void> => {
  const on = async (_: PlannedOrder, action: Action, id: string) =>
    printsSteps(cli) ? cli.io.stderr.write(`${step(cli, `${action}d`, id)}\n`) : undefined;
  const notify = (line: string) => cli.printNote(escapeText(line));
  const { applied, failure } = await applyOrders({ client: await cli.client(), notify, on }, orders);
  const document = await documentOf(cli, applied);
  if (!failure || !cli.globals.failsAsJson) await cli.printCommitted(document, tableOf(applied));
  if (failure) throw incomplete(failure, applied, document);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const path = required({ '--file': stringArg(given, 'file') })['--file'];
  refuseCurl(cli, 'order apply is several requests');
  const declared = await readOrderFile(cli, path);
  const orders = await makePlan(cli, given, declared);
  await checkNewReceivers(cli, orders);
  const isIdle = orders.every(({ actions }) => actions.length === 0);
  if (cli.io.stderr.isTerminal && !isIdle && !cli.globals.quiet) await cli.io.stderr.write(planLines(cli, orders));
  if (isIdle || cli.globals.dryRun) {
    if (cli.io.stderr.isTerminal)
      await cli.printNote(isIdle ? 'Nothing to do: the stored orders match the file.' : planInWords(orders));
    const results = orders.map((order) =>
      order.actions.length === 0 ? { ...order, outcome: 'nothing_to_do' as const } : order,
    );
    return cli.printResult(await documentOf(cli, results), tableOf(results));
  }
  const question = `Apply this plan to the orders of ${serviceInWords(await cli.service())}: ${planInWords(orders)}`;
  await assertConfirmed(cli, question);
  await assertPlanUnchanged(cli, given, declared, orders);
  return applyPlan(cli, orders);
};

/** `order apply`. */
export const apply: Command = {
  words: ['order', 'apply'],
  summary: 'Create and change orders to match a file',
  about: [
    'FILE has the format of bursar order export.',
    'Compares the file with the stored orders, shows the changes, and asks before it applies them. Without a terminal, --yes confirms.',
    'If the orders change during the question, nothing is sent (exit 2).',
    'An entry with an id changes that order. An entry without an id matches the stored order with the same fields, otherwise it creates one.',
    'New orders get the defaults of order create. Applying the same file twice changes nothing.',
    'Fields that the file omits keep their values, and no order is deleted.',
    'Fields that are not in the document of the service are refused; use order update --body for them.',
    'The service merges lists by index, so a list cannot become shorter (exit 2). Too many new orders for the free slots are exit 7.',
    'After a failure the rest is not sent. Apply the file again to continue.',
  ],
  options: [
    {
      flag: '--file',
      short: '-f',
      value: 'FILE',
      isRequired: true,
      readsStdin: true,
      description: 'Orders as YAML or JSON',
      question: 'File with the orders',
    },
    { flag: '--disable-others', description: 'Deactivate the orders that are not in the file' },
  ],
  examples: ['order apply --file orders.yaml --dry-run', 'order apply --file - --yes --json < orders.json'],
  calls: ['order.list', 'order.create', 'order.update', 'order.toggle'],
  fails: ['not_found'],
  supportsDryRun: true,
  run,
};
