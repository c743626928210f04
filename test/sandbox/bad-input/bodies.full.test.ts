import { expect, test } from 'vitest';
import type { Endpoint } from '../../../src/contract/define.ts';
import { ENDPOINTS } from '../../../src/contract/index.ts';
import { type Seen, startEphemeral, type TestSandbox, wrongFields } from '../sandbox.ts';
import { expectDocumented } from './expect.ts';
import { ODD_BODIES, ODD_JSON, ODD_QUERIES, ODD_SEGMENTS, ODD_TEXTS } from './values.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The path of an endpoint's example, with its query. */
const pathOf = ({ path, query, example }: Endpoint, more: Readonly<Record<string, string>> = {}): string => {
  const whole = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(example[name]));
  const given = Object.keys(query ?? {}).filter((name) => example[name] !== undefined);
  const search = new URLSearchParams({
    ...Object.fromEntries(given.map((name) => [name, asText(example[name])])),
    ...more,
  });
  return search.size > 0 ? `${whole}?${search}` : whole;
};

/** The fields of an endpoint's body in its example, as JSON text, one of them replaced by text of a test. */
const bodyWith = ({ body, example }: Endpoint, field: string, json: string): string => {
  const fields = Object.keys(body ?? {}).filter((name) => name !== field && example[name] !== undefined);
  return `{${[...fields.map((name) => `"${name}":${JSON.stringify(example[name])}`), `"${field}":${json}`].join(',')}}`;
};

const alive = async ({ get }: TestSandbox): Promise<void> => {
  expect((await get('/config/products')).body.status).toBe('products_listed');
};

const withBody = ENDPOINTS.filter(({ body }) => body).map((endpoint) => [endpoint.id, endpoint] as const);
const all = ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const);

test.each(withBody)('%s: a body that is no usable object', async (_, endpoint) => {
  const sandbox = await startEphemeral();
  for (const [name, body, type = 'application/json'] of ODD_BODIES) {
    const answer = await fetch(sandbox.address.url + pathOf(endpoint), {
      method: endpoint.method,
      headers: { 'x-api-key': sandbox.address.api_key, 'content-type': type },
      body,
    });
    const seen = { http: answer.status, headers: answer.headers, body: await answer.json() } as Seen;
    expectDocumented(endpoint, seen, name);
    expect([name, seen.body.status, wrongFields(seen)[0]]).toEqual([name, endpoint.invalid, 'body']);
  }
  const none = await sandbox.call(endpoint.method, pathOf(endpoint));
  expectDocumented(endpoint, none, 'no body');
  expect(none.http).toBeGreaterThanOrEqual(400);
  await alive(sandbox);
});

test.each(withBody)('%s: odd values in each field, unknown and inner ones too', async (_, endpoint) => {
  const sandbox = await startEphemeral();
  const values = [...ODD_TEXTS.map((text) => JSON.stringify(text)), ...ODD_JSON];
  const inner = Object.entries(endpoint.example).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((key) => [name, (json: string) => `{"${key}":${json}}`] as const)
      : [],
  );
  const plain = (json: string): string => json;
  const places = [
    ...[...Object.keys(endpoint.body ?? {}), 'unknown_field', '__proto__', 'constructor'].map(
      (name) => [name, plain] as const,
    ),
    ...inner,
  ];
  for (const [field, wrap] of places) {
    await Promise.all(
      values.map(async (json) => {
        const body = bodyWith(endpoint, field, wrap(json));
        const seen = await sandbox.call(endpoint.method, pathOf(endpoint), { body });
        expectDocumented(endpoint, seen, `${field}: ${wrap(json).slice(0, 80)}`);
      }),
    );
  }
  expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  await alive(sandbox);
});

