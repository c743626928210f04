import type { Client } from '../../client/call.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { briefly } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { withFindings } from '../read-back.ts';
import { differingFields } from './alike.ts';
import type { Planned } from './planned.ts';
import { findOrder, type OrderRow } from './rows.ts';

const wayOn = ({ at }: Planned, id: string) => ({
  hint: `The order was created. Write its id into orders.${at} of the file (id: ${id}), then apply the file again: without the id a second order could be created.`,
  next: nextStep('order.list.all'),
});

const readCreated = async (client: Client, order: Planned, id: string): Promise<OrderRow | undefined> => {
  try {
    return await findOrder(client, id);
  } catch (error) {
    throw isFailure(error) ? withFindings(error, wayOn(order, id)) : error;
  }
};

/**
 * Throws where a new order is not stored as it was sent: an entry without an id is known by its fields alone, so the next
 * run would take it for another order, and create it again.
 */
export const assertKept = async (client: Client, order: Planned, id: string): Promise<void> => {
  const row = await readCreated(client, order, id);
  if (!row) throw new Failure('unexpected_answer', `the list does not have the new order ${id}`, wayOn(order, id));
  const names = differingFields(order.send, row);
  if (names.length === 0) return;
  throw new Failure('unexpected_answer', `the service stored the new order ${id} in its own way`, {
    ...wayOn(order, id),
    errors: names.map((name) => ({
      field: `orders.${order.at}.${name}`,
      message: `${briefly(order.send[name])} is stored as ${briefly(row[name] ?? null)}`,
    })),
  });
};
