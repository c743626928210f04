import { type Client, dataOf } from '../../client/call.ts';
import { create } from '../../contract/order/create.ts';
import { Failure, isFailure, withDetails } from '../../core/failure.ts';
import { briefly } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { differingFields } from './difference.ts';
import type { Action, PlannedOrder } from './plan.ts';
import { findOrder, type OrderRow } from './rows.ts';
import { createOrder, setOrder, updateOrder } from './write.ts';

/** The outcome of an order. `unknown`: the response to a change was lost, and the order could not be read again. */
export type ApplyOutcome = 'done' | 'nothing_to_do' | 'failed' | 'unknown' | 'not_sent';

/** A planned order with its outcome; `done` are the actions that certainly happened. */
export type AppliedOrder = PlannedOrder & { readonly outcome: ApplyOutcome; readonly done: readonly Action[] };

/** The dependencies of `applyOrders`. */
export type ApplyContext = {
  readonly client: Client;
  /** Prints a line about an unexpected event, such as a lost response. */
  readonly notify: (line: string) => Promise<void>;
  /** Called after each action. */
  readonly on: (order: PlannedOrder, action: Action, id: string) => Promise<void>;
};

const runAction = async ({ client, notify }: ApplyContext, action: Action, order: PlannedOrder, id: string) => {
  switch (action) {
    case 'create':
      return dataOf(create, 'order_created', await createOrder(client, order.send)).order_id;
    case 'update':
      await updateOrder(client, { ...order.send, order_id: id });
      return id;
    case 'enable':
    case 'disable':
      await setOrder(client, id, action === 'enable', notify);
      return id;
    default:
      return action satisfies never;
  }
};

type OrderOutcome = { readonly applied: AppliedOrder; readonly failure?: Failure };

const applyOne = async (context: ApplyContext, order: PlannedOrder): Promise<OrderOutcome> => {
  const done: Action[] = [];
  let { id } = order;
  try {
    for (const action of order.actions) {
      id = await runAction(context, action, order, id ?? '');
      done.push(action);
      await context.on(order, action, id);
    }
    if (id !== undefined && done.includes('create')) await assertStoredAsSent(context.client, order, id);
    return { applied: { ...order, id, done, outcome: order.actions.length === 0 ? 'nothing_to_do' : 'done' } };
  } catch (error) {
    if (!isFailure(error)) throw error;
    const outcome = error.details.isUnclear ? 'unknown' : 'failed';
    return { applied: { ...order, id, done, outcome }, failure: error };
  }
};

/**
 * Applies the plan, one order after the other, and stops at the first failure: later orders might depend on it. A second
 * run repeats nothing that is done.
 */
export const applyOrders = async (
  context: ApplyContext,
  orders: readonly PlannedOrder[],
): Promise<{ readonly applied: readonly AppliedOrder[]; readonly failure: Failure | undefined }> => {
  const applied: AppliedOrder[] = [];
  let failure: Failure | undefined;
  for (const order of orders) {
    if (failure && order.actions.length > 0) applied.push({ ...order, done: [], outcome: 'not_sent' });
    else {
      const one = await applyOne(context, order);
      applied.push(one.applied);
      failure ??= one.failure;
    }
  }
  return { applied, failure };
};

const afterCreation = ({ at }: PlannedOrder, id: string) => ({
  hint: `The order was created. Write its id into orders.${at} of the file (id: ${id}), then apply the file again. Without the id, a second order could be created.`,
  next: nextStep('order.list.all'),
});

const readCreated = async (client: Client, order: PlannedOrder, id: string): Promise<OrderRow | undefined> => {
  try {
    return await findOrder(client, id);
  } catch (error) {
    throw isFailure(error) ? withDetails(error, afterCreation(order, id)) : error;
  }
};

/**
 * Throws if a new order is not stored as it was sent. An entry without an id is matched by its fields, so the next run
 * would not match it and would create it again.
 */
const assertStoredAsSent = async (client: Client, order: PlannedOrder, id: string): Promise<void> => {
  const row = await readCreated(client, order, id);
  if (!row) throw new Failure('unexpected_answer', `the new order ${id} is not in the list`, afterCreation(order, id));
  const names = differingFields(order.send, row);
  if (names.length === 0) return;
  throw new Failure('unexpected_answer', `the service stored the new order ${id} with other values`, {
    ...afterCreation(order, id),
    errors: names.map((name) => ({
      field: `orders.${order.at}.${name}`,
      message: `${briefly(order.send[name])} is stored as ${briefly(row[name] ?? null)}`,
    })),
  });
};