test.each(all)('%s: odd queries, and odd parts of its path', async (_, endpoint) => {
  const sandbox = await startEphemeral();
  const { method, body, example } = endpoint;
  const given = body ? { body: example } : {};
  for (const query of ODD_QUERIES) {
    const path = pathOf(endpoint);
    const seen = await sandbox.call(method, `${path}${path.includes('?') ? '&' : '?'}${query}`, given);
    expectDocumented(endpoint, seen, `?${query.slice(0, 60)}`);
  }
  const odd = [...ODD_TEXTS, '\0', 'a\0b'].map((text) => text.slice(0, 4000));
  for (const name of Object.keys(endpoint.query ?? {})) {
    for (const text of odd) {
      const seen = await sandbox.call(method, pathOf(endpoint, { [name]: text }), given);
      expectDocumented(endpoint, seen, `${name}=${text.slice(0, 60)}`);
    }
  }
  for (const name of Object.keys(endpoint.params ?? {})) {
    for (const segment of ODD_SEGMENTS) {
      const path = endpoint.path.replace(`{${name}}`, segment);
      const seen = await sandbox.call(method, path, given);
      // What leads out of the endpoint is another path, or none.
      const isOwn = isAt(endpoint, new URL(path, sandbox.address.url).pathname);
      if (isOwn && seen.body.status !== 'route_not_found') expectDocumented(endpoint, seen, path);
      expect([path.slice(0, 60), seen.http < 500, seen.body.statusCode]).toEqual([path.slice(0, 60), true, seen.http]);
    }
  }
  await alive(sandbox);
});

test.each(all)('%s: a key that is no key, another path, another method', async (_, endpoint) => {
  const sandbox = await startEphemeral();
  const path = pathOf(endpoint);
  for (const key of [
    '',
    ' ',
    "' OR 1=1 --",
    'x'.repeat(8000),
    `${sandbox.address.api_key}x`,
    sandbox.address.control_key,
  ]) {
    const seen = await sandbox.call(endpoint.method, path, { key });
    expect([key.slice(0, 20), seen.http, seen.body.status]).toEqual([key.slice(0, 20), 401, 'unauthorized']);
  }
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const others = ENDPOINTS.filter((other) => isAt(other, path)).map((other) => other.method as string);
    if (others.includes(method)) continue;
    const seen = await sandbox.call(method, path);
    expect([method, seen.http, seen.body.status]).toEqual([method, 405, 'method_not_allowed']);
    expect(seen.headers.get('allow')?.split(', ').toSorted()).toEqual(others.toSorted());
  }
  for (const wrong of [`${path.split('?')[0]}/`, `${path.split('?')[0]}x`, `/x${path}`, path.toUpperCase()]) {
    const seen = await sandbox.call(endpoint.method, wrong);
    if (!ENDPOINTS.some((other) => isAt(other, wrong))) {
      expect([wrong, seen.http, seen.body.status]).toEqual([wrong, 404, 'route_not_found']);
    }
  }
});

/** Whether an endpoint has that path, whatever its method. */
const isAt = ({ path }: Endpoint, whole: string): boolean =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?.*)?$`).test(whole);

test.each(ODD_TEXTS.filter((text) => text.length < 1000 && text.trim() !== ''))(
  'an order whose every text is %j comes back as it was sent',
  async (text) => {
    const sandbox = await startEphemeral();
    const { example } = ENDPOINTS.find(({ id }) => id === 'order.create') ?? { example: {} };
    const sent = {
      ...example,
      executor_id: text,
      order_items: [{ name: text, inner: { [`${text}.`]: text } }],
      subscription_payment_config: { note: text, list: [text] },
      own_field: { deep: [{ [`${text}.`]: text }] },
      split_payment_config: [{ receiver_wallet: text, receiver_percent: 100 }],
    };
    const { body } = await sandbox.post('/order/create', sent);
    expect(body.status).toBe('order_created');
    const [stored] = (await sandbox.get('/order/list')).body.data.orders;
    expect(stored).toMatchObject(sent);
    const changes = { body: { to_currency_symbol: text } };
    const changed = await sandbox.call('PATCH', `/order/${body.data.order_id}`, changes);
    expect(changed.body.data).toMatchObject({ ...sent, to_currency_symbol: text });
  },
);
