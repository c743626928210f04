import { escapeText } from '../../../core/escape.ts';
import { Failure } from '../../../core/failure.ts';
import { applyOrders } from '../../../flows/order/apply.ts';
import type { Action, Planned } from '../../../flows/order/planned.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { refuseCurl } from '../../print/dry-run.ts';
import { failsAsJson } from '../../print/exit.ts';
import { printsSteps, step } from '../../print/steps.ts';
import { serviceInWords } from '../../prompt/confirming.ts';
import { answerOf, incomplete, tableOf } from './applied.ts';
import { checkPlanned } from './check-planned.ts';
import { readOrderFile } from './file.ts';
import { assertSame, planned } from './make-plan.ts';
import { planInWords, planLines } from './show-plan.ts';

const carryOut = async (cli: CommandContext, orders: readonly Planned[]): Promise<void> => {
  const on = async (_: Planned, action: Action, id: string) =>
    printsSteps(cli) ? cli.io.stderr.write(`${step(cli, `${action}d`, id)}\n`) : undefined;
  const tell = (line: string) => cli.say(escapeText(line));
  const { applied, failure } = await applyOrders({ client: await cli.client(), tell, on }, orders);
  const document = await answerOf(cli, applied);
  if (!failure || !failsAsJson(cli.io)) await cli.printCommitted(document, tableOf(applied));
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
    { flag: '--file', short: '-f', value: 'FILE', description: 'Orders as YAML or JSON, - for stdin (required)' },
    { flag: '--disable-others', description: 'Switch off the orders that the file does not name' },
  ],
  examples: ['order apply --file orders.yaml --dry-run', 'order apply --file - --yes --json < orders.json'],
  calls: ['order.list', 'order.create', 'order.update', 'order.toggle'],
  fails: ['not_found'],
  supportsDryRun: true,
  run,
};
