import { envelope, type Received, type Responder, startServer } from './server.ts';

/** An order as the service stores it. */
export type StoredOrder = { id: string; active: boolean; [field: string]: unknown };

/** An order of a payment to two receivers, as a service stores it. */
export const storedOrder = (id: string, more: Readonly<Record<string, unknown>> = {}): StoredOrder => ({
  executor_id: 'api_transaction',
  from_currency_symbol: 'BRL',
  amount_from: '25.00',
  to_currency_symbol: 'USDT',
  on_ramp: false,
  gateway_method: 'direct',
  payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
  split_payment_config: [
    { receiver_wallet: '0xaaa', receiver_percent: 70.1 },
    { receiver_wallet: '0xbbb', receiver_percent: 29.9 },
  ],
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  ...more,
  id,
  active: more['active'] !== false,
});

const create = (rows: StoredOrder[], body: object): Responder => {
  const id = `order_${rows.length + 1}`;
  rows.unshift({ ...body, id, active: true, created_at: 'now', updated_at: 'now' });
  return envelope(200, 'order_created', { data: { order_id: id } });
};

const change = (rows: StoredOrder[], { path, body }: Received): Responder => {
  const [, , id, verb] = path.split('/');
  const row = rows.find((stored) => stored.id === id);
  if (!row) return envelope(404, 'order_not_found');
  if (verb === 'toggle') row.active = !row.active;
  else Object.assign(row, JSON.parse(body));
  const status = verb === 'toggle' ? (row.active ? 'order_activated' : 'order_deactivated') : 'order_updated';
  return envelope(200, status, { data: verb === 'toggle' ? { id, active: row.active } : row });
};

const page = (rows: readonly StoredOrder[], path: string): Responder => {
  const query = new URL(path, 'http://x').searchParams;
  const [number, limit] = [Number(query.get('page')), Math.min(Number(query.get('limit')), 7)];
  const orders = rows.slice((number - 1) * limit, number * limit);
  const pagination = { total: rows.length, page: number, limit, total_pages: Math.ceil(rows.length / limit) };
  return envelope(200, 'orders_listed', { data: { orders, pagination } });
};

/** Starts a service with the orders of one account, at most 7 a page. `refuse` can answer a call instead. */
export const startOrderService = async (
  rows: StoredOrder[],
  refuse: (received: Received) => Responder | undefined = () => undefined,
) => {
  const { url, received } = await startServer((one, response) => {
    const answer = refuse(one) ?? (one.method === 'GET' ? page(rows, one.path) : undefined);
    const write = () => (one.method === 'POST' ? create(rows, JSON.parse(one.body)) : change(rows, one));
    return (answer ?? write())(one, response);
  });
  const writes = () =>
    received.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => ({ method, path, body }));
  return { env: { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' }, rows, writes, received };
};
