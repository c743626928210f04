import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newHomeInProcess } from '../../../support/in-process.ts';
import { type StoredOrder, startOrderService, storedOrder } from '../../../support/order-service.ts';
import { envelope } from '../../../support/server.ts';

const open = async (rows: StoredOrder[], refuse?: Parameters<typeof startOrderService>[1]) => {
  const service = await startOrderService(rows, refuse);
  const { home, bursar } = await newHomeInProcess();
  const run = (args: readonly string[], stdin?: string) =>
    bursar(args, { env: service.env, ...(stdin === undefined ? {} : { stdin }) });
  const json = async (args: readonly string[], stdin?: string) =>
    JSON.parse((await run([...args, '--json'], stdin)).stdout);
  return { ...service, home, run, json };
};

const many = (count: number) => Array.from({ length: count }, (_, at) => storedOrder(`order_${count - at}`));

describe('the id of an order', () => {
  it.each(['cmb1x2y3z0000abcd1234efgh', '42', 'ORD-7.b', '9f1c2d3e-0000-4000-8000-000000000001'])(
    '%s is used unchanged in the path of a request',
    async (id) => {
      const { run, writes } = await open([storedOrder(id)]);
      expect((await run(['order', 'update', id, '--amount-from', '30'])).code).toBe(0);
      expect((await run(['order', 'disable', id])).code).toBe(0);
      expect(writes().map(({ path }) => path)).toEqual([`/order/${id}`, `/order/${id}/toggle`]);
    },
  );
});

describe('order list', () => {
  it('--all lists every page, newest first, with an empty stderr', async () => {
    const { run, json } = await open(many(17));
    const { orders, pagination } = await json(['order', 'list', '--all']);
    expect(orders.map(({ id }: StoredOrder) => id)).toEqual(many(17).map(({ id }) => id));
    expect(pagination).toMatchObject({ total: 17, total_pages: 1 });
    expect((await run(['order', 'list', '--all'])).stderr).toBe('');
  });

  it('--verbose prints the free slots, and that there are more pages', async () => {
    const { run } = await open(many(17));
    expect((await run(['order', 'list', '--all', '--verbose'])).stderr).toBe('17 of 20 orders; 3 slots left.\n');
    expect((await run(['order', 'list', '--verbose'])).stderr).toContain('one of 3 pages; --all');
  });

  it('filters the orders of all pages locally', async () => {
    const rows = [...many(8), storedOrder('subs', { gateway_method: 'subs', active: false })];
    const { json } = await open(rows);
    const ids = async (...args: string[]) =>
      (await json(['order', 'list', ...args])).orders.map(({ id }: StoredOrder) => id);
    expect(await ids('--gateway-method', 'subs')).toEqual(['subs']);
    expect(await ids('--no-active')).toEqual(['subs']);
    expect(await ids('--on-ramp')).toEqual([]);
    expect(await ids('--active', '--no-on-ramp')).toHaveLength(8);
  });

  it('--limit and --page count the orders that match a filter', async () => {
    const rows = [...many(7), storedOrder('subs', { gateway_method: 'subs' })];
    const { run } = await open(rows);
    const listed = async (...args: string[]) => {
      const { stdout, stderr } = await run(['order', 'list', ...args, '--json']);
      const { orders, pagination } = JSON.parse(stdout);
      return { ids: orders.map(({ id }: StoredOrder) => id), pagination, note: stderr.trim() };
    };
    expect(await listed('--gateway-method', 'direct', '--limit', '3', '--page', '2')).toEqual({
      ids: ['order_4', 'order_3', 'order_2'],
      pagination: { total: 7, page: 2, limit: 3, total_pages: 3 },
      note: 'The orders were filtered here: 7 of 8 match. Page 2 of 3.',
    });
    expect(await listed('--active', '--page', '2')).toMatchObject({ ids: [], pagination: { total: 8, limit: 20 } });
    expect(await listed('--on-ramp')).toEqual({
      ids: [],
      pagination: { total: 0, page: 1, limit: 20, total_pages: 0 },
      note: 'The orders were filtered here: 0 of 8 match.',
    });
  });

  it('with --all or a filter --curl is refused: exit 2', async () => {
    const { run, received } = await open(many(2));
    for (const words of [['--all'], ['--gateway-method', 'subs'], ['--no-active']]) {
      const { code, stdout, stderr } = await run(['order', 'list', ...words, '--curl']);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('filters them locally');
    }
    expect(received).toEqual([]);
    expect((await run(['order', 'list', '--curl'])).stdout).toContain('/order/list');
    expect((await run(['order', 'list', '--active', '--dry-run'])).stderr).toContain('then filters');
  });

  it('--all with --limit is exit 2', async () => {
    const { run } = await open([]);
    expect((await run(['order', 'list', '--all', '--limit', '3'])).code).toBe(2);
  });
});

