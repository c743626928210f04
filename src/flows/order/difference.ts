import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import { digitsOf, isJsonObject } from '../../core/json.ts';
import { isSameText } from '../../core/text.ts';
import type { OrderFields } from './merged.ts';

/** One changed value of an order: its path, such as `split_payment_config.0.receiver_percent`, and both values. */
export type Change = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** Every changed value, in the order of `after`. Equal numbers in different forms (49.9 and 49.90) are no change. */
export const differenceOf = (before: unknown, after: unknown, path = ''): readonly Change[] => {
  if (isSame(before, after)) return [];
  const [old, now] = [partsOf(before), partsOf(after)];
  const isComparable = old && now && Array.isArray(before) === Array.isArray(after);
  if (!isComparable) return [{ path, before, after }];
  const names = [...new Set([...now.keys(), ...old.keys()])];
  return names.flatMap((name) => differenceOf(old.get(name), now.get(name), path === '' ? name : `${path}.${name}`));
};

/** The values of an order that does not exist yet, as changes. */
export const differenceOfNew = (fields: OrderFields): readonly Change[] => differenceOf({}, fields);

/** The names of the fields that are not stored as they were sent. */
export const differingFields = (sent: OrderFields, stored: OrderFields): readonly string[] =>
  Object.keys(sent).filter((name) => !isFieldStored(name, sent[name], stored[name]));

const partsOf = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (Array.isArray(value)) return new Map(value.map((part, at) => [String(at), part]));
  return isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
};

const comparableText = (value: unknown): string | undefined => (typeof value === 'string' ? value : digitsOf(value));

/** The service may write 49.9 for 49.90. */
const isSameValue = (a: string, b: string): boolean =>
  a === b || (isDecimal(a) && isDecimal(b) && compareDecimals(a, b) === 0);

/** Whether `stored` contains everything of `sent`: stored objects may have more fields, lists may not be longer. */
const isStoredIn = (sent: unknown, stored: unknown): boolean => {
  if (sent === undefined) return true;
  if (Array.isArray(sent)) {
    return (
      Array.isArray(stored) && stored.length === sent.length && sent.every((one, at) => isStoredIn(one, stored[at]))
    );
  }
  if (isJsonObject(sent)) {
    return isJsonObject(stored) && Object.entries(sent).every(([name, one]) => isStoredIn(one, stored[name]));
  }
  const [a, b] = [comparableText(sent), comparableText(stored)];
  return a === undefined || b === undefined ? sent === stored : isSameValue(a, b);
};

const isSame = (a: unknown, b: unknown): boolean => a === b || (isStoredIn(a, b) && isStoredIn(b, a));

/** The service may store these in capitals. */
const CASE_INSENSITIVE: readonly string[] = ['from_currency_symbol', 'to_currency_symbol'];

const isFieldStored = (name: string, sent: unknown, stored: unknown): boolean => {
  const isText = typeof sent === 'string' && typeof stored === 'string';
  return (CASE_INSENSITIVE.includes(name) && isText && isSameText(sent, stored)) || isStoredIn(sent, stored);
};
