import { expect, test } from 'vitest';
import { register } from './payer.ts';
import { startEphemeral } from './sandbox.ts';

test('creates a new tenant for each new key, and hides payments of other tenants', async () => {
  const sandbox = await startEphemeral();
  const created = await Promise.all([1, 2, 3].map(() => sandbox.control('POST', 'tenant', {})));
  expect(created.map(({ body }) => body.data.tenant).toSorted()).toEqual(['tenant_2', 'tenant_3', 'tenant_4']);
  const { payment_id } = (await register(sandbox)).body.data;
  for (const { body } of created) {
    expect(body.data.api_key).toMatch(/^sandbox_[\w-]{32}$/);
    const answer = await sandbox.call('GET', `/payment/${payment_id}/status`, { key: body.data.api_key });
    expect([answer.http, answer.body.status]).toEqual([404, 'payment_not_found']);
  }
  expect((await sandbox.get(`/payment/${payment_id}/status`)).http).toBe(200);
});

test('serves a key without a tenant only at endpoints without tenant data', async () => {
  const sandbox = await startEphemeral();
  const { data } = (await sandbox.control('POST', 'tenant', { without_tenant: true })).body;
  expect(data.tenant).toBeNull();
  for (const [method, path, http, status] of [
    ['GET', '/config/products', 200, 'products_listed'],
    ['GET', '/kyc/status?email=a@example.com', 404, 'kyc_not_found'],
    ['POST', '/payment/register/intents-create-order', 401, 'unauthorized'],
    ['GET', '/order/list', 401, 'customer_not_logged'],
  ] as const) {
    const answer = await sandbox.call(method, path, { key: data.api_key });
    expect([path, answer.http, answer.body.status]).toEqual([path, http, status]);
  }
});

test('names the wrong field of a tenant request', async () => {
  const { http, body } = await (await startEphemeral()).control('POST', 'tenant', { without_tenant: 'yes' });
  expect([http, body.errors?.[0]?.field]).toEqual([400, 'without_tenant']);
});
