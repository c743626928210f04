import { sumsTo100 } from '../../contract/rules.ts';
import { Failure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';

/** The fields of an order, by the names of the service. */
export type OrderFields = Readonly<Record<string, unknown>>;

/**
 * Lists that the service merges with the stored ones, entry by entry. Document: PATCH /order/{order_id}. The name of the
 * split and the merge of entries as objects are not shown there; both are assumed to be as in payments.
 */
export const MERGED_BY_INDEX: readonly string[] = ['order_items', 'split_payment_config'];

/** Objects whose fields replace the stored ones, one level deep. Document: PATCH /order/{order_id}. */
const MERGED_SHALLOW: readonly string[] = ['subscription_payment_config'];

const mergedEntry = (stored: unknown, sent: unknown): unknown =>
  isJsonObject(stored) && isJsonObject(sent) ? { ...stored, ...sent } : sent;

const mergedField = (name: string, stored: unknown, sent: unknown): unknown => {
  if (MERGED_BY_INDEX.includes(name) && Array.isArray(stored) && Array.isArray(sent)) {
    return [...sent.map((entry, at) => mergedEntry(stored[at], entry)), ...stored.slice(sent.length)];
  }
  return MERGED_SHALLOW.includes(name) ? mergedEntry(stored, sent) : sent;
};

/** The order as it will be stored after an update. */
export const mergedOrder = <O extends OrderFields>(stored: O, sent: OrderFields): O => ({
  ...stored,
  ...Object.fromEntries(
    Object.entries(sent)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, mergedField(name, stored[name], value)]),
  ),
});

/** Throws `invalid_input` if the percentages, as they will be stored, do not sum to exactly 100. */
export const assertWholeSplit = (merged: OrderFields): void => {
  const errors = sumsTo100('split_payment_config').check(merged);
  const [first] = errors;
  if (!first) return;
  const count = (merged['split_payment_config'] as readonly unknown[]).length;
  throw new Failure('invalid_input', `nothing was sent: with the stored receivers the ${first.message}`, {
    errors,
    hint: `The service merges lists by index, so this split would have ${count} receivers. Give each of them a share, in the stored order.`,
  });
};
