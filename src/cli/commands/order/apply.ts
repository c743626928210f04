import { escapeText } from '../../../core/escape.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import { type Applied, applyOrders } from '../../../flows/order/apply.ts';
import type { Declared } from '../../../flows/order/declared.ts';
import { planOrders } from '../../../flows/order/plan.ts';
import type { Action, Planned } from '../../../flows/order/planned.ts';
import { type OrderRow, readOrders } from '../../../flows/order/rows.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { walletsIn, wrongReceivers } from '../../operations/check-receivers.ts';
import { refuseCurl } from '../../print/dry-run.ts';
import { printsSteps, step } from '../../print/steps.ts';
import { serviceInWords } from '../../prompt/confirming.ts';
import { readOrderFile, wrongOrders } from './file.ts';
import { MAX_ORDERS } from './shared.ts';
import { changeLines } from './show-difference.ts';

/** Orders are never deleted, so a slot that is taken stays taken. */
const assertRoom = (stored: readonly OrderRow[], orders: readonly Planned[]): void => {
  const wanted = orders.filter(({ actions }) => actions.includes('create')).length;
  const left = Math.max(0, MAX_ORDERS - stored.length);
  if (wanted <= left) return;
  throw new Failure(
    'limit_reached',
    `nothing was sent: ${wanted} orders would be created, and ${left} of ${MAX_ORDERS} slots are left`,
    {
      hint: `An account has at most ${MAX_ORDERS} orders, those that are switched off included; none can be deleted. Give an entry the id of an order that is not needed any more, and it becomes that one.`,
      next: nextStep('order.list.all'),
    },
  );
};

/** What has to be done for the stored orders to be as the file says. Throws for a file that cannot be applied. */
const planned = async (
  cli: CommandContext,
  given: ParsedArgs,
  declared: readonly Declared[],
): Promise<readonly Planned[]> => {
  const client = await cli.client();
  const stored = await cli.io.spin('Reading the orders', readOrders(client));
  const { orders, problems } = planOrders(declared, stored, boolArg(given, 'disable-others'));
  if (problems.length > 0) throw wrongOrders(problems);
  assertRoom(stored, orders);
  return orders;
};

/** Somebody may have changed orders while the question stood there: what was shown is what is done, or nothing. */
const assertSame = async (
  cli: CommandContext,
  given: ParsedArgs,
  declared: readonly Declared[],
  shown: readonly Planned[],
) => {
  if (printJson(await planned(cli, given, declared)) === printJson(shown)) return;
  throw new Failure('invalid_input', 'nothing was sent: the stored orders have changed since the plan was made', {
    hint: 'Apply the file again, and check the new plan.',
  });
};

type Result = Planned & { readonly outcome?: Applied['outcome'] | 'planned'; readonly done?: readonly Action[] };

/** An order of the answer. A file counts its orders from 0, as errors do. */
const rowOf = ({ at, id, actions, changes, outcome = 'planned', done }: Result) => ({
  order: at ?? null,
  id: id ?? null,
  actions,
  outcome,
  ...(done && { done }),
  changes,
});

/** What became of each order, or is to become of it, for scripts. */
const answerOf = async (cli: CommandContext, results: readonly Result[]) => {
  const { profile, kind } = await cli.service();
  return { orders: results.map(rowOf), profile, kind };
};

/** The same as a list. */
const tableOf = (results: readonly Result[]) =>
  results.map(rowOf).map(({ order, id, actions, outcome }) => ({ order, id, actions: actions.join(' '), outcome }));

/** A run that stopped: how far it came, and that what is done is not done twice. */
const incomplete = (failure: Failure, applied: readonly Applied[], document: unknown): Failure => {
  const todo = applied.filter(({ actions }) => actions.length > 0);
  const done = todo.filter(({ outcome }) => outcome === 'done').length;
  const hint = `${done} of ${todo.length} orders are done. Applied again, what is done is not done twice. ${failure.details.hint ?? ''}`;
  return new Failure(failure.code, failure.sentence, {
    ...failure.details,
    hint: hint.trim(),
    data: document,
    cause: failure,
  });
};

const SIGNS = { create: '+', update: '~', enable: '~', disable: '~' } as const;

const headline = ({ at, id, actions }: Planned): string => {
  const what = actions.join(' and ');
  const which = id ?? 'a new order';
  const where = at === undefined ? 'not in the file' : `orders.${at}`;
  return `${SIGNS[actions[0] ?? 'update']} ${what} ${escapeText(which)} (${where})`;
};

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '    ');

