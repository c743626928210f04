import * as z from 'zod';
import { type Client, call } from '../../client/call.ts';
import { list } from '../../contract/order/list.ts';
import { Failure } from '../../core/failure.ts';

/** What is needed of a stored order; all the rest passes through. */
const rowSchema = z.looseObject({ id: z.string(), active: z.boolean() });

/** A stored order: its id, whether it is on, and all else that the service says of it. */
export type OrderRow = z.infer<typeof rowSchema>;

const pageSchema = z.looseObject({
  orders: z.array(rowSchema),
  pagination: z.looseObject({ total_pages: z.number() }),
});

const PAGE = 100;

/** Far more than the 20 orders that an account can have: a list without end is none. */
const MOST_PAGES = 20;

const readPage = async (client: Client, page: number) => {
  const { data, status } = await call(client, list, { page, limit: PAGE });
  const parsed = pageSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Failure('unexpected_answer', 'the list of orders is not as documented', { status, data });
};

/** All orders of the tenant, newest first. */
export const readOrders = async (client: Client): Promise<readonly OrderRow[]> => {
  const rows: OrderRow[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { orders, pagination } = await readPage(client, page);
    rows.push(...orders);
    if (page >= pagination.total_pages || orders.length === 0) return rows;
  }
  return rows;
};

/** One order; `undefined` where the list does not have it. */
export const findOrder = async (client: Client, id: string): Promise<OrderRow | undefined> =>
  (await readOrders(client)).find((row) => row.id === id);
