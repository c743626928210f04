import * as z from 'zod';
import { type Client, call } from '../../client/call.ts';
import { list } from '../../contract/order/list.ts';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';

/** What is needed of a stored order; all the rest passes through. */
const rowSchema = z.looseObject({ id: z.string(), active: z.boolean() });

/** A stored order: its id, whether it is on, and all else that the service says of it. */
export type OrderRow = z.infer<typeof rowSchema>;

const pageSchema = z.looseObject({
  orders: z.array(rowSchema),
  pagination: z.looseObject({ total_pages: z.number(), total: z.number().optional().catch(undefined) }),
});

const PAGE = 100;

/** Far more than the 20 orders that an account can have: a list without end is none. */
const MAX_PAGES = 20;

const readPage = async (client: Client, page: number) => {
  const { data, status } = await call(client, list, { page, limit: PAGE });
  const parsed = pageSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Failure('unexpected_answer', 'the list of orders is not as documented', { status, data });
};

/** What the list gave; `isWhole` where that is all that it says there is. */
type Listed = { readonly rows: readonly OrderRow[]; readonly isWhole: boolean };

const readList = async (client: Client): Promise<Listed> => {
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
export const readOrders = async (client: Client): Promise<readonly OrderRow[]> => (await readList(client)).rows;

/** One order; `undefined` where the list does not have it. */
export const findOrder = async (client: Client, id: string): Promise<OrderRow | undefined> =>
  (await readOrders(client)).find((row) => row.id === id);

/** An order that the list of the account does not have. */
export const notListed = (id: string): Failure =>
  new Failure('not_found', `there is no order ${id}`, {
    hint: 'The list of this account does not have it; nothing was sent.',
    next: nextStep('order.list.all'),
  });

/** One order as it is stored, where the list has it; `isWhole` says whether that was all of the list. */
export const lookUpOrder = async (
  client: Client,
  id: string,
): Promise<{ readonly row: OrderRow | undefined; readonly isWhole: boolean }> => {
  const { rows, isWhole } = await readList(client);
  return { row: rows.find((one) => one.id === id), isWhole };
};
