import type { FieldError } from '../../../core/failure.ts';
import type { Planned } from '../../../flows/order/planned.ts';
import type { CommandContext } from '../../context/context.ts';
import { walletsIn, wrongReceivers } from '../../operations/check-receivers.ts';
import { wrongOrders } from './file.ts';

/** A list that is new as a whole is one change, and so is an entry of it. */
const isChanged = ({ changes }: Planned, field: string): boolean =>
  changes.some(({ path }) => field === path || field.startsWith(`${path}.`));

const wrongIn = (cli: CommandContext, order: Planned): Promise<readonly FieldError[]> => {
  const changed = walletsIn(order.send).filter(([field]) => isChanged(order, field));
  const placed = changed.map(([field, wallet]) => [`orders.${order.at}.${field}`, wallet] as const);
  return wrongReceivers(cli, placed, order.send['to_chain']);
};

/** Throws `invalid_input` with every receiver that would be new and is wrong. What is stored already is left alone. */
export const checkPlanned = async (cli: CommandContext, orders: readonly Planned[]): Promise<void> => {
  const errors: FieldError[] = [];
  for (const order of orders) errors.push(...(await wrongIn(cli, order)));
  if (errors.length > 0) throw wrongOrders(errors);
};