describe('order enable and order disable', () => {
  it.each([
    ['enable', true, 'active'],
    ['disable', false, 'inactive'],
  ])('%s --dry-run shows no toggle for an order that already has the state', async (verb, active, word) => {
    const { run, json, writes } = await open([storedOrder('order_1', { active })]);
    const { code, stdout, stderr } = await run(['order', verb, 'order_1', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).not.toContain('toggle');
    expect(stderr).toBe(`The order is already ${word}; nothing would be sent.\n`);
    expect(await json(['order', verb, 'order_1', '--dry-run'])).toMatchObject({ id: 'order_1', active });
    expect(writes()).toEqual([]);
  });

  it('--dry-run shows the toggle for an order with the opposite state, and sends nothing', async () => {
    const { run, json, writes } = await open([storedOrder('order_1', { active: false })]);
    const request = await json(['order', 'enable', 'order_1', '--dry-run']);
    expect(request).toMatchObject({ method: 'PATCH', url: expect.stringMatching(/order_1\/toggle$/) });
    expect((await run(['order', 'enable', 'gone', '--dry-run'])).code).toBe(3);
    expect(writes()).toEqual([]);
  });

  it.each(['enable', 'disable'])('%s --curl is exit 2 with the reason', async (verb) => {
    const { run, received } = await open([storedOrder('order_1')]);
    const { code, stdout, stderr } = await run(['order', verb, 'order_1', '--curl']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('could do the opposite: use --dry-run, not --curl');
    expect(received).toEqual([]);
  });
});

describe('order update', () => {
  const RECEIVER = `0x${'a'.repeat(40)}`;
  const split = (share: string) => ['order', 'update', 'order_1', '--split', `${RECEIVER}=${share}`];

  it.each(['--json', '--dry-run'])(
    'with %s a split whose merged shares do not sum to 100 is exit 2, and nothing is sent',
    async (flag) => {
      const { run, writes } = await open([storedOrder('order_1')]);
      const { code, stdout, stderr } = await run([...split('60'), flag]);
      expect(code).toBe(2);
      expect(stdout + stderr).toContain('percentages sum to 89.9, not to 100');
      expect(stdout + stderr).toContain('2 receivers');
      expect(writes()).toEqual([]);
    },
  );

  it('sends one share when the merged shares sum to 100', async () => {
    const receivers = [
      { receiver_wallet: RECEIVER, receiver_percent: 70.1 },
      { receiver_wallet: '0xbbb', receiver_percent: 29.9 },
    ];
    const { run, writes } = await open([storedOrder('order_1', { split_payment_config: receivers })]);
    expect((await run(split('70.10'))).code).toBe(0);
    expect(writes()).toEqual([]);
    expect((await run(['order', 'update', 'order_1', '--split', `0x${'c'.repeat(40)}=70.1`, '--verbose'])).stderr).toBe(
      `- split_payment_config.0.receiver_wallet: ${RECEIVER}\n+ split_payment_config.0.receiver_wallet: 0x${'c'.repeat(40)}\n`,
    );
    expect(writes()).toHaveLength(1);
  });

  it('--dry-run shows the changes and the request, and sends nothing', async () => {
    const { run, json, writes } = await open([storedOrder('order_1')]);
    const args = ['order', 'update', 'order_1', '--amount-from', '30', '--dry-run'];
    expect((await run(args)).stderr).toBe('- amount_from: 25.00\n+ amount_from: 30\n');
    const document = await json(args);
    expect(document).toMatchObject({ method: 'PATCH', body: { amount_from: '30' } });
    expect(document.changes).toEqual([{ path: 'amount_from', before: '25.00', after: '30' }]);
    expect(writes()).toEqual([]);
  });

  it('prints the changes before it sends the request, also when the service refuses', async () => {
    const { run } = await open([storedOrder('order_1')], ({ method }) =>
      method === 'PATCH' ? envelope(400, 'invalid_parameters') : undefined,
    );
    const { code, stderr } = await run(['order', 'update', 'order_1', '--amount-from', '30', '--verbose']);
    expect([code, stderr]).toEqual([9, expect.stringMatching(/^- amount_from: 25\.00\n\+ amount_from: 30\n/)]);
  });

  it('without a change sends nothing, and prints that', async () => {
    const { run, writes } = await open([storedOrder('order_1')]);
    const { code, stdout, stderr } = await run(['order', 'update', 'order_1', '--amount-from', '25', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'The order already has these values; nothing was sent.\n' });
    expect(JSON.parse(stdout).id).toBe('order_1');
    expect(writes()).toEqual([]);
  });

  it('of an order that is not in the list is sent, and order_not_found is exit 3', async () => {
    const { run, writes } = await open(Array.from({ length: 9 }, (_, at) => storedOrder(`order_${at}`)));
    const { code, stdout, stderr } = await run(['order', 'update', 'nope', '--amount-from', '30', '--json']);
    expect({ code, error: JSON.parse(stdout).error }).toMatchObject({
      code: 3,
      error: { code: 'not_found', status: 'order_not_found', http: 404 },
    });
    expect(stderr).toContain('This order is not in the list');
    expect(writes()).toEqual([{ method: 'PATCH', path: '/order/nope', body: '{"amount_from":"30"}' }]);
  });

  it.each([
    ['update', ['GET /order/list', 'PATCH /order/{order_id} (--envelope prints its answer)']],
    ['enable', ['GET /order/list', 'PATCH /order/{order_id}/toggle (--envelope prints its answer)']],
    ['disable', ['GET /order/list', 'PATCH /order/{order_id}/toggle (--envelope prints its answer)']],
  ])('help of order %s lists the calls that it makes', async (verb, calls) => {
    const { run } = await open([]);
    const { stdout } = await run(['help', 'order', verb]);
    const [, section = ''] = /\nCalls:?\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    expect(section.split('\n').map((line) => line.trim())).toEqual(calls);
  });

  it('of an order that an incomplete list lacks is sent, with a warning', async () => {
    const pagination = { total: 2, page: 1, limit: 100, total_pages: 1 };
    const { run, writes } = await open([storedOrder('order_1'), storedOrder('order_2')], ({ method }) =>
      method === 'GET'
        ? envelope(200, 'orders_listed', { data: { orders: [storedOrder('order_2')], pagination } })
        : undefined,
    );
    const { code, stderr } = await run(['order', 'update', 'order_1', '--amount-from', '30']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('its changes cannot be shown')]);
    expect(writes()).toHaveLength(1);
  });

  it('of an order that cannot be read ends with the error of the read, and nothing is sent', async () => {
    const { run, writes } = await open([storedOrder('order_1')], ({ method }) =>
      method === 'GET' ? envelope(401, 'unauthorized') : undefined,
    );
    const { code, stderr } = await run(['order', 'update', 'order_1', '--amount-from', '30']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('Nothing was sent: the order must be read before')]);
    expect(writes()).toEqual([]);
  });
});

