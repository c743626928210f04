import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHomeInProcess } from '../../support/in-process.ts';
import { PAYMENT } from '../../support/journey.ts';
import { envelope, startServer } from '../../support/server.ts';

const KEY = 'sk_live_0123456789';

/** A home whose working folder has a project file for a service that nobody else names. */
const given = async (more: object = {}) => {
  const { home, bursar } = await newHomeInProcess();
  const answer = (request: { readonly path: string }) =>
    request.path.includes('register')
      ? envelope(201, 'payment_registered', { data: { payment_id: 'pay_1' } })
      : envelope(200, 'products_listed', { data: {} });
  const { url, received } = await startServer((request, response) => answer(request)(request, response));
  await writeFile(join(home, 'bursar.json'), JSON.stringify({ base_url: url, ...more }));
  await writeFile(join(home, 'key'), KEY, { mode: 0o600 });
  return { home, bursar, url, received };
};

describe('a project file that names a service', () => {
  it.each([
    ['BURSAR_API_KEY', { BURSAR_API_KEY: KEY }],
    ['BURSAR_API_KEY_FILE', { BURSAR_API_KEY_FILE: 'key' }],
  ])('gets no key of %s: exit 2 with what confirms it, and nothing is sent', async (_, env) => {
    const { bursar, url, received } = await given();
    for (const args of [['products'], ['whoami'], ['products', '--curl']]) {
      const { code, stderr } = await bursar([...args], { env });
      expect({ args, code, stderr }).toEqual({
        args,
        code: 2,
        stderr: expect.stringContaining(`set BURSAR_BASE_URL=${url} to confirm`),
      });
    }
    expect(received).toEqual([]);
  });

  it('gets it once the user has named that address', async () => {
    const { bursar, url, received } = await given();
    const env = { BURSAR_API_KEY: KEY };
    expect((await bursar(['products'], { env: { ...env, BURSAR_BASE_URL: url } })).code).toBe(0);
    expect((await bursar(['products', '--base-url', url], { env })).code).toBe(0);
    expect((await bursar(['profile', 'set', 'own', `base_url=${url}`])).code).toBe(0);
    expect((await bursar(['products'], { env })).code).toBe(0);
    expect(received).toHaveLength(3);
  });

  it('shows its webhook_url and public_client_id before they are used, and only then', async () => {
    const [hook, id] = ['https://project.example/hook', `client_${'1'.repeat(32)}`];
    const { home, bursar, url } = await given({ webhook_url: hook, public_client_id: id });
    const { tenant_data, payer_email, ...payment } = PAYMENT;
    await writeFile(join(home, 'bare.json'), JSON.stringify(payment));
    await writeFile(join(home, 'whole.json'), JSON.stringify({ ...payment, tenant_data }));
    const env = { BURSAR_API_KEY: KEY, BURSAR_BASE_URL: url };
    const register = (file: string) => bursar(['pay', 'register', '--body', file, '--quiet'], { env });
    const { code, stderr } = await register('bare.json');
    expect({ code, payer_email }).toMatchObject({ code: 0 });
    expect(stderr).toContain(`bursar.json sets webhook_url ${hook}, public_client_id ${id}`);
    expect((await register('whole.json')).stderr, 'the body says its own').not.toContain('bursar.json sets');
  });
});

describe('a project file that names the sandbox', () => {
  it('has not asked for it without a terminal', async () => {
    const { home, bursar } = await newHomeInProcess();
    await writeFile(join(home, 'bursar.json'), JSON.stringify({ profile: 'sandbox' }));
    const { code, stderr } = await bursar(['products']);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('bursar.json names the sandbox') });
    expect((await bursar(['products', '--profile', 'production'])).code, 'an option wins').toBe(2);
  });
});
