import { create } from '../../contract/order/create.ts';
import { sumsTo100 } from '../../contract/rules.ts';
import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import { Failure } from '../../core/failure.ts';
import { digitsOf, isExactNumber, isJsonObject } from '../../core/json.ts';
import { isSameText } from '../../core/text.ts';
import type { OrderRow } from './rows.ts';

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

/** An entry of an order file: the fields of `order create`, the id if it has one, and the active state. */
export type DeclaredOrder = {
  readonly id: string | undefined;
  readonly active: boolean | undefined;
  readonly fields: OrderFields;
};

const DOCUMENTED_FIELDS: readonly string[] = Object.keys(create.body ?? {});

/** Fields that cannot be written: the service sets them, or toggle changes them. */
const READ_ONLY_FIELDS: readonly string[] = ['id', 'active', 'order_id', 'created_at', 'updated_at'];

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value) || isExactNumber(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]));
};

/**
 * A stored order as an entry of a file, with the documented fields in the order of the document. Other fields may change
 * without the user, so they are omitted and listed in `omitted`.
 */
export const declaredOf = (row: OrderRow, isPortable: boolean) => {
  const present = DOCUMENTED_FIELDS.filter((name) => row[name] !== undefined && row[name] !== null);
  const fields = Object.fromEntries(present.map((name) => [name, withoutNulls(row[name])]));
  const isOmitted = (name: string) => !DOCUMENTED_FIELDS.includes(name) && !READ_ONLY_FIELDS.includes(name);
  const declared: OrderFields = { ...(isPortable ? {} : { id: row.id }), active: row.active, ...fields };
  return { declared, omitted: Object.keys(row).filter(isOmitted) };
};

/** Reads an entry of a file; returns a list of errors for an invalid one. */
export const readDeclared = (entry: unknown): DeclaredOrder | readonly { field: string; message: string }[] => {
  if (!isJsonObject(entry)) return [{ field: '', message: 'must be an object with the fields of an order' }];
  const { id, active, ...fields } = entry;
  const readOnly = Object.keys(fields).filter((name) => READ_ONLY_FIELDS.includes(name));
  const problems = [
    ...(id === undefined || (typeof id === 'string' && id !== '') ? [] : [{ field: 'id', message: 'must be text' }]),
    ...(active === undefined || typeof active === 'boolean'
      ? []
      : [{ field: 'active', message: 'must be true or false' }]),
    ...readOnly.map((field) => ({ field, message: 'is set by the service; remove it' })),
  ];
  if (problems.length > 0) return problems;
  return { id: id as string | undefined, active: active as boolean | undefined, fields };
};