describe('order enable and disable', () => {
  it('toggle only an order with the opposite state', async () => {
    const { run, json, rows, writes } = await open([storedOrder('order_1')]);
    expect(await json(['order', 'disable', 'order_1'])).toEqual({ id: 'order_1', active: false });
    const again = await run(['order', 'disable', 'order_1']);
    expect(again).toMatchObject({ code: 0, stderr: 'The order is already inactive; nothing was sent.\n' });
    expect(writes()).toHaveLength(1);
    expect((await run(['order', 'enable', 'order_1'])).code).toBe(0);
    expect(rows[0]?.active).toBe(true);
  });

  it('enable of an order that is not in the list is exit 3, and nothing is sent', async () => {
    const { run, writes } = await open([storedOrder('order_1')]);
    expect((await run(['order', 'enable', 'order_2'])).code).toBe(3);
    expect(writes()).toEqual([]);
  });
});

describe('--envelope', () => {
  const UPDATE = ['order', 'update', 'order_1', '--amount-from'];

  it('prints the whole answer of the PATCH of order update and of the toggle of order disable', async () => {
    const more = { request_id: 'r_1' };
    const { json, received } = await open([storedOrder('order_1')], ({ method }) =>
      method === 'PATCH' ? envelope(200, 'order_updated', { data: storedOrder('order_1'), ...more }) : undefined,
    );
    const printed = await json([...UPDATE, '30', '--envelope']);
    expect(printed).toMatchObject({ statusCode: 200, success: true, status: 'order_updated', ...more });
    expect(received.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
    const { json: other } = await open([storedOrder('order_1')]);
    expect(await other(['order', 'disable', 'order_1', '--envelope'])).toMatchObject({
      status: 'order_deactivated',
      data: { id: 'order_1', active: false },
    });
  });

  it('prints {"unchanged": true} when nothing is sent', async () => {
    const { json, writes } = await open([storedOrder('order_1')]);
    expect(await json([...UPDATE, '25.00', '--envelope'])).toEqual({ unchanged: true, data: storedOrder('order_1') });
    expect(await json(['order', 'enable', 'order_1', '--envelope'])).toEqual({
      unchanged: true,
      data: { id: 'order_1', active: true },
    });
    expect(writes()).toEqual([]);
  });

  it('prints {"read_back": true} when the answer is lost and the list shows the effect', async () => {
    const rows = [storedOrder('order_1')];
    const { json } = await open(rows, ({ method }) => {
      if (method !== 'PATCH') return undefined;
      Object.assign(rows[0] ?? {}, { amount_from: '30' });
      return (_, response) => void response.destroy();
    });
    expect(await json([...UPDATE, '30', '--envelope'])).toMatchObject({ read_back: true, data: { amount_from: '30' } });
  });

  it.each([
    ['order list --all', 'order list with --all'],
    ['order list --active', 'order list with --active'],
    ['order list --gateway-method subs', 'order list with --gateway-method'],
    ['order export', 'order export'],
    ['quote BTC USDT --amount 2', 'quote with --amount'],
    ['pay status pay_1 --wait', 'pay status with --wait'],
    ['pay run --body payment.json', 'pay run'],
    ['yield earnings --wallet w', 'yield earnings without --provider and --asset'],
    ['yield deposit --amount 1 --sign', 'yield deposit with --sign'],
    ['key list', 'key list'],
  ])('of %s is refused before any call: exit 2', async (line, what) => {
    const { run, received } = await open([storedOrder('order_1')]);
    const { code, stdout } = await run([...line.split(' '), '--envelope']);
    expect({ code, error: JSON.parse(stdout).error }).toMatchObject({
      code: 2,
      error: { code: 'usage', message: `${what} has no envelope of one call to print` },
    });
    expect(received).toEqual([]);
  });
});

describe('order export', () => {
  it('has ids and the documented fields, no times, and names the omitted fields', async () => {
    const { run, json } = await open([storedOrder('order_1', { tenant_id: 't', amount_from: '25.10' })]);
    const { stdout, stderr } = await run(['order', 'export']);
    expect(stdout).toMatch(/^version: 1\norders:\n {2}- id: order_1\n {4}active: true\n/);
    expect(stdout).not.toMatch(/created_at|updated_at|tenant_id/);
    expect(stderr).toContain('omitted fields');
    expect(stderr).toContain('tenant_id');
    expect((await json(['order', 'export', '--portable'])).orders[0].id).toBeUndefined();
  });

  it('writes the named file, and never overwrites a file', async () => {
    const { run, home } = await open([storedOrder('../../evil')]);
    const file = join(home, 'orders.json');
    expect((await run(['order', 'export', '--out', file])).code).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8')).orders[0].id).toBe('../../evil');
    expect((await run(['order', 'export', '--out', file])).code).toBe(2);
  });

  it('escapes terminal and CI commands, and order apply finds no change in the file', async () => {
    const odd = '\u001b[2J\u202e::error::x\n::set-output##[add-mask]';
    const row = storedOrder('order_1', { order_items: [{ note: odd }, { note: '##[group]' }] });
    const { run, home, writes } = await open([row]);
    const { stdout } = await run(['order', 'export']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the output must not contain
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|^\s*::|##\[/m);
    await writeFile(join(home, 'o.yaml'), stdout);
    expect((await run(['order', 'apply', '-f', join(home, 'o.yaml')])).code).toBe(0);
    expect(writes()).toEqual([]);
  });
});

describe('order apply', () => {
  const [ANNA, BRUNO] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
  const splitOf = (first: string, second: string) => [
    { receiver_wallet: first, receiver_percent: 70.1 },
    { receiver_wallet: second, receiver_percent: 29.9 },
  ];
  const NEW = {
    ...storedOrder('x', { split_payment_config: splitOf(ANNA, BRUNO) }),
    ...{ id: undefined, active: undefined, created_at: undefined, updated_at: undefined },
  };
  const file = (...orders: readonly object[]) => JSON.stringify({ version: 1, orders });
  const APPLY = ['order', 'apply', '--file', '-', '--yes'];

  it.each(['yaml', 'json'])('of an export as %s sends nothing', async (format) => {
    const { run, json, writes } = await open(many(9));
    const exported = (await run(['order', 'export', '--format', format, ...(format === 'json' ? ['--json'] : [])]))
      .stdout;
    const { orders } = await json(['order', 'apply', '--file', '-'], exported);
    expect(orders.every(({ outcome }: { outcome: string }) => outcome === 'nothing_to_do')).toBe(true);
    expect(writes()).toEqual([]);
  });

  it('sends only the difference, and nothing the second time', async () => {
    const { run, writes } = await open(many(9));
    const exported = (await run(['order', 'export'])).stdout.replace('amount_from: "25.00"', 'amount_from: "31.5"');
    expect(await run(APPLY, exported)).toMatchObject({ code: 0, stderr: '' });
    expect(writes()).toEqual([{ method: 'PATCH', path: '/order/order_1', body: '{"amount_from":"31.5"}' }]);
    await run(APPLY, exported);
    expect(writes()).toHaveLength(1);
  });

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['0.30000000000000001', '0.3'],
  ])('distinguishes %s from the stored %s, which are equal as floating point numbers', async (wanted, stored) => {
    const { run, writes } = await open([storedOrder('order_1', { amount_from: stored })]);
    expect((await run(APPLY, file({ id: 'order_1', amount_from: wanted }))).code).toBe(0);
    expect(writes().map(({ body }) => body)).toEqual([JSON.stringify({ amount_from: wanted })]);
  });

  it('sends a nested list that is shorter than the stored list', async () => {
    const row = storedOrder('order_1', { order_items: [{ name: 'a', tags: ['x', 'y'] }] });
    const { run, writes } = await open([row]);
    const order_items = [{ name: 'a', tags: ['x'] }];
    expect((await run(APPLY, file({ id: 'order_1', order_items }))).code).toBe(0);
    expect(writes().map(({ body }) => body)).toEqual([JSON.stringify({ order_items })]);
  });

  it('creates each order without an id once, with the active state of the file', async () => {
    const { json, rows, writes } = await open([]);
    const text = file({ ...NEW, active: false }, NEW, { ...NEW, amount_from: '7' });
    const { orders, profile, kind } = await json(APPLY, text);
    expect(orders.map(({ id, actions }: { id: string; actions: unknown }) => [id, actions])).toEqual([
      ['order_1', ['create', 'disable']],
      ['order_2', ['create']],
      ['order_3', ['create']],
    ]);
    expect({ profile, kind }).toEqual({ profile: expect.any(String), kind: 'live' });
    const before = writes().length;
    await json(APPLY, text);
    expect(writes()).toHaveLength(before);
    expect(rows).toHaveLength(3);
  });

  const storing = (change: (order: StoredOrder) => StoredOrder) => {
    const rows: StoredOrder[] = [];
    return open(rows, ({ method, body }) => {
      if (method !== 'POST') return undefined;
      const id = `order_${rows.length + 1}`;
      rows.unshift(change({ ...JSON.parse(body), id, active: true }));
      return envelope(200, 'order_created', { data: { order_id: id } });
    });
  };

  it('creates an order once when the service writes its symbols in capitals', async () => {
    const { run, rows } = await storing((order) => ({ ...order, from_currency_symbol: 'BRL' }));
    const text = file({ ...NEW, from_currency_symbol: 'brl' });
    expect((await run(APPLY, text)).code).toBe(0);
    expect((await run(APPLY, text)).stdout).toContain('nothing_to_do');
    expect(rows).toHaveLength(1);
  });

  it('stops when the service stores another value, and prints the id and the stored value', async () => {
    const { run, rows } = await storing((order) => ({ ...order, amount_from: '25.01' }));
    const text = file({ ...NEW, amount_from: '25.009', active: false }, { ...NEW, amount_from: '7' });
    const { code, stderr, stdout } = await run(APPLY, text);
    expect({ code, count: rows.length }).toEqual({ code: 5, count: 1 });
    expect(stdout).toMatch(/0\torder_1\tcreate disable\tfailed\n1\t\tcreate\tnot_sent\n/);
    expect(stderr).toContain('  orders.0.amount_from: 25.009 is stored as 25.01');
    expect(stderr).toContain('id: order_1');
    await run(APPLY, file({ ...NEW, id: 'order_1', amount_from: '25.009' }));
    expect(rows).toHaveLength(1);
  });

  it('prints the id of a new order that cannot be read back', async () => {
    let isMade = false;
    const { run } = await open([], ({ method }) => {
      if (method === 'GET') return isMade ? envelope(400, 'invalid_parameters') : undefined;
      isMade = true;
      return undefined;
    });
    const { code, stderr } = await run(APPLY, file(NEW));
    expect(code).not.toBe(0);
    expect(stderr).toContain('id: order_1');
  });

  it('disables orders that the file does not name only with --disable-others', async () => {
    const { run, rows } = await open(many(2));
    const { id, active, ...fields } = storedOrder('order_1');
    const text = file({ id, active, amount_from: fields['amount_from'] });
    await run(APPLY, text);
    expect(rows.map((row) => row.active)).toEqual([true, true]);
    await run([...APPLY, '--disable-others'], text);
    expect(rows.map((row) => row.active)).toEqual([false, true]);
  });

  it.each([
    [
      'a shorter list, which the service would not shorten',
      { id: 'order_1', split_payment_config: [{ receiver_wallet: '0xaaa', receiver_percent: 100 }] },
      'orders.0.split_payment_config',
    ],
    [
      'shares that do not sum to 100',
      {
        id: 'order_1',
        split_payment_config: [
          { receiver_wallet: '0xaaa', receiver_percent: 1 },
          { receiver_wallet: '0xbbb', receiver_percent: 2 },
        ],
      },
      'orders.0.split_payment_config',
    ],
    ['an id that the account does not have', { id: 'order_7', amount_from: '1' }, 'orders.0.id'],
    ['a new order without its fields', { amount_from: '1' }, 'orders.0.to_currency_symbol'],
    ['an amount that is none', { id: 'order_1', amount_from: 'ten' }, 'orders.0.amount_from'],
    ['a field of the service', { id: 'order_1', created_at: 'x' }, 'orders.0.created_at'],
  ])('with %s is exit 2, names the place, and sends nothing', async (_, entry, place) => {
    const { run, writes } = await open(many(1));
    const { code, stderr } = await run(APPLY, file(entry, NEW));
    expect(code).toBe(2);
    expect(stderr).toContain(`  ${place}: `);
    expect(writes()).toEqual([]);
  });

  const MISTYPED = '0xFb6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

  it.each(['--verbose', '--dry-run', '--json'])(
    'of mistyped receivers is exit 2 and names each, with %s: nothing is sent',
    async (more) => {
      const { run, writes } = await open(many(1));
      const changed = { id: 'order_1', split_payment_config: splitOf('0xaaa', '0x1234') };
      const text = file({ ...NEW, split_payment_config: splitOf(ANNA, MISTYPED) }, NEW, changed);
      const { code, stdout, stderr } = await run([...APPLY, more], text);
      const said = stdout + stderr;
      expect(code).toBe(2);
      expect(said.match(/orders\.\d[\w.]*/g)).toEqual([
        'orders.0.split_payment_config.1.receiver_wallet',
        'orders.2.split_payment_config.1.receiver_wallet',
      ]);
      expect(said).toContain('EIP-55');
      expect(writes()).toEqual([]);
    },
  );

  it('checks a new receiver, and not the stored receivers', async () => {
    const { run, writes } = await open(many(1));
    const three = (third: string) => [
      ...[{ receiver_wallet: '0xaaa', receiver_percent: 60 }],
      ...[{ receiver_wallet: '0xbbb', receiver_percent: 30 }],
      ...[{ receiver_wallet: third, receiver_percent: 10 }],
    ];
    const applied = (third: string) => run(APPLY, file({ id: 'order_1', split_payment_config: three(third) }));
    const wrong = await applied(MISTYPED);
    expect({ code: wrong.code, writes: writes() }).toEqual({ code: 2, writes: [] });
    expect(wrong.stderr.match(/orders\.\S+(?=:)/g)).toEqual(['orders.0.split_payment_config.2.receiver_wallet']);
    expect((await applied(ANNA)).code).toBe(0);
    expect(writes()).toHaveLength(1);
  });

  it('warns once of a new receiver of an unknown address family, and sends it', async () => {
    const { run, writes } = await open([]);
    const { code, stderr } = await run(APPLY, file({ ...NEW, split_payment_config: splitOf(ANNA, 'TXYZ') }));
    expect([code, writes().length]).toEqual([0, 1]);
    expect(stderr.match(/warning: .*/g)).toEqual([
      expect.stringContaining('orders.0.split_payment_config.1.receiver_wallet: TXYZ is neither'),
    ]);
  });

  it.each([
    ['nothing but a switch', { active: false }],
    ['a few fields that a stored order happens to have', { active: false, to_currency_symbol: 'USDT' }],
  ])('of an entry without an id that has %s is exit 2, and disables no order', async (_, entry) => {
    const { run, writes } = await open(many(1));
    const { code, stderr } = await run(APPLY, file(entry));
    expect({ code, writes: writes() }).toEqual({ code: 2, writes: [] });
    expect(stderr).toContain('  orders.0.amount_from: ');
  });

  it('with the same id twice is exit 2', async () => {
    const { run, writes } = await open(many(1));
    const one = { id: 'order_1', amount_from: '1' };
    expect((await run(APPLY, file(one, one))).code).toBe(2);
    expect(writes()).toEqual([]);
  });

  it('of more orders than free slots is exit 7, and sends nothing', async () => {
    const { run, writes } = await open(many(19));
    const other = { ...NEW, amount_from: '1' };
    const { code, stderr } = await run(APPLY, file(other, { ...other, amount_from: '2' }));
    expect(code).toBe(7);
    expect(stderr).toContain('1 of 20 slots');
    expect(writes()).toEqual([]);
  });

  it('without --yes and a terminal is exit 2, and sends nothing', async () => {
    const { run, writes } = await open([]);
    expect((await run(['order', 'apply', '-f', '-'], file(NEW))).code).toBe(2);
    expect(writes()).toEqual([]);
  });

  it('sends nothing when an order changes after the plan', async () => {
    const rows = many(1);
    let reads = 0;
    const { run, writes } = await open(rows, ({ method }) => {
      if (method === 'GET') reads += 1;
      if (reads === 2) Object.assign(rows[0] ?? {}, { amount_from: '99' });
      return undefined;
    });
    const { code, stderr } = await run(APPLY, file({ id: 'order_1', amount_from: '30' }));
    expect(stderr).toContain('have changed since');
    expect({ code, writes: writes() }).toEqual({ code: 2, writes: [] });
  });

  it('uses the defaults of order create, and sends nothing the second time', async () => {
    const { run, writes } = await open([]);
    const { executor_id: _, on_ramp: __, gateway_method: ___, ...few } = NEW as Record<string, unknown>;
    expect((await run(APPLY, file(few))).code).toBe(0);
    expect(writes()).toHaveLength(1);
    expect(JSON.parse(writes()[0]?.body ?? '')).toMatchObject({ executor_id: 'api_transaction', on_ramp: false });
    expect((await run(APPLY, file(few))).code).toBe(0);
    expect(writes()).toHaveLength(1);
  });

  it('sends an unknown nested field with a warning', async () => {
    const { run, writes } = await open([]);
    const split = [{ receiver_wallet: ANNA, receiver_percent: 100, label: 'main' }];
    const { code, stderr } = await run(APPLY, file({ ...NEW, split_payment_config: split }));
    expect([code, writes().length], stderr).toEqual([0, 1]);
    expect(stderr).toContain('warning: orders.0.split_payment_config.0.label: ');
  });

  it('of an unknown field is exit 2, and suggests the right field', async () => {
    const { run, writes } = await open([]);
    const { code, stderr } = await run(APPLY, file({ ...NEW, amout_from: '1', constructor: 1 }));
    expect(code).toBe(2);
    expect(stderr).toContain('  orders.0.amout_from: an order has no such field; did you mean amount_from?\n');
    expect(stderr).toContain('  orders.0.constructor: an order has no such field\n');
    expect(writes()).toEqual([]);
  });

  it('with --dry-run shows the plan, and sends nothing', async () => {
    const { json, writes } = await open(many(1));
    const text = file({ id: 'order_1', amount_from: '30' }, { ...NEW, amount_from: '1' });
    const { orders } = await json(['order', 'apply', '-f', '-', '--dry-run'], text);
    expect(orders).toMatchObject([
      { id: 'order_1', actions: ['update'], outcome: 'planned', changes: [{ path: 'amount_from', after: '30' }] },
      { id: null, actions: ['create'], outcome: 'planned' },
    ]);
    expect(writes()).toEqual([]);
  });

  it('that fails halfway lists the outcome of each order, and a second run sends the rest', async () => {
    let isBroken = true;
    const { run, rows } = await open(many(3), ({ method, path }) =>
      isBroken && method === 'PATCH' && path === '/order/order_2' ? envelope(400, 'invalid_parameters') : undefined,
    );
    const text = file(...['order_1', 'order_2', 'order_3'].map((id) => ({ id, amount_from: '30' })));
    const { code, stdout } = await run([...APPLY, '--json'], text);
    const { error } = JSON.parse(stdout);
    expect(code).toBe(9);
    expect(error.data.orders.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'done',
      'failed',
      'not_sent',
    ]);
    expect(error.hint).toContain('1 of 3 orders are done');
    isBroken = false;
    expect((await run(APPLY, text)).stdout).toMatch(/order_1\t\tnothing_to_do\n.*update\tdone\n.*update\tdone\n/);
    expect(rows.every((row) => row['amount_from'] === '30')).toBe(true);
  });

  it('creates no order twice after a lost answer to a creation', async () => {
    let isLost = true;
    const { run, rows } = await open([], ({ method, body }) => {
      if (method !== 'POST' || !isLost) return undefined;
      isLost = false;
      rows.unshift({ ...JSON.parse(body), id: 'order_1', active: true });
      return (_, response) => void response.socket?.destroy();
    });
    const first = await run(APPLY, file(NEW));
    expect(first.code).not.toBe(0);
    expect(first.stderr).toContain('order_1');
    expect((await run(APPLY, file(NEW))).code).toBe(0);
    expect(rows).toHaveLength(1);
  });
});

