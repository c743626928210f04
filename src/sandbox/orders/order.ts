import * as z from 'zod';
import { type DataOf, validate } from '../../contract/define.ts';
import { oneOf } from '../../contract/fields.ts';
import { create } from '../../contract/order/create.ts';
import type { update } from '../../contract/order/update.ts';
import { GATEWAY_METHODS } from '../../contract/pay/shared.ts';
import { compareDecimals, isDecimal } from '../../core/decimal.ts';
import type { FieldError } from '../../core/failure.ts';
import { isJsonObject, parseJson, printJson } from '../../core/json.ts';
import { FIATS, MAX_ORDER_BYTES } from '../assumptions.ts';
import type { ValidationResult } from '../handlers/handler.ts';
import type { Filters, OrderRow } from '../ledger/orders.ts';

/** The fields of an order as its requests sent them, also unknown fields. */
export type OrderFields = Readonly<Record<string, unknown>>;

/** An order in an answer. Document: Order. */
type Order = DataOf<typeof update, 'order_updated'>;

/** Fields of an order that only the service sets. */
const OWN_FIELDS = ['id', 'order_id', 'active', 'created_at', 'updated_at'];

/** The fields of a request to store, without the fields that only the service sets. */
export const storableFields = (input: OrderFields): OrderFields =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !OWN_FIELDS.includes(name)));

/** The stored fields of an order. */
export const fieldsOf = (row: OrderRow): OrderFields => parseJson(row.fields) as OrderFields;

/** The columns for the fields of an order. */
export const columnsOf = (fields: OrderFields) => ({
  gateway_method: String(fields['gateway_method']),
  on_ramp: Number(fields['on_ramp'] === true),
  fields: printJson(fields),
});

/** An order as answers show it. Assumption: creation fields, `id`, `active` and two times. */
export const orderView = (row: Pick<OrderRow, 'id' | 'active' | 'fields' | 'created_at' | 'updated_at'>): Order => ({
  ...(parseJson(row.fields) as Order),
  id: row.id,
  active: row.active === 1,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** Lists that an update merges entry by entry with the stored list. Document: PATCH /order/{order_id}. */
const MERGED_BY_INDEX: readonly string[] = ['order_items', 'split_payment_config'];

/** Objects that an update merges with the stored object, one level deep. */
const MERGED_SHALLOW: readonly string[] = ['subscription_payment_config'];

/** Merges a sent object with the stored object. Any other sent value replaces the stored value. */
const mergeEntry = (stored: unknown, sent: unknown): unknown =>
  isJsonObject(stored) && isJsonObject(sent) ? { ...stored, ...sent } : sent;

/** Assumption: entries merge by index. Further stored entries stay, and further sent entries are added. */
const mergeList = (stored: readonly unknown[], sent: readonly unknown[]): readonly unknown[] => [
  ...sent.map((entry, index) => mergeEntry(stored[index], entry)),
  ...stored.slice(sent.length),
];

const mergeField = (name: string, stored: unknown, sent: unknown): unknown => {
  if (MERGED_BY_INDEX.includes(name) && Array.isArray(stored) && Array.isArray(sent)) return mergeList(stored, sent);
  return MERGED_SHALLOW.includes(name) ? mergeEntry(stored, sent) : sent;
};

/** The stored fields with the fields of an update. Fields outside the two lists above are replaced. */
export const mergeFields = (stored: OrderFields, sent: OrderFields): OrderFields => ({
  ...stored,
  ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, mergeField(name, stored[name], value)])),
});

const problem = (isWrong: boolean, field: string, message: string): readonly FieldError[] =>
  isWrong ? [{ field, message }] : [];

/**
 * The problems of an order before it is stored. An update is checked after the merge, because only the merged split
 * must sum to 100.
 */
export const problemsOfOrder = (fields: OrderFields): readonly FieldError[] => {
  const valid = validate(create, fields);
  if (!valid.ok) return valid.problems.map(({ field, message }) => ({ field, message }));
  const { from_currency_symbol: fiat, amount_from: amount } = fields;
  const isPositive = typeof amount === 'string' && isDecimal(amount) && compareDecimals(amount, '0') > 0;
  return [
    ...problem(!FIATS.includes(String(fiat)), 'from_currency_symbol', `must be one of ${FIATS.join(', ')}`),
    ...problem(!isPositive, 'amount_from', 'must be more than 0'),
    ...problem(printJson(fields).length > MAX_ORDER_BYTES, 'body', `an order has at most ${MAX_ORDER_BYTES} bytes`),
  ];
};

/** The filters of the list. They are not in the contract, because the document does not show their names. */
const filters = z.object({
  gateway_method: oneOf(GATEWAY_METHODS, 'Only orders of this kind').optional(),
  on_ramp: z
    .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', error: 'must be true or false' })
    .optional(),
});

/** Reads the two filters out of a query, or returns the wrong fields. */
export const readFilters = (query: Readonly<Record<string, unknown>>): ValidationResult<Filters> => {
  const parsed = filters.safeParse(query);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, errors: parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })) };
};
