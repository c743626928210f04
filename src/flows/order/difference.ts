import { isJsonObject } from '../../core/json.ts';
import { isStoredIn } from './alike.ts';
import type { OrderFields } from './merged.ts';

/** One leaf of an order that differs: its path, such as `split_payment_config.0.receiver_percent`, and both values. */
export type Change = { readonly path: string; readonly before: unknown; readonly after: unknown };

const isSame = (a: unknown, b: unknown): boolean => a === b || (isStoredIn(a, b) && isStoredIn(b, a));

const partsOf = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (Array.isArray(value)) return new Map(value.map((part, at) => [String(at), part]));
  return isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
};

/** Every leaf that differs, in the order of the newer value. What both write differently alone (49.9 and 49.90) is no change. */
export const differenceOf = (before: unknown, after: unknown, path = ''): readonly Change[] => {
  if (isSame(before, after)) return [];
  const [old, now] = [partsOf(before), partsOf(after)];
  const isComparable = old && now && Array.isArray(before) === Array.isArray(after);
  if (!isComparable) return [{ path, before, after }];
  const names = [...new Set([...now.keys(), ...old.keys()])];
  return names.flatMap((name) => differenceOf(old.get(name), now.get(name), path === '' ? name : `${path}.${name}`));
};

/** The leaves of an order that does not exist yet. */
export const differenceOfNew = (fields: OrderFields): readonly Change[] => differenceOf({}, fields);
