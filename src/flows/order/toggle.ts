import { type Client, call, type Input } from '../../client/call.ts';
import { toggle } from '../../contract/order/toggle.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { nextStep } from '../../core/next.ts';
import { type CallResult, isForeignLimit, isUnclear, readingBack, withFindings, withoutAnswer } from '../read-back.ts';
import { findOrder, notListed } from './rows.ts';

/** Says what is going on, where it is not what it should be. */
type Tell = (line: string) => Promise<void>;

const MAX_CALLS = 3;

/** A call that was given up may still be on its way: what is read at once may not be the end. */
const SETTLE_MS = 500;

const word = (active: boolean): string => (active ? 'active' : 'not active');

const activeIn = ({ data, status }: CallResult): boolean | undefined => {
  if (isJsonObject(data) && typeof data['active'] === 'boolean') return data['active'];
  return status === 'order_activated' ? true : status === 'order_deactivated' ? false : undefined;
};

/** What one call came to: its answer, or what the order was read back as after the loss. */
type Flip =
  | { readonly envelope: CallResult; readonly active: boolean | undefined }
  | { readonly envelope?: never; readonly lost: Failure; readonly active: boolean };

const flip = async (client: Client, input: Input, tell: Tell): Promise<Flip> => {
  const { clock, interrupted } = client.io;
  try {
    const envelope = await call(client, toggle, input);
    return { envelope, active: activeIn(envelope) };
  } catch (error) {
    if (!isUnclear(error)) throw error;
    await tell(`the answer was lost (${error.sentence}); reading the order back`);
    await clock.sleep(SETTLE_MS, interrupted);
    const row = await readingBack(error, () => findOrder(client, String(input['order_id'])));
    if (row) return { lost: error, active: row.active };
    throw withFindings(error, { hint: 'The order is not in the list any more.', next: nextStep('order.list.all') });
  }
};

/** `isFirm`: it counts also against somebody who switches the order meanwhile. */
type Wanted = { readonly active: boolean; readonly isFirm: boolean };

const settle = async (
  client: Client,
  input: Input,
  { active: wanted, isFirm }: Wanted,
  tell: Tell,
): Promise<CallResult> => {
  let isDoubted = isFirm;
  for (let calls = 1; ; calls += 1) {
    const done = await flip(client, input, tell);
    const { envelope, active } = done;
    isDoubted ||= !envelope;
    // Without a loss the answer is the truth, also where somebody else has switched it meanwhile.
    if (envelope && (!isDoubted || active !== !wanted || calls >= MAX_CALLS)) return envelope;
    if (active === wanted) {
      await tell(`the order is ${word(wanted)}, as it should be`);
      const status = wanted ? 'order_activated' : 'order_deactivated';
      return withoutAnswer('read_back', status, { id: input['order_id'], active });
    }
    // Who says that there are too many calls is not called again.
    if (!envelope && (calls >= MAX_CALLS || isForeignLimit(done.lost))) {
      const often = calls === 1 ? 'once' : `${calls} times`;
      throw withFindings(done.lost, { hint: `It was called ${often}, and the order is still ${word(!wanted)}.` });
    }
    await tell(`the order is still ${word(!wanted)}; switching it again`);
  }
};

/**
 * Switches an order. What it should become is known before, so that a lost answer is settled by reading: the call is
 * made again only when the list shows that it did not happen. Ends in the state that was asked, or throws.
 */
export const toggleOrder = async (client: Client, input: Input, tell: Tell): Promise<CallResult> => {
  const before = await findOrder(client, String(input['order_id']));
  if (!before) return call(client, toggle, input);
  return settle(client, input, { active: !before.active, isFirm: false }, tell);
};

/** Whether an order is on. Throws `not_found` where the list of the account does not have it. */
export const isActive = async (client: Client, id: string): Promise<boolean> => {
  const row = await findOrder(client, id);
  if (!row) throw notListed(id);
  return row.active;
};

/** Has an order switched on or off. `wasSo` says that it was like that before, so that nothing was sent. */
export const setOrder = async (
  client: Client,
  id: string,
  wanted: boolean,
  tell: Tell,
): Promise<{ readonly answered: CallResult; readonly wasSo: boolean }> => {
  if ((await isActive(client, id)) === wanted) {
    const status = wanted ? 'order_activated' : 'order_deactivated';
    return { answered: withoutAnswer('unchanged', status, { id, active: wanted }), wasSo: true };
  }
  const answered = await settle(client, { order_id: id }, { active: wanted, isFirm: true }, tell);
  if (activeIn(answered) !== !wanted) return { answered, wasSo: false };
  throw new Failure('unexpected_answer', `the order is ${word(!wanted)} again: somebody else switches it too`, {
    data: answered.data,
    next: nextStep('order.list.all'),
  });
};
