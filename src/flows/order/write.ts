import { type Client, call, type Input } from '../../client/call.ts';
import type { Envelope } from '../../client/envelope.ts';
import { create } from '../../contract/order/create.ts';
import { toggle } from '../../contract/order/toggle.ts';
import { update } from '../../contract/order/update.ts';
import { Failure, withDetails } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { type CallResult, isForeignLimit, isUnclear, readingBack, withoutAnswer } from '../read-back.ts';
import { differingFields, mergedOrder } from './difference.ts';
import { findOrder, notListed, type OrderRow, readOrders } from './rows.ts';

const idAndTime = ({ id, ...row }: OrderRow): string =>
  typeof row['created_at'] === 'string' ? `${id} (${row['created_at']})` : id;

/** Creates an order with one call. After a lost response, the failure names the stored orders that match it. */
export const createOrder = async (client: Client, input: Input): Promise<Envelope> => {
  try {
    return await call(client, create, input);
  } catch (error) {
    if (!isUnclear(error)) throw error;
    const rows = await readingBack(error, () => readOrders(client));
    const alike = rows.filter((row) => differingFields(input, row).length === 0);
    if (alike.length === 0) {
      const hint = 'The list has no such order. Check the list again before you repeat the command.';
      throw withDetails(error, { hint, next: nextStep('order.list') });
    }
    throw withDetails(error, {
      hint: `The list has these matching orders, newest first: ${alike.map(idAndTime).join(', ')}. If none of them is older, the order was created.`,
      next: nextStep('order.list'),
      data: { orders: alike },
    });
  }
};

/** Changes an order with one call. After a lost response, the list shows whether it had its effect. */
export const updateOrder = async (client: Client, input: Input): Promise<CallResult> => {
  const { order_id, ...changes } = input;
  try {
    return await call(client, update, input);
  } catch (error) {
    if (!isUnclear(error)) throw error;
    const row = await readingBack(error, () => findOrder(client, String(order_id)));
    if (row && differingFields(mergedOrder(row, changes), row).length === 0) {
      return withoutAnswer('read_back', 'order_updated', row);
    }
    const hint = row ? 'The list shows that the order is not changed.' : 'The order is not in the list.';
    throw withDetails(error, { hint, next: nextStep('order.list') });
  }
};

/** Prints a line about an unexpected event, such as a lost response. */
type Notify = (line: string) => Promise<void>;

const MAX_CALLS = 3;

/** A lost call may still be running at the service, so its effect may show only after this time. */
const SETTLE_MS = 500;

const inWords = (active: boolean): string => (active ? 'active' : 'inactive');

const activeIn = ({ data, status }: CallResult): boolean | undefined => {
  if (isJsonObject(data) && typeof data['active'] === 'boolean') return data['active'];
  return status === 'order_activated' ? true : status === 'order_deactivated' ? false : undefined;
};

/** The result of one call: its envelope, or the state that was read after a lost response. */
type FlipResult =
  | { readonly envelope: CallResult; readonly active: boolean | undefined }
  | { readonly envelope?: never; readonly lost: Failure; readonly active: boolean };

const flip = async (client: Client, input: Input, notify: Notify): Promise<FlipResult> => {
  const { clock, interrupted } = client.io;
  try {
    const envelope = await call(client, toggle, input);
    return { envelope, active: activeIn(envelope) };
  } catch (error) {
    if (!isUnclear(error)) throw error;
    await notify(`the response was lost (${error.sentence}); reading the order again`);
    await clock.sleep(SETTLE_MS, interrupted);
    const row = await readingBack(error, () => findOrder(client, String(input['order_id'])));
    if (row) return { lost: error, active: row.active };
    throw withDetails(error, { hint: 'The order is no longer in the list.', next: nextStep('order.list.all') });
  }
};

/** The wanted state. With `isEnforced` the call is repeated if another client toggles the order in between. */
type TargetState = { readonly active: boolean; readonly isEnforced: boolean };

const reachState = async (
  client: Client,
  input: Input,
  { active: wanted, isEnforced }: TargetState,
  notify: Notify,
): Promise<CallResult> => {
  let checksState = isEnforced;
  for (let calls = 1; ; calls += 1) {
    const result = await flip(client, input, notify);
    const { envelope, active } = result;
    checksState ||= !envelope;
    // Without a lost response, the first result is final, even if another client toggled the order.
    if (envelope && (!checksState || active !== !wanted || calls >= MAX_CALLS)) return envelope;
    if (active === wanted) {
      await notify(`the order is ${inWords(wanted)}, as requested`);
      const status = wanted ? 'order_activated' : 'order_deactivated';
      return withoutAnswer('read_back', status, { id: input['order_id'], active });
    }
    // A rate limit must not be answered with another call.
    if (!envelope && (calls >= MAX_CALLS || isForeignLimit(result.lost))) {
      const times = calls === 1 ? 'one call' : `${calls} calls`;
      throw withDetails(result.lost, { hint: `After ${times} the order is still ${inWords(!wanted)}.` });
    }
    await notify(`the order is still ${inWords(!wanted)}; toggling it again`);
  }
};

/**
 * Toggles an order. The state is read first, so that after a lost response the list shows whether the call had its
 * effect. The call is repeated only if it had none. Ends in the opposite state, or throws.
 */
export const toggleOrder = async (client: Client, input: Input, notify: Notify): Promise<CallResult> => {
  const before = await findOrder(client, String(input['order_id']));
  if (!before) return call(client, toggle, input);
  return reachState(client, input, { active: !before.active, isEnforced: false }, notify);
};

/** Whether an order is active. Throws `not_found` if it is not in the list. */
export const isActive = async (client: Client, id: string): Promise<boolean> => {
  const row = await findOrder(client, id);
  if (!row) throw notListed(id);
  return row.active;
};

/** Activates or deactivates an order. With `wasUnchanged` it had that state before, and nothing was sent. */
export const setOrder = async (client: Client, id: string, wanted: boolean, notify: Notify) => {
  if ((await isActive(client, id)) === wanted) {
    const status = wanted ? 'order_activated' : 'order_deactivated';
    return { result: withoutAnswer('unchanged', status, { id, active: wanted }), wasUnchanged: true };
  }
  const result = await reachState(client, { order_id: id }, { active: wanted, isEnforced: true }, notify);
  if (activeIn(result) !== !wanted) return { result, wasUnchanged: false };
  throw new Failure('unexpected_answer', `the order is ${inWords(!wanted)} again: another client toggles it too`, {
    data: result.data,
    next: nextStep('order.list.all'),
  });
};
