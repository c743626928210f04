import type { Insertable, Selectable } from 'kysely';
import type { Ledger, Tables } from './ledger.ts';

export type OrderRow = Selectable<Tables['orders']>;
export type NewOrder = Insertable<Tables['orders']>;

/** Stores an order unless its tenant has `most` already; then nothing is stored, and it is `false`. */
export const insertOrder = (ledger: Ledger, order: NewOrder, most: number): Promise<boolean> =>
  ledger.transaction().execute(async (step) => {
    const own = step.selectFrom('orders').where('tenant_id', '=', order.tenant_id);
    const { count } = await own.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    if (count >= most) return false;
    await step.insertInto('orders').values(order).execute();
    return true;
  });

/** The order of that id, of that tenant only. */
const findOrder = (ledger: Ledger, tenant: string, id: string): Promise<OrderRow | undefined> =>
  ledger.selectFrom('orders').selectAll().where('id', '=', id).where('tenant_id', '=', tenant).executeTakeFirst();

/** Which orders are wanted; a filter that is left out lets all through. */
export type Filters = { readonly gateway_method?: string | undefined; readonly on_ramp?: boolean | undefined };

/** Which orders of a tenant are wanted, and which part of them. */
export type OrderQuery = Filters & { readonly tenant: string; readonly limit: number; readonly page: number };

/** A page of a tenant's orders, newest first, and how many there are on all pages. */
export const listOrders = async (
  ledger: Ledger,
  { tenant, gateway_method, on_ramp, limit, page }: OrderQuery,
): Promise<{ readonly rows: readonly OrderRow[]; readonly total: number }> => {
  let wanted = ledger.selectFrom('orders').where('tenant_id', '=', tenant);
  if (gateway_method !== undefined) wanted = wanted.where('gateway_method', '=', gateway_method);
  if (on_ramp !== undefined) wanted = wanted.where('on_ramp', '=', Number(on_ramp));
  const { total } = await wanted.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const skipped = (page - 1) * limit;
  if (skipped >= total) return { rows: [], total };
  const rows = await wanted.selectAll().orderBy('seq', 'desc').limit(limit).offset(skipped).execute();
  return { rows, total };
};

/** The columns that a change of an order writes. */
export type OrderChange = Pick<NewOrder, 'updated_at'> &
  Partial<Pick<NewOrder, 'active' | 'gateway_method' | 'on_ramp' | 'fields'>>;

/**
 * Changes an order by what it is now; reading and writing are one step, so that of two changes none is lost.
 * `undefined` when the tenant has no such order.
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
    const decided = decide(row);
    if (decided.change) await step.updateTable('orders').set(decided.change).where('seq', '=', row.seq).execute();
    return decided;
  });

/** Whether an order code is the id of an active order of the tenant. */
export const isActiveOrder = async (ledger: Ledger, tenant: string, code: string): Promise<boolean> => {
  const orders = ledger.selectFrom('orders').select('id').where('tenant_id', '=', tenant);
  return (await orders.where('id', '=', code).where('active', '=', 1).executeTakeFirst()) !== undefined;
};
