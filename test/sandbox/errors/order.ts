import { create as createEndpoint } from '../../../src/contract/order/create.ts';
import type { Client } from '../sandbox.ts';
import { type Case, inOneSandbox } from './case.ts';

const MAX_ORDERS = 20;

const create = ({ post }: Client, more: object = {}) => post('/order/create', { ...createEndpoint.example, ...more });

const withOrder = async (client: Client): Promise<string> => `/order/${(await create(client)).body.data.order_id}`;

const CALLS = {
  'order.create': ['POST', '/order/create', createEndpoint.example],
  'order.list': ['GET', '/order/list', undefined],
  'order.update': ['PATCH', '/order/x', { amount_from: '1' }],
  'order.toggle': ['PATCH', '/order/x/toggle', undefined],
} as const;

/** Each order endpoint with a valid key without a tenant. */
const KEYS_WITHOUT_TENANT = Object.entries(CALLS).map(([endpoint, [method, path, body]]) =>
  inOneSandbox(
    endpoint as keyof typeof CALLS,
    'customer_not_logged',
    'the key belongs to no tenant',
    async (client) => {
      const { api_key: key } = (await client.control('POST', 'tenant', { without_tenant: true })).body.data;
      return client.call(method, path, { key, body });
    },
  ),
);

export const ORDER_CASES: readonly Case[] = [
  ...KEYS_WITHOUT_TENANT,
  inOneSandbox('order.create', 'invalid_parameters', 'no payment method is allowed', (client) =>
    create(client, { payment_method_allowed: { crypto: false } }),
  ),
  inOneSandbox('order.create', 'order_limit_reached', 'the account has 20 orders', async (client) => {
    for (let at = 0; at < MAX_ORDERS; at += 1) await create(client);
    return create(client);
  }),
  inOneSandbox('order.list', 'invalid_parameters', 'a page before the first', ({ get }) => get('/order/list?page=0')),
  inOneSandbox('order.update', 'invalid_parameters', 'an amount that is no decimal', async (client) =>
    client.call('PATCH', await withOrder(client), { body: { amount_from: 'much' } }),
  ),
  inOneSandbox('order.update', 'no_fields_to_update', 'an empty update', async (client) =>
    client.call('PATCH', await withOrder(client), { body: {} }),
  ),
  inOneSandbox('order.update', 'order_not_found', 'nobody has this order', ({ call }) =>
    call('PATCH', '/order/unknown', { body: { amount_from: '1' } }),
  ),
  inOneSandbox('order.toggle', 'invalid_parameters', 'an id with a NUL character', ({ call }) =>
    call('PATCH', '/order/a%00b/toggle'),
  ),
  inOneSandbox('order.toggle', 'order_not_found', 'nobody has this order', ({ call }) =>
    call('PATCH', '/order/unknown/toggle'),
  ),
];
