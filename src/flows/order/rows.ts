import * as z from 'zod';
import { type Client, call, dataAs } from '../../client/call.ts';
import { list } from '../../contract/order/list.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';

/** The fields of a stored order that are used here; all others pass through. */
const rowSchema = z.looseObject({ id: z.string(), active: z.boolean() });

/** A stored order as the service lists it. */
export type OrderRow = z.infer<typeof rowSchema>;

const pageSchema = z.looseObject({
  orders: z.array(rowSchema),
  pagination: z.looseObject({ total_pages: z.number(), total: z.number().optional().catch(undefined) }),
});

const PAGE_SIZE = 100;

/** Far more pages than the 20 orders of an account need: stops at an endless list. */
const MAX_PAGES = 20;

const readPage = async (client: Client, page: number) => {
  const envelope = await call(client, list, { page, limit: PAGE_SIZE });
  return dataAs(pageSchema, envelope, 'the list of orders is not as documented');
};

/** The rows of the list; `isWhole` if they are as many as its `total`. */
type OrderList = { readonly rows: readonly OrderRow[]; readonly isWhole: boolean };

const readList = async (client: Client): Promise<OrderList> => {
  const rows: OrderRow[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { orders, pagination } = await readPage(client, page);
    const { total_pages: pages, total = 0 } = pagination;
    rows.push(...orders);
    if (page >= pages) return { rows, isWhole: new Set(rows.map(({ id }) => id)).size >= total };
    if (orders.length === 0) break;
  }
  return { rows, isWhole: false };
};

/** All orders of the tenant, newest first. */
export const readOrders = async (client: Client) => (await readList(client)).rows;

/** One order; `undefined` if it is not in the list. */
export const findOrder = async (client: Client, id: string) => (await lookUpOrder(client, id)).row;

/** The failure for an order that is not in the list. */
export const notListed = (id: string): Failure =>
  new Failure('not_found', `there is no order ${id}`, {
    hint: 'It is not in the list of this account. Nothing was sent.',
    next: nextStep('order.list.all'),
  });

/** One stored order, and whether the whole list was read. */
export const lookUpOrder = async (client: Client, id: string) => {
  const { rows, isWhole } = await readList(client);
  return { row: rows.find((one) => one.id === id), isWhole };
};
