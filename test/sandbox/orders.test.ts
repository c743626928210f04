import { expect, test } from 'vitest';
import { create } from '../../src/contract/order/create.ts';
import { update } from '../../src/contract/order/update.ts';
import { sandboxIo, startTestSandbox, type TestSandbox, wrongFields } from './sandbox.ts';

type Fields = Readonly<Record<string, unknown>>;

const start = async (io = sandboxIo()) => startTestSandbox(await io, { ephemeral: true });

const createOrder = ({ post }: TestSandbox, more: Fields = {}) => post('/order/create', { ...create.example, ...more });

const idOf = async (sandbox: TestSandbox, more: Fields = {}): Promise<string> =>
  (await createOrder(sandbox, more)).body.data.order_id;

const patch = ({ call }: TestSandbox, id: string, body: unknown) => call('PATCH', `/order/${id}`, { body });

const listed = async ({ get }: TestSandbox, query = '') => (await get(`/order/list${query}`)).body.data;

const newTenant = async ({ control }: TestSandbox): Promise<string> =>
  (await control('POST', 'tenant', {})).body.data.api_key;

test('stores an order under a CUID and lists all its fields, also undocumented ones', async () => {
  const sandbox = await start();
  const more = { loyalty: { points: 3 }, order_items: [{ sku: 'a', price: '1.10' }], id: 'mine', active: false };
  const { http, body } = await createOrder(sandbox, more);
  expect([http, body.status]).toEqual([200, 'order_created']);
  expect(body.data.order_id).toMatch(/^c[0-9a-z]{24}$/);
  const { orders, pagination } = await listed(sandbox);
  expect(pagination).toEqual({ total: 1, page: 1, limit: 20, total_pages: 1 });
  expect(orders[0]).toEqual({
    ...create.example,
    loyalty: { points: 3 },
    order_items: [{ sku: 'a', price: '1.10' }],
    id: body.data.order_id,
    active: true,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test('creates a different CUID (c and 24 characters) for each order', async () => {
  const sandbox = await start();
  const ids = await Promise.all(Array.from({ length: 12 }, () => idOf(sandbox)));
  expect(ids.filter((id) => !/^c[0-9a-z]{24}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(12);
});

test('stores all digits of an undocumented number, and nothing from the query', async () => {
  const sandbox = await start();
  const body = JSON.stringify({ ...create.example }).replace(/}$/, ',"weight":1.10000000000000000001}');
  expect((await sandbox.call('POST', '/order/create?color=red', { body })).body.status).toBe('order_created');
  const response = await fetch(`${sandbox.address.url}/order/list`, {
    headers: { 'x-api-key': sandbox.address.api_key },
  });
  const text = await response.text();
  expect([text.includes('"weight":1.10000000000000000001'), text.includes('color')]).toEqual([true, false]);
});

test.each([
  ['no method enabled', { payment_method_allowed: { crypto: false } }, 'payment_method_allowed'],
  ['a crypto currency as source', { from_currency_symbol: 'USDT' }, 'from_currency_symbol'],
  ['a fiat currency that is not enabled', { from_currency_symbol: 'JPY' }, 'from_currency_symbol'],
  ['a zero amount', { amount_from: '0.00' }, 'amount_from'],
  ['an amount with an exponent', { amount_from: '1e3' }, 'amount_from'],
  ['an unknown gateway', { gateway_method: 'monthly' }, 'gateway_method'],
  [
    'a split that sums to 99.99 percent',
    { split_payment_config: [{ receiver_wallet: '0x1', receiver_percent: 99.99 }] },
    'split_payment_config',
  ],
  ['on-ramp by Pix', { on_ramp: true }, 'on_ramp'],
  ['a subscription that is a list', { subscription_payment_config: [] }, 'subscription_payment_config'],
])('returns invalid_parameters for %s, and stores nothing', async (_, more, field) => {
  const sandbox = await start();
  const answer = await createOrder(sandbox, more);
  expect([answer.http, answer.body.status, wrongFields(answer)[0]]).toEqual([400, 'invalid_parameters', field]);
  expect((await listed(sandbox)).pagination.total).toBe(0);
});

test.each(['BRL', 'USD', 'EUR'])('accepts an order in %s', async (from_currency_symbol) => {
  expect((await createOrder(await start(), { from_currency_symbol })).body.status).toBe('order_created');
});

test('lists each order once over all pages, newest first', async () => {
  const sandbox = await start();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.unshift(await idOf(sandbox));
  const pages = await Promise.all([1, 2, 3, 4].map((page) => listed(sandbox, `?limit=2&page=${page}`)));
  expect(pages.flatMap(({ orders }) => orders.map(({ id }: { id: string }) => id))).toEqual(ids);
  expect(pages.map(({ orders }) => orders.length)).toEqual([2, 2, 1, 0]);
  expect(pages[1].pagination).toEqual({ total: 5, page: 2, limit: 2, total_pages: 3 });
  expect((await listed(sandbox, `?limit=100&page=${Number.MAX_SAFE_INTEGER}`)).orders).toEqual([]);
});

test('returns an empty list with its pagination when there are no orders', async () => {
  expect(await listed(await start())).toEqual({
    orders: [],
    pagination: { total: 0, page: 1, limit: 20, total_pages: 0 },
  });
});

test('counts only orders that match the filters gateway_method and on_ramp', async () => {
  const sandbox = await start();
  const crypto = { payment_method_allowed: { crypto: true } };
  for (const [gateway_method, on_ramp] of [
    ['direct', false],
    ['subs', false],
    ['subs', true],
  ]) {
    await createOrder(sandbox, { ...crypto, gateway_method, on_ramp });
  }
  const totals = await Promise.all(
    [
      '?gateway_method=subs',
      '?gateway_method=direct',
      '?on_ramp=true',
      '?on_ramp=false',
      '?gateway_method=subs&on_ramp=false',
    ].map(async (query) => (await listed(sandbox, query)).pagination.total),
  );
  expect(totals).toEqual([2, 1, 1, 2, 1]);
});

test.each(['?page=0', '?page=-1', '?page=1.5', '?page=x', '?limit=0', '?limit=101', '?limit=', '?page=1&page=2'])(
  'rejects the page query %s',
  async (query) => {
    const { http, body } = await (await start()).get(`/order/list${query}`);
    expect([http, body.status]).toEqual([400, 'invalid_parameters']);
  },
);

test.each(['?gateway_method=monthly', '?on_ramp=maybe', '?on_ramp=1', '?gateway_method=', '?on_ramp='])(
  'rejects the filter %s',
  async (query) => {
    const answer = await (await start()).get(`/order/list${query}`);
    const [field] = query.slice(1).split('=');
    expect([answer.http, answer.body.status, wrongFields(answer)]).toEqual([400, 'invalid_parameters', [field]]);
  },
);

test('merges lists by index and the subscription by field on update, and replaces other fields', async () => {
  const sandbox = await start();
  const id = await idOf(sandbox, {
    order_items: [{ sku: 'a', price: '1' }, { sku: 'b' }],
    subscription_payment_config: { every: 'month', day: 1, tries: { most: 3 } },
    payment_method_allowed: { pixcrypto: true, crypto: true },
    tags: ['x', 'y'],
  });
  const { http, body } = await patch(sandbox, id, {
    amount_from: '59.90',
    order_items: [{ price: '2' }, {}, { sku: 'c' }],
    split_payment_config: [{ receiver_percent: 90 }, { receiver_percent: 10 }],
    subscription_payment_config: { day: 2, tries: { wait: 1 } },
    payment_method_allowed: { crypto: true },
    tags: ['z'],
    note: null,
  });
  expect([http, body.status]).toEqual([200, 'order_updated']);
  const order = update.success.order_updated.data.parse(body.data);
  expect(order).toMatchObject({
    id,
    active: true,
    amount_from: '59.90',
    to_currency_symbol: 'USDT',
    order_items: [{ sku: 'a', price: '2' }, { sku: 'b' }, { sku: 'c' }],
    split_payment_config: [
      { receiver_wallet: '0x1111111111111111111111111111111111111111', receiver_percent: 90 },
      { receiver_wallet: '0x2222222222222222222222222222222222222222', receiver_percent: 10 },
    ],
    subscription_payment_config: { every: 'month', day: 2, tries: { wait: 1 } },
    tags: ['z'],
    note: null,
  });
  expect(order.payment_method_allowed).toEqual({ crypto: true });
  expect((await listed(sandbox)).orders).toEqual([order]);
});

test.each([
  ['a split that no longer sums to 100', { split_payment_config: [{ receiver_percent: 90 }] }],
  [
    'a new receiver without a wallet',
    { split_payment_config: [{}, { receiver_percent: 2 }, { receiver_percent: 0.5 }] },
  ],
  ['a fiat currency that is not enabled', { from_currency_symbol: 'JPY' }],
  ['no method enabled', { payment_method_allowed: {} }],
  ['on-ramp when the stored methods have Pix', { on_ramp: true }],
  ['an amount as a number', { amount_from: 5 }],
  ['a list entry that is no object', { order_items: ['a'] }],
  ['a size above the limit of an order', { more: 'x'.repeat(600_000) }],
])('returns invalid_parameters for an update to %s, and changes nothing', async (_, change) => {
  const sandbox = await start();
  const id = await idOf(sandbox, { note: 'x'.repeat(600_000) });
  const before = await listed(sandbox);
  const { http, body } = await patch(sandbox, id, change);
  expect([http, body.status]).toEqual([400, 'invalid_parameters']);
  expect(await listed(sandbox)).toEqual(before);
});

test('returns no_fields_to_update for an empty update, or for fields that only the service sets', async () => {
  const sandbox = await start();
  const id = await idOf(sandbox);
  for (const body of [{}, { active: false }, { id: 'x', created_at: 'y', order_id: 'z' }]) {
    const answer = await patch(sandbox, id, body);
    expect([answer.http, answer.body.status]).toEqual([400, 'no_fields_to_update']);
  }
});

test('toggles an order and returns the new value, and filters by updated fields', async () => {
  const sandbox = await start();
  const id = await idOf(sandbox);
  const toggle = () => sandbox.call('PATCH', `/order/${id}/toggle`);
  for (const [status, active] of [
    ['order_deactivated', false],
    ['order_activated', true],
  ]) {
    const { http, body } = await toggle();
    expect([http, body.status, body.data]).toEqual([200, status, { id, active }]);
    expect((await listed(sandbox)).orders[0].active).toBe(active);
  }
  await patch(sandbox, id, { gateway_method: 'subs' });
  expect((await listed(sandbox, '?gateway_method=subs')).pagination.total).toBe(1);
  expect((await listed(sandbox, '?gateway_method=direct')).pagination.total).toBe(0);
});

test('applies every one of ten concurrent toggles', async () => {
  const sandbox = await start();
  const id = await idOf(sandbox);
  await Promise.all(Array.from({ length: 10 }, () => sandbox.call('PATCH', `/order/${id}/toggle`)));
  expect((await listed(sandbox)).orders[0].active).toBe(true);
});

test('returns order_not_found for an unknown order and for an order of another tenant, and does not list the latter', async () => {
  const sandbox = await start();
  const id = await idOf(sandbox);
  const key = await newTenant(sandbox);
  for (const [orderId, ownKey] of [
    ['nothere', undefined],
    [id, key],
    ["'--", undefined],
  ] as const) {
    const path = `/order/${encodeURIComponent(orderId)}`;
    const options = ownKey ? { key: ownKey } : {};
    const updated = await sandbox.call('PATCH', path, { ...options, body: { amount_from: '1' } });
    const toggled = await sandbox.call('PATCH', `${path}/toggle`, options);
    for (const answer of [updated, toggled])
      expect([answer.http, answer.body.status]).toEqual([404, 'order_not_found']);
  }
  expect((await sandbox.call('GET', '/order/list', { key })).body.data.pagination.total).toBe(0);
});

test('returns invalid_parameters for a malformed order id', async () => {
  const { call } = await start();
  for (const [path, body] of [
    ['/order/a%20b/toggle', undefined],
    ['/order/a%2Fb', { amount_from: '1' }],
  ] as const) {
    const answer = await call('PATCH', path, { body });
    expect([path, answer.http, answer.body.status]).toEqual([path, 400, 'invalid_parameters']);
  }
});

test('stores 20 orders per tenant when 30 requests come at the same time', async () => {
  const sandbox = await start();
  const answers = await Promise.all(Array.from({ length: 30 }, () => createOrder(sandbox)));
  const statuses = answers.map(({ http, body }) => `${http} ${body.status}`);
  expect(statuses.filter((status) => status === '200 order_created')).toHaveLength(20);
  expect(statuses.filter((status) => status === '429 order_limit_reached')).toHaveLength(10);
  expect((await listed(sandbox)).pagination.total).toBe(20);
  const key = await newTenant(sandbox);
  const other = await sandbox.call('POST', '/order/create', { key, body: create.example });
  expect(other.body.status).toBe('order_created');
});

test('returns customer_not_logged at orders for a key without a tenant, and still returns quotes', async () => {
  const sandbox = await start();
  const key = (await sandbox.control('POST', 'tenant', { without_tenant: true })).body.data.api_key;
  for (const [method, path] of [
    ['POST', '/order/create'],
    ['GET', '/order/list'],
    ['PATCH', '/order/x'],
    ['PATCH', '/order/x/toggle'],
  ] as const) {
    const { http, body } = await sandbox.call(method, path, { key });
    expect([path, http, body.status]).toEqual([path, 401, 'customer_not_logged']);
  }
  expect((await sandbox.call('GET', '/payment/x/status', { key })).body.status).toBe('unauthorized');
  expect((await sandbox.call('GET', '/quote/market?from=ETH&to=USDT', { key })).http).toBe(200);
});

test('stores orders, tenants and keys across a restart, and removes only orders on reset', async () => {
  const io = await sandboxIo();
  const first = await startTestSandbox(io);
  const id = await idOf(first);
  const key = await newTenant(first);
  await first.stop();
  const second = await startTestSandbox(io);
  expect((await listed(second)).orders[0].id).toBe(id);
  await second.control('POST', 'reset', {});
  expect((await listed(second)).orders).toEqual([]);
  expect((await second.call('GET', '/order/list', { key })).http).toBe(200);
});