describe('against the sandbox', () => {
  it('an exported, edited and applied file equals the next export', async () => {
    const { bursar } = await newHomeInProcess();
    onTestFinished(async () => void (await bursar(['sandbox', 'stop'])));
    const run = (args: readonly string[], stdin = '') => bursar(args, { env: { BURSAR_PROFILE: 'sandbox' }, stdin });
    const split = [
      '--split',
      '0x1111111111111111111111111111111111111111=70.10',
      '--split',
      '0x2222222222222222222222222222222222222222=29.90',
    ];
    for (const amount of ['25.10', '7'])
      await run([
        'order',
        'create',
        '--from-currency-symbol',
        'BRL',
        '--amount-from',
        amount,
        '--to-currency-symbol',
        'USDT',
        '--allow',
        'crypto',
        ...split,
      ]);
    const exported = (await run(['order', 'export'])).stdout;
    const edited = exported
      .replace('70.10', '60.05')
      .replace('29.90', '39.95')
      .replace('active: true', 'active: false');
    expect((await run(['order', 'apply', '-f', '-', '--yes'], edited)).code).toBe(0);
    expect((await run(['order', 'export'])).stdout).toBe(edited);
    expect((await run(['order', 'apply', '-f', '-'], edited)).stdout).toMatch(/^(.*nothing_to_do\n){2}$/);
  });
});
