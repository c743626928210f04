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

test('an order is stored with a CUID and listed whole, fields that the document does not name included', async () => {
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

test('every order id has the form of a CUID: c and 24 characters', async () => {
  const sandbox = await start();
  const ids = await Promise.all(Array.from({ length: 12 }, () => idOf(sandbox)));
  expect(ids.filter((id) => !/^c[0-9a-z]{24}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(12);
});

test('digits of an unknown number stay, and a query stores nothing', async () => {
  const sandbox = await start();
  const body = JSON.stringify({ ...create.example }).replace(/}$/, ',"weight":1.10000000000000000001}');
  expect((await sandbox.call('POST', '/order/create?color=red', { body })).body.status).toBe('order_created');
  const answer = await fetch(`${sandbox.address.url}/order/list`, {
    headers: { 'x-api-key': sandbox.address.api_key },
  });
  const text = await answer.text();
  expect([text.includes('"weight":1.10000000000000000001'), text.includes('color')]).toEqual([true, false]);
});

test.each([
  ['no method enabled', { payment_method_allowed: { crypto: false } }, 'payment_method_allowed'],
  ['a crypto source', { from_currency_symbol: 'USDT' }, 'from_currency_symbol'],
  ['a fiat that is not enabled', { from_currency_symbol: 'JPY' }, 'from_currency_symbol'],
  ['nothing to pay', { amount_from: '0.00' }, 'amount_from'],
  ['an amount in words', { amount_from: '1e3' }, 'amount_from'],
  ['another gateway', { gateway_method: 'monthly' }, 'gateway_method'],
  [
    'a split of 99.99',
    { split_payment_config: [{ receiver_wallet: '0x1', receiver_percent: 99.99 }] },
    'split_payment_config',
  ],
  ['on-ramp by Pix', { on_ramp: true }, 'on_ramp'],
  ['a list for the subscription', { subscription_payment_config: [] }, 'subscription_payment_config'],
])('%s is invalid_parameters, and nothing is stored', async (_, more, field) => {
  const sandbox = await start();
  const seen = await createOrder(sandbox, more);
  expect([seen.http, seen.body.status, wrongFields(seen)[0]]).toEqual([400, 'invalid_parameters', field]);
  expect((await listed(sandbox)).pagination.total).toBe(0);
});

test.each(['BRL', 'USD', 'EUR'])('%s is enabled', async (from_currency_symbol) => {
  expect((await createOrder(await start(), { from_currency_symbol })).body.status).toBe('order_created');
});

test('pages are newest first, complete and without repeats', async () => {
  const sandbox = await start();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.unshift(await idOf(sandbox));
  const pages = await Promise.all([1, 2, 3, 4].map((page) => listed(sandbox, `?limit=2&page=${page}`)));
  expect(pages.flatMap(({ orders }) => orders.map(({ id }: { id: string }) => id))).toEqual(ids);
  expect(pages.map(({ orders }) => orders.length)).toEqual([2, 2, 1, 0]);
  expect(pages[1].pagination).toEqual({ total: 5, page: 2, limit: 2, total_pages: 3 });
  expect((await listed(sandbox, `?limit=100&page=${Number.MAX_SAFE_INTEGER}`)).orders).toEqual([]);
});

test('an empty list is a list', async () => {
  expect(await listed(await start())).toEqual({
    orders: [],
    pagination: { total: 0, page: 1, limit: 20, total_pages: 0 },
  });
});

test('both filters, alone and together, count too', async () => {
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
  'the list refuses %s',
  async (query) => {
    const { http, body } = await (await start()).get(`/order/list${query}`);
    expect([http, body.status]).toEqual([400, 'invalid_parameters']);
  },
);

test.each(['?gateway_method=monthly', '?on_ramp=maybe', '?on_ramp=1', '?gateway_method=', '?on_ramp='])(
  'the list refuses the filter %s',
  async (query) => {
    const seen = await (await start()).get(`/order/list${query}`);
    const [field] = query.slice(1).split('=');
    expect([seen.http, seen.body.status, wrongFields(seen)]).toEqual([400, 'invalid_parameters', [field]]);
  },
);

test('an update is partial: lists merge by index, the subscription by field, the rest is replaced', async () => {
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
  ['a fiat that is not enabled', { from_currency_symbol: 'JPY' }],
  ['no method enabled', { payment_method_allowed: {} }],
  ['on-ramp, while the stored methods have Pix', { on_ramp: true }],
  ['an amount as a number', { amount_from: 5 }],
  ['an entry that is no object', { order_items: ['a'] }],
  ['more than an order may hold, with what it holds', { more: 'x'.repeat(600_000) }],
])('an update to %s is invalid_parameters and changes nothing', async (_, change) => {
  const sandbox = await start();
  const id = await idOf(sandbox, { note: 'x'.repeat(600_000) });
  const before = await listed(sandbox);
  const { http, body } = await patch(sandbox, id, change);
  expect([http, body.status]).toEqual([400, 'invalid_parameters']);
  expect(await listed(sandbox)).toEqual(before);
});

test('an update of nothing, or of what only the service sets, is no_fields_to_update', async () => {
  const sandbox = await start();
  const id = await idOf(sandbox);
  for (const body of [{}, { active: false }, { id: 'x', created_at: 'y', order_id: 'z' }]) {
    const seen = await patch(sandbox, id, body);
    expect([seen.http, seen.body.status]).toEqual([400, 'no_fields_to_update']);
  }
});

test('toggle flips and says the new value; an order is found again by the filters of its new fields', async () => {
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

test('an even number of toggles at once loses none', async () => {
  const sandbox = await start();
  const id = await idOf(sandbox);
  await Promise.all(Array.from({ length: 10 }, () => sandbox.call('PATCH', `/order/${id}/toggle`)));
  expect((await listed(sandbox)).orders[0].active).toBe(true);
});

test('an unknown order and another tenant’s are order_not_found, and lists show only one’s own', async () => {
  const sandbox = await start();
  const id = await idOf(sandbox);
  const key = await newTenant(sandbox);
  for (const [asked, by] of [
    ['nothere', undefined],
    [id, key],
    ["'--", undefined],
  ] as const) {
    const path = `/order/${encodeURIComponent(asked)}`;
    const ask = by ? { key: by } : {};
    const updated = await sandbox.call('PATCH', path, { ...ask, body: { amount_from: '1' } });
    const toggled = await sandbox.call('PATCH', `${path}/toggle`, ask);
    for (const seen of [updated, toggled]) expect([seen.http, seen.body.status]).toEqual([404, 'order_not_found']);
  }
  expect((await sandbox.call('GET', '/order/list', { key })).body.data.pagination.total).toBe(0);
});

test('an id that is no id is invalid_parameters', async () => {
  const { call } = await start();
  for (const [path, body] of [
    ['/order/a%20b/toggle', undefined],
    ['/order/a%2Fb', { amount_from: '1' }],
  ] as const) {
    const seen = await call('PATCH', path, { body });
    expect([path, seen.http, seen.body.status]).toEqual([path, 400, 'invalid_parameters']);
  }
});

test('an account holds 20 orders, also when 30 come at once; another account has its own 20', async () => {
  const sandbox = await start();
  const seen = await Promise.all(Array.from({ length: 30 }, () => createOrder(sandbox)));
  const statuses = seen.map(({ http, body }) => `${http} ${body.status}`);
  expect(statuses.filter((status) => status === '200 order_created')).toHaveLength(20);
  expect(statuses.filter((status) => status === '429 order_limit_reached')).toHaveLength(10);
  expect((await listed(sandbox)).pagination.total).toBe(20);
  const key = await newTenant(sandbox);
  const other = await sandbox.call('POST', '/order/create', { key, body: create.example });
  expect(other.body.status).toBe('order_created');
});

test('a valid key without a tenant is customer_not_logged at orders, and still gets quotes', async () => {
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

test('orders, tenants and keys outlive a restart; a reset forgets orders alone', async () => {
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
