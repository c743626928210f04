import { expect, test } from 'vitest';
import { dashboardLink } from '../../../src/sandbox/address.ts';
import { startServer } from '../../support/server.ts';
import { proveEmail } from '../identity.ts';
import { create, FIAT_ORDER, PIX, until } from '../money.ts';
import { statusOf } from '../payer.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from '../sandbox.ts';

const EMAIL = 'ana.souza@example.com';

/** Opens the dashboard link; returns the cookie that it sets. */
const cookieOf = async ({ address }: Pick<TestSandbox, 'address'>): Promise<string> => {
  const response = await fetch(dashboardLink(address), { redirect: 'manual' });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
};

const LISTS = ['payments', 'requests', 'orders', 'inbox', 'webhooks', 'kyc', 'yield', 'faults', 'chains'];
const PATHS = ['/', ...LISTS.map((list) => `/?list=${list}`)];

/** A sandbox with personal data: an e-mail, its code, a webhook URL, and the answer of the shop. */
const startWithPersonalData = async () => {
  const hooks = await startServer((_, reply) => void reply.end('said by the shop'));
  const sandbox = await startEphemeral();
  await proveEmail(sandbox, EMAIL);
  const tenant_data = { public_client_id: `client_${'0a'.repeat(16)}`, webhook_url: `${hooks.url}/hook-secret` };
  const { id, created } = await create(sandbox, { ...PIX, payer_email: EMAIL }, { ...FIAT_ORDER, tenant_data });
  await sandbox.control('POST', 'pix', { payment_id: id, outcome: 'refuse' });
  await until(async () => {
    const { events } = (await sandbox.control('GET', 'events')).body.data;
    return events[0].state === 'delivered' || undefined;
  });
  const { code } = (await sandbox.control('GET', 'inbox')).body.data.emails[0];
  const { entries } = (await sandbox.control('GET', 'logs?lines=100&bodies=true')).body.data;
  const requests = entries.map((entry: { id: string }) => `/?request=${entry.id}`);
  const searches = ['payments', 'kyc'].map((list) => `/?list=${list}&search=souza`);
  const paths = [...PATHS, `/?payment=${id}`, ...searches, ...requests];
  const read = async (cookie?: string) => {
    const pages = paths.map((path) => fetch(sandbox.address.url + path, { headers: cookie ? { cookie } : {} }));
    return (await Promise.all(pages.map(async (page) => (await page).text()))).join('\n');
  };
  const token = new URL(created.body.data.session_payment).searchParams.get('token') ?? '';
  return { sandbox, id, code, token, read };
};

test('shows payment ids but no personal data to a visitor without the dashboard link', async () => {
  const { id, code, read } = await startWithPersonalData();
  const text = await read();
  expect(text).toContain(id);
  for (const secret of [EMAIL, 'ana.souza', code, 'hook-secret', 'said by the shop', 'public_client_id', 'curl'])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
});

test('shows personal data to a visitor with the dashboard link, but no key and no token', async () => {
  const { sandbox, code, token, read } = await startWithPersonalData();
  const pages = await read(await cookieOf(sandbox));
  for (const text of [EMAIL, code, 'hook-secret', 'said by the shop', 'public_client_id'])
    expect(pages).toContain(text);
  const { api_key, control_key } = sandbox.address;
  for (const secret of [api_key, control_key, token])
    expect([secret.length > 20, pages.includes(secret)]).toEqual([true, false]);
});

test('redirects the dashboard link to a URL without a key and sets an HttpOnly, SameSite=Strict cookie', async () => {
  const sandbox = await startEphemeral();
  const response = await fetch(dashboardLink(sandbox.address), { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
  const { port } = new URL(sandbox.address.url);
  expect(response.headers.get('set-cookie')).toMatch(
    new RegExp(`^bursar_${port}=[\\w-]{22}; Path=/; HttpOnly; SameSite=Strict$`),
  );
  const { control_key } = sandbox.address;
  expect(response.headers.get('set-cookie')).not.toContain(control_key);
});

test("rejects a wrong key, the control key, the API key and another sandbox's cookie", async () => {
  const { sandbox, read } = await startWithPersonalData();
  const [name] = (await cookieOf(sandbox)).split('=');
  const [, foreign] = (await cookieOf(await startEphemeral())).split('=');
  for (const key of ['', 'x', foreign ?? '', sandbox.address.control_key, sandbox.address.api_key]) {
    const response = await fetch(`${sandbox.address.url}/?key=${key}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
    expect(await read(`${name}=${key}`)).not.toContain(EMAIL);
  }
});

test('rejects a POST from another site, and sends headers that forbid framing and reading', async () => {
  const sandbox = await startEphemeral();
  const { id, created } = await create(sandbox, PIX);
  const page = String(created.body.data.session_payment);
  const pay = page.replace('?', '/pix/pay?');
  const foreign: readonly Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    // A server on another port of this machine is the same site, and another origin.
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];
  for (const headers of foreign) {
    expect([headers, (await fetch(pay, { method: 'POST', headers })).status]).toEqual([headers, 403]);
  }
  expect((await statusOf(sandbox, id)).status).toBe('registered');
  const { headers } = await fetch(page, { headers: { origin: 'https://evil.example' } });
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  const own = await fetch(pay, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, redirect: 'manual' });
  expect([own.status, own.headers.get('location')]).toEqual([303, page.slice(sandbox.address.url.length)]);
});

test('serves a payment page and its actions only with the token of that payment', async () => {
  const sandbox = await startEphemeral();
  const [one, other] = [await create(sandbox, PIX), await create(sandbox, PIX)];
  const token = new URL(other.created.body.data.session_payment).search;
  for (const search of ['', '?token=', '?token=x', token, `${token}&token=x`]) {
    const page = `${sandbox.address.url}/pay/${one.id}`;
    const actions = ['/pix/pay', '/card', '/card/approve'].map((path) =>
      fetch(page + path + search, { method: 'POST' }),
    );
    const responses = await Promise.all([fetch(page + search), ...actions]);
    expect([search, ...responses.map(({ status }) => status)]).toEqual([search, 404, 404, 404, 404]);
  }
  expect((await statusOf(sandbox, one.id)).status).toBe('registered');
});

test('stores no card data typed on the payment page, and does not return it', async () => {
  const io = await sandboxIo();
  const sandbox = await startTestSandbox(io);
  const { cardFields, withLedger } = await import('../money.ts');
  const { created } = await create(sandbox, cardFields({ card_token: 'tok_pending' }));
  const action = String(created.body.data.session_payment).replace('?', '/card?');
  const body = new URLSearchParams({ number: '5105105105105100', holder: 'ZELIA Q', expiry: '12/40', cvc: '987' });
  const response = await fetch(action, { method: 'POST', body });
  expect([response.status, await response.text()]).toEqual([200, expect.not.stringMatching(/5105105|ZELIA|>987</)]);
  await sandbox.stop();
  const rows = await withLedger(io, async (ledger) => [
    await ledger.selectFrom('payments').selectAll().execute(),
    await ledger.selectFrom('charges').selectAll().execute(),
    await ledger.selectFrom('webhook_events').selectAll().execute(),
  ]);
  expect(JSON.stringify(rows)).not.toMatch(/5105105|ZELIA/);
});
