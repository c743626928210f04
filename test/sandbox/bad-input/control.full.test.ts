import { expect, test } from 'vitest';
import type { ControlEndpoint } from '../../../src/contract/control/define.ts';
import { CONTROL_ENDPOINTS } from '../../../src/contract/control/index.ts';
import { fieldsOf } from '../../../src/contract/define.ts';
import { startEphemeral } from '../sandbox.ts';
import { expectEnvelope } from './expect.ts';
import { ODD_BODIES, ODD_JSON, ODD_QUERIES, ODD_TEXTS } from './values.ts';

/** All calls of the control with fields. Reset and stop have none. */
const CALLS = (CONTROL_ENDPOINTS as readonly ControlEndpoint[])
  .filter((endpoint) => Object.keys(fieldsOf(endpoint)).length > 0)
  .map((endpoint) => [endpoint.id, endpoint] as const);

test.each(CALLS)(
  '%s: returns documented answers for odd input',
  async (_, { method, path: name, body: takesBody, example: right, errors }) => {
    const sandbox = await startEphemeral();
    const headers = { 'x-control-key': sandbox.address.control_key };
    const send = async (path: string, body?: string, type = 'application/json') => {
      const answer = await sandbox.call(method, path, {
        headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
        body,
      });
      const label = `${path.slice(0, 80)} ${body?.slice(0, 80)}`;
      expectEnvelope(answer.http, JSON.stringify(answer.body), label);
      if (answer.http !== 200) expect(errors, label).toHaveProperty(answer.body.status, answer.http);
    };
    const values = [...ODD_TEXTS, '\0'].map((text) => JSON.stringify(text));
    for (const field of [...Object.keys(right), 'unknown', '__proto__']) {
      if (!takesBody) {
        for (const text of [...ODD_TEXTS.map((odd) => odd.slice(0, 4000)), '\0']) {
          const query = new URLSearchParams({ ...(right as Record<string, string>), [field]: text });
          await send(`${name}?${query}`);
        }
      } else {
        const others = Object.entries(right).filter(([key]) => key !== field);
        for (const json of [...values, ...ODD_JSON]) {
          const fields = [...others.map(([key, value]) => `"${key}":${JSON.stringify(value)}`), `"${field}":${json}`];
          await send(name, `{${fields.join(',')}}`);
        }
      }
    }
    if (!takesBody) for (const query of ODD_QUERIES) await send(`${name}?${query}`);
    else for (const [, body, type] of ODD_BODIES) if (typeof body === 'string') await send(name, body, type);
    const clear = await sandbox.call('DELETE', '/_sandbox/fault', { headers });
    expect(clear.http).toBe(200);
    expect((await sandbox.get('/config/products')).body.status).toBe('products_listed');
  },
);

test('returns 404 for unknown paths and methods of the control with the key, and 401 without the key', async () => {
  const { call, address } = await startEphemeral();
  for (const [method, path, http] of [
    ['GET', '/_sandbox/nope', 404],
    ['GET', '/_sandbox/', 404],
    ['PUT', '/_sandbox/fund', 404],
    ['POST', '/_sandbox/fund/', 404],
    ['GET', '/_sandbox/%2e%2e/config/products', 200],
    ['GET', '/_sandbox/__proto__', 404],
  ] as const) {
    const headers = { 'x-control-key': address.control_key };
    expect([path, (await call(method, path, { headers })).http]).toEqual([path, http]);
    if (http !== 200) expect([path, (await call(method, path)).http]).toEqual([path, 401]);
  }
});
