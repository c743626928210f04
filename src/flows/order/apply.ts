import { type Client, dataOf } from '../../client/call.ts';
import { create } from '../../contract/order/create.ts';
import { Failure, isFailure } from '../../core/failure.ts';
import { briefly } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { withFindings } from '../read-back.ts';
import { differingFields } from './alike.ts';
import type { Action, Planned } from './planned.ts';
import { findOrder, type OrderRow } from './rows.ts';
import { setOrder } from './toggle.ts';
import { createOrder, updateOrder } from './write.ts';

/** How far an order got: `unknown` is a change whose answer was lost and could not be read back. */
export type Outcome = 'done' | 'nothing_to_do' | 'failed' | 'unknown' | 'not_sent';

/** What was planned for an order, and how far that got; `done` are the actions that surely happened. */
export type Applied = Planned & { readonly outcome: Outcome; readonly done: readonly Action[] };

/** What changes of orders are made with, and to whom they are told. */
export type Applying = {
  readonly client: Client;
  /** What is going on, where it is not what it should be. */
  readonly tell: (line: string) => Promise<void>;
  readonly on: (order: Planned, action: Action, id: string) => Promise<void>;
};

const act = async ({ client, tell }: Applying, action: Action, order: Planned, id: string): Promise<string> => {
  switch (action) {
    case 'create':
      return dataOf(create, 'order_created', await createOrder(client, order.send)).order_id;
    case 'update':
      await updateOrder(client, { ...order.send, order_id: id });
      return id;
    case 'enable':
    case 'disable':
      await setOrder(client, id, action === 'enable', tell);
      return id;
    default: {
      const never: never = action;
      return never;
    }
  }
};

type Ended = { readonly applied: Applied; readonly failure?: Failure };

const applyOne = async (applying: Applying, order: Planned): Promise<Ended> => {
  const done: Action[] = [];
  let { id } = order;
  try {
    for (const action of order.actions) {
      id = await act(applying, action, order, id ?? '');
      done.push(action);
      await applying.on(order, action, id);
    }
    if (id !== undefined && done.includes('create')) await assertKept(applying.client, order, id);
    return { applied: { ...order, id, done, outcome: order.actions.length === 0 ? 'nothing_to_do' : 'done' } };
  } catch (error) {
    if (!isFailure(error)) throw error;
    const outcome = error.details.isUnclear ? 'unknown' : 'failed';
    return { applied: { ...order, id, done, outcome }, failure: error };
  }
};

/**
 * Does what was planned, one order after the other, and stops at the first failure: what follows might build on it.
 * Run again, what is done is not done twice.
 */
export const applyOrders = async (
  applying: Applying,
  orders: readonly Planned[],
): Promise<{ readonly applied: readonly Applied[]; readonly failure: Failure | undefined }> => {
  const applied: Applied[] = [];
  let failure: Failure | undefined;
  for (const order of orders) {
    if (failure && order.actions.length > 0) applied.push({ ...order, done: [], outcome: 'not_sent' });
    else {
      const ended = await applyOne(applying, order);
      applied.push(ended.applied);
      failure ??= ended.failure;
    }
  }
  return { applied, failure };
};

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
const assertKept = async (client: Client, order: Planned, id: string): Promise<void> => {
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
