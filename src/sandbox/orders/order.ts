import type { DataOf } from '../../contract/define.ts';
import type { update } from '../../contract/order/update.ts';
import { parseJson, printJson } from '../../core/json.ts';
import type { OrderRow } from '../ledger/orders.ts';

/** The fields of an order as they were given, unknown ones too. */
export type OrderFields = Readonly<Record<string, unknown>>;

/** A stored order as the service shows it. */
type Order = DataOf<typeof update, 'order_updated'>;

/** Fields of the row that only the service sets. A request cannot. */
const OWN_FIELDS = ['id', 'order_id', 'active', 'created_at', 'updated_at'];

/** What a request says about an order, without what is not for it to say. */
export const givenFields = (input: OrderFields): OrderFields =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !OWN_FIELDS.includes(name)));

/** The stored fields of an order. */
export const fieldsOf = (row: OrderRow): OrderFields => parseJson(row.fields) as OrderFields;

/** The columns that hold the fields of an order. */
export const columnsOf = (fields: OrderFields) => ({
  gateway_method: String(fields['gateway_method']),
  on_ramp: Number(fields['on_ramp'] === true),
  fields: printJson(fields),
});

/** A row of the ledger as the service shows it. Assumption: creation fields, `id`, `active` and two times. */
export const orderView = (row: Pick<OrderRow, 'id' | 'active' | 'fields' | 'created_at' | 'updated_at'>): Order => ({
  ...(parseJson(row.fields) as Order),
  id: row.id,
  active: row.active === 1,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
