import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/index.ts';
import { startEphemeral } from '../sandbox.ts';

test('lists every endpoint with its fields and statuses, and serves the OpenAPI document', async () => {
  const { address } = await startEphemeral();
  const page = await fetch(`${address.url}/reference`);
  const text = await page.text();
  expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining("'none'")]);
  for (const { method, path, body = {}, success, errors } of ENDPOINTS) {
    expect(text).toContain(`${method} ${path}</span>`);
    for (const name of [...Object.keys(body), ...Object.keys(success), ...Object.keys(errors)]) {
      expect(text, path).toContain(`>${name}</span>`);
    }
  }
  // An integrator needs these for the first call: nested fields, the URL, the key, the answers and the webhook.
  for (const part of [
    ...[
      'tenant_data.public_client_id',
      'split_payment_config[].receiver_wallet',
      'card_data.address.zipcode',
      'fiat_tx',
    ],
    ...[address.url, 'x-api-key', 'data_error', 'payment.status_changed', '--data-raw &#39;{&quot;executor_id&quot;'],
  ]) {
    expect(text).toContain(part);
  }
  expect(text).toContain('string, such as registered, retry, processing, received, success, error');
  expect(text).toContain('404, not in the document');
  expect(text).toContain('not in the document; the sandbox answers 403');
  const document = await fetch(`${address.url}/openapi.json`);
  expect(document.headers.get('content-type')).toBe('application/json');
  const { openapi, servers, paths } = JSON.parse(await document.text());
  expect([openapi, servers[0]]).toEqual(['3.1.0', expect.objectContaining({ url: address.url })]);
  expect(Object.keys(paths)).toHaveLength(new Set(ENDPOINTS.map(({ path }) => path)).size);
});
