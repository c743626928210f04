import type { Insertable, Selectable } from 'kysely';
import type { Ledger, Tables } from './ledger.ts';

/** A stored order. */
export type OrderRow = Selectable<Tables['orders']>;
/** An order to store. */
export type NewOrder = Insertable<Tables['orders']>;

/** Stores an order. Returns `false` and stores nothing when the tenant already has `limit` orders. */
export const insertOrder = (ledger: Ledger, order: NewOrder, limit: number): Promise<boolean> =>
  ledger.transaction().execute(async (step) => {
    const own = step.selectFrom('orders').where('tenant_id', '=', order.tenant_id);
    const { count } = await own.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    if (count >= limit) return false;
    await step.insertInto('orders').values(order).execute();
    return true;
  });

/** An order of a tenant by its id; `undefined` for an unknown id and for another tenant's order. */
const findOrder = (ledger: Ledger, tenant: string, id: string): Promise<OrderRow | undefined> =>
  ledger.selectFrom('orders').selectAll().where('id', '=', id).where('tenant_id', '=', tenant).executeTakeFirst();

/** Filters of a list of orders. A missing filter passes all orders. */
export type Filters = { readonly gateway_method?: string | undefined; readonly on_ramp?: boolean | undefined };

/** A query for one page of a tenant's orders. `page` counts from 1. */
export type OrderQuery = Filters & { readonly tenant: string; readonly limit: number; readonly page: number };

/** A page of a tenant's orders, newest first, and the number of orders on all pages. */
export const listOrders = async (
  ledger: Ledger,
  { tenant, gateway_method, on_ramp, limit, page }: OrderQuery,
): Promise<{ readonly rows: readonly OrderRow[]; readonly total: number }> => {
  let selected = ledger.selectFrom('orders').where('tenant_id', '=', tenant);
  if (gateway_method !== undefined) selected = selected.where('gateway_method', '=', gateway_method);
  if (on_ramp !== undefined) selected = selected.where('on_ramp', '=', Number(on_ramp));
  const { total } = await selected.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const skipped = (page - 1) * limit;
  if (skipped >= total) return { rows: [], total };
  const rows = await selected.selectAll().orderBy('seq', 'desc').limit(limit).offset(skipped).execute();
  return { rows, total };
};

/** The columns that a change of an order writes. */
export type OrderChange = Pick<NewOrder, 'updated_at'> &
  Partial<Pick<NewOrder, 'active' | 'gateway_method' | 'on_ramp' | 'fields'>>;

/**
 * Changes an order by a decision about its current row. Both are one transaction, so that no parallel change is lost.
 * Returns the decision; `undefined` when the tenant has no such order.
 */
export const changeOrder = <T extends { readonly change?: OrderChange }>(
  ledger: Ledger,
  tenant: string,
  id: string,
  decide: (row: OrderRow) => T,
): Promise<T | undefined> =>
  ledger.transaction().execute(async (step) => {
    const row = await findOrder(step, tenant, id);
    if (!row) return undefined;
    const decision = decide(row);
    if (decision.change) await step.updateTable('orders').set(decision.change).where('seq', '=', row.seq).execute();
    return decision;
  });

/** Whether an order code is the id of an active order of the tenant. */
export const isActiveOrder = async (ledger: Ledger, tenant: string, code: string): Promise<boolean> => {
  const orders = ledger.selectFrom('orders').select('id').where('tenant_id', '=', tenant);
  return (await orders.where('id', '=', code).where('active', '=', 1).executeTakeFirst()) !== undefined;
};
