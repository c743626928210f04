import type { Ledger } from '../ledger/ledger.ts';

/** Whether an order code is the id of an active order of the tenant. */
export const isActiveOrder = async (ledger: Ledger, tenant: string, code: string): Promise<boolean> => {
  const orders = ledger.selectFrom('orders').select('id').where('tenant_id', '=', tenant);
  return (await orders.where('id', '=', code).where('active', '=', 1).executeTakeFirst()) !== undefined;
};
