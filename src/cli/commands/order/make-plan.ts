import { Failure } from '../../../core/failure.ts';
import { printJson } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import type { Declared } from '../../../flows/order/declared.ts';
import { planOrders } from '../../../flows/order/plan.ts';
import type { Planned } from '../../../flows/order/planned.ts';
import { type OrderRow, readOrders } from '../../../flows/order/rows.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { wrongOrders } from './file.ts';
import { MAX_ORDERS } from './shared.ts';

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
export const planned = async (
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
export const assertSame = async (
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
