import { isJsonObject } from '../../core/json.ts';
import type { OrderFields } from './order.ts';

/** Lists whose entries are merged one by one with the stored ones. Document: PATCH /order/{order_id}. */
const MERGED_BY_INDEX: readonly string[] = ['order_items', 'split_payment_config'];

/** Objects whose fields are merged with the stored ones, one level deep. */
const MERGED_SHALLOW: readonly string[] = ['subscription_payment_config'];

/** Assumption: an entry is merged as an object; a stored entry beyond the sent ones stays, a sent one beyond is added. */
const mergeEntry = (stored: unknown, sent: unknown): unknown =>
  isJsonObject(stored) && isJsonObject(sent) ? { ...stored, ...sent } : sent;

const mergeList = (stored: readonly unknown[], sent: readonly unknown[]): readonly unknown[] => [
  ...sent.map((entry, index) => mergeEntry(stored[index], entry)),
  ...stored.slice(sent.length),
];

const mergeField = (name: string, stored: unknown, sent: unknown): unknown => {
  if (MERGED_BY_INDEX.includes(name) && Array.isArray(stored) && Array.isArray(sent)) return mergeList(stored, sent);
  return MERGED_SHALLOW.includes(name) ? mergeEntry(stored, sent) : sent;
};

/** Stored fields with an update's. What is neither such a list nor such an object is replaced whole. */
export const mergeFields = (stored: OrderFields, sent: OrderFields): OrderFields => ({
  ...stored,
  ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, mergeField(name, stored[name], value)])),
});