/** How many are created, changed and left. */
const planInWords = (orders: readonly Planned[]): string => {
  const count = (wanted: (order: Planned) => boolean) => orders.filter(wanted).length;
  const created = count(({ actions }) => actions.includes('create'));
  const left = count(({ actions }) => actions.length === 0);
  return `${created} to create, ${orders.length - created - left} to change, ${left} as they should be.`;
};

/** A plan for a person: each order that something is done about, and what changes in it. */
const planLines = (cli: CommandContext, orders: readonly Planned[]): string =>
  orders
    .filter(({ actions }) => actions.length > 0)
    .map((order) => `${headline(order)}\n${indented(changeLines(cli, order.changes))}`)
    .join('');

/** A list that is new as a whole is one change, and so is an entry of it. */
const isChanged = ({ changes }: Planned, field: string): boolean =>
  changes.some(({ path }) => field === path || field.startsWith(`${path}.`));

const wrongIn = (cli: CommandContext, order: Planned): Promise<readonly FieldError[]> => {
  const changed = walletsIn(order.send).filter(([field]) => isChanged(order, field));
  const placed = changed.map(([field, wallet]) => [`orders.${order.at}.${field}`, wallet] as const);
  return wrongReceivers(cli, placed, order.send['to_chain']);
};

/** Throws `invalid_input` with every receiver that would be new and is wrong. What is stored already is left alone. */
const checkPlanned = async (cli: CommandContext, orders: readonly Planned[]): Promise<void> => {
  const errors: FieldError[] = [];
  for (const order of orders) errors.push(...(await wrongIn(cli, order)));
  if (errors.length > 0) throw wrongOrders(errors);
};

const carryOut = async (cli: CommandContext, orders: readonly Planned[]): Promise<void> => {
  const on = async (_: Planned, action: Action, id: string) =>
    printsSteps(cli) ? cli.io.stderr.write(`${step(cli, `${action}d`, id)}\n`) : undefined;
  const tell = (line: string) => cli.say(escapeText(line));
  const { applied, failure } = await applyOrders({ client: await cli.client(), tell, on }, orders);
  const document = await answerOf(cli, applied);
  if (!failure || !cli.globals.failsAsJson) await cli.printCommitted(document, tableOf(applied));
  if (failure) throw incomplete(failure, applied, document);
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const path = required({ '--file': stringArg(given, 'file') })['--file'];
  refuseCurl(cli, 'order apply is several requests');
  const declared = await readOrderFile(cli, path);
  const orders = await planned(cli, given, declared);
  await checkPlanned(cli, orders);
  const isIdle = orders.every(({ actions }) => actions.length === 0);
  if (cli.io.stderr.isTerminal && !isIdle && !cli.globals.quiet) await cli.io.stderr.write(planLines(cli, orders));
  if (isIdle || cli.globals.dryRun) {
    if (cli.io.stderr.isTerminal)
      await cli.say(isIdle ? 'Nothing to do: the orders are as the file says.' : planInWords(orders));
    const results = orders.map((order) =>
      order.actions.length === 0 ? { ...order, outcome: 'nothing_to_do' as const } : order,
    );
    return cli.printResult(await answerOf(cli, results), tableOf(results));
  }
  const question = `Apply it to the orders of ${serviceInWords(await cli.service())}: ${planInWords(orders)}`;
  if (!(await cli.confirm(question))) throw new Failure('declined', 'not confirmed; nothing was sent');
  await assertSame(cli, given, declared, orders);
  return carryOut(cli, orders);
};

/** `order apply`. */
export const apply: Command = {
  words: ['order', 'apply'],
  summary: 'Make the stored orders as a file says',
  about: [
    'The file is what bursar order export writes. It is held against the stored orders, what would change is shown, and on a terminal asked about; elsewhere --yes stands for the answer. Orders that have changed since then stop it (exit 2). Applied a second time it does nothing.',
    'An order is known by its id. An entry without one has all that a new order needs, with the defaults of order create: it is the stored order that has all its fields, or a new one. Fields that the file does not name stay as they are, and nothing is ever deleted. A field that the document of the service does not name is refused; order update --body sends it.',
    'The service merges lists by their places, so a list cannot become shorter: that is refused before anything is sent (exit 2). More new orders than slots are left is exit 7. After a failure the rest is not sent; apply the file again.',
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
    { flag: '--disable-others', description: 'Switch off the orders that the file does not name' },
  ],
  examples: ['order apply --file orders.yaml --dry-run', 'order apply --file - --yes --json < orders.json'],
  calls: ['order.list', 'order.create', 'order.update', 'order.toggle'],
  fails: ['not_found'],
  supportsDryRun: true,
  run,
};
