import { expect, test } from 'vitest';
import { actingLink, dashboardLink } from '../../../src/sandbox/address.ts';
import { proveEmail, statusOfUser } from '../identity.ts';
import { cardFields, create, PIX, whenStatus } from '../money.ts';
import { balancesOf, RECEIVERS, statusOf } from '../payer.ts';
import { startEphemeral, type TestSandbox } from '../sandbox.ts';

/** Opens the acting link; returns the URL of the new session. */
const startSession = async ({ address }: Pick<TestSandbox, 'address'>): Promise<string> => {
  const response = await fetch(actingLink(address), { redirect: 'manual' });
  expect([response.status, response.headers.get('set-cookie')]).toEqual([303, null]);
  return address.url + response.headers.get('location');
};

type Query = Readonly<Record<string, string>>;

const decidePage = (session: string, query: Query) => fetch(`${session}decide?${new URLSearchParams(query)}`);

const tokenIn = (page: string): string => /name="token" value="(\w+)"/.exec(page)?.[1] ?? '';

const fetchToken = async (session: string, query: Query): Promise<string> =>
  tokenIn(await (await decidePage(session, query)).text());

/** Posts a form as a browser does from a page of this origin; `headers` replaces some headers. */
const post = (session: string, fields: Query, headers: Query = {}) =>
  fetch(`${session}do`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: new URL(session).origin, 'sec-fetch-site': 'same-origin', ...headers },
    redirect: 'manual',
  });

/** Submits the form of a confirmation page; returns the dashboard page that follows. */
const act = async (session: string, query: Query): Promise<string> => {
  const done = await post(session, { token: await fetchToken(session, query) });
  expect([query, done.status]).toEqual([query, 303]);
  return (await fetch(new URL(done.headers.get('location') ?? '', `${session}do`))).text();
};

const ADVANCE = { do: 'process.advance', advance: '1h' };

const offsetOf = async ({ control }: TestSandbox): Promise<number> =>
  (await control('GET', 'clock')).body.data.offset_ms;

test('shows the effect of an action without applying it; the form applies it once', async () => {
  const sandbox = await startEphemeral();
  const session = await startSession(sandbox);
  const page = await (await decidePage(session, ADVANCE)).text();
  expect([page.includes('Move the clock forward by 1h?'), await offsetOf(sandbox)]).toEqual([true, 0]);
  const token = tokenIn(page);
  const done = await post(session, { token, advance: '99d', do: 'chain.fund' });
  expect([done.status, done.headers.get('location'), await offsetOf(sandbox)]).toEqual([303, './', 3_600_000]);
  const nextPage = await (await fetch(session)).text();
  expect(nextPage).toContain('The sandbox&#39;s time was moved.');
  expect(await (await fetch(session)).text()).not.toContain('id="outcome"');
  expect([(await post(session, { token })).status, await offsetOf(sandbox)]).toEqual([403, 3_600_000]);
});

test('rejects a missing, wrong or foreign form token, and a form with another content type', async () => {
  const sandbox = await startEphemeral();
  const [session, other] = [await startSession(sandbox), await startSession(sandbox)];
  const foreign = await fetchToken(other, ADVANCE);
  const elsewhere = await fetchToken(await startSession(await startEphemeral()), ADVANCE);
  for (const token of ['', 'x', '0'.repeat(32), foreign, elsewhere]) {
    expect([token, (await post(session, { token })).status]).toEqual([token, 403]);
  }
  expect((await post(session, {})).status).toBe(403);
  const token = await fetchToken(session, ADVANCE);
  expect((await post(session, { token }, { 'content-type': 'text/plain' })).status).toBe(403);
  expect(await offsetOf(sandbox)).toBe(0);
  expect((await post(other, { token: foreign })).status).toBe(303);
});

test('changes nothing on GET, HEAD, PUT, DELETE or PATCH, nor on a POST to the confirmation page', async () => {
  const sandbox = await startEphemeral();
  const session = await startSession(sandbox);
  const token = await fetchToken(session, ADVANCE);
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
    const response = await fetch(`${session}do?token=${token}&do=process.advance&advance=1h`, { method });
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
  }
  const posted = await fetch(`${session}decide?do=process.advance&advance=1h`, { method: 'POST' });
  expect([posted.status, await offsetOf(sandbox)]).toEqual([403, 0]);
});

test('rejects a form from another origin, or without an Origin header, even with a valid token', async () => {
  const sandbox = await startEphemeral();
  const session = await startSession(sandbox);
  const token = await fetchToken(session, ADVANCE);
  const own = new URL(session).origin;
  const headers: readonly Query[] = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: own, 'sec-fetch-site': 'cross-site' },
    { origin: own, 'sec-fetch-site': 'same-site' },
    { origin: own, 'sec-fetch-site': 'none' },
    { origin: 'http://127.0.0.1:1' },
    { origin: own.replace('127.0.0.1', 'localhost') },
    { origin: own.replace('http:', 'https:') },
    { origin: 'null' },
  ];
  for (const foreign of headers) {
    expect([foreign, (await post(session, { token }, foreign)).status]).toEqual([foreign, 403]);
  }
  const without = await fetch(`${session}do`, { method: 'POST', body: new URLSearchParams({ token }) });
  expect([without.status, await offsetOf(sandbox)]).toEqual([403, 0]);
  const later = await post(session, { token }, { 'sec-fetch-site': 'same-origin' });
  expect([later.status, await offsetOf(sandbox)]).toEqual([303, 3_600_000]);
});

test('accepts only the acting key for actions, and accepts that key for nothing else', async () => {
  const sandbox = await startEphemeral();
  const { url, control_key, api_key } = sandbox.address;
  const reading = new URL(dashboardLink(sandbox.address)).searchParams.get('key') ?? '';
  const acting = new URL(actingLink(sandbox.address)).searchParams.get('act') ?? '';
  const foreign = new URL(actingLink((await startEphemeral()).address)).searchParams.get('act') ?? '';
  for (const key of ['', 'x', reading, foreign, control_key, api_key]) {
    const response = await fetch(`${url}/?act=${key}`, { redirect: 'manual' });
    expect([key, response.status, response.headers.get('location')]).toEqual([key, 403, null]);
  }
  const cookie = (await fetch(dashboardLink(sandbox.address), { redirect: 'manual' })).headers.get('set-cookie') ?? '';
  const session = await startSession(sandbox);
  const token = await fetchToken(session, ADVANCE);
  for (const name of [reading, acting, control_key, '0'.repeat(32)]) {
    const place = `${url}/act/${name}/`;
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    const responses = [
      await fetch(place, { headers }),
      await decidePage(place, ADVANCE),
      await post(place, { token }, headers),
    ];
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403]);
  }
  const asReading = await fetch(`${url}/?key=${acting}`, { redirect: 'manual' });
  const asControl = await fetch(`${url}/_sandbox/clock`, { headers: { 'x-control-key': acting } });
  expect([asReading.status, asControl.status, await offsetOf(sandbox)]).toEqual([403, 401, 0]);
  const readingPage = await (await fetch(`${url}/?list=faults`, { headers: { cookie } })).text();
  expect(readingPage).not.toContain('action="decide"');
});

test('serves session pages without keys and with headers against framing; the log has no session id', async () => {
  const sandbox = await startEphemeral();
  const session = await startSession(sandbox);
  const lists = ['payments', 'requests', 'webhooks', 'kyc', 'yield', 'faults', 'chains'].map((list) => `?list=${list}`);
  const { api_key, control_key } = sandbox.address;
  const acting = new URL(actingLink(sandbox.address)).searchParams.get('act') ?? '';
  for (const path of ['', ...lists, `decide?${new URLSearchParams(ADVANCE)}`]) {
    const response = await fetch(session + path);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect([
      path,
      response.status,
      policy.includes("frame-ancestors 'none'"),
      policy.includes("form-action 'self'"),
    ]).toEqual([path, 200, true, true]);
    expect([response.headers.get('referrer-policy'), response.headers.get('cache-control')]).toEqual([
      'same-origin',
      'no-store',
    ]);
    const text = await response.text();
    for (const key of [api_key, control_key, acting]) expect(text).not.toContain(key);
  }
  const { entries } = (await sandbox.control('GET', 'logs?lines=1000')).body.data;
  const id = session.split('/').at(-2) ?? '';
  expect([id.length, JSON.stringify(entries).includes(id), JSON.stringify(entries).includes(acting)]).toEqual([
    ...[32, false, false],
  ]);
});

test('ends the oldest session when a ninth session starts', async () => {
  const sandbox = await startEphemeral();
  const first = await startSession(sandbox);
  const later = [];
  for (let count = 0; count < 8; count += 1) later.push(await startSession(sandbox));
  expect((await fetch(first)).status).toBe(403);
  expect((await fetch(later[7] ?? '')).status).toBe(200);
});

test('funds wallets, adds and clears faults, decides Pix, cards and KYC, and resends webhooks', async () => {
  const sandbox = await startEphemeral();
  const session = await startSession(sandbox);
  await act(session, { do: 'chain.fund', address: RECEIVERS[0], chain: 'polygon', token: 'USDT', amount: '12.5' });
  expect((await balancesOf(sandbox, RECEIVERS[0]))['USDT']).toBe('12.5');
  const fault = { do: 'fault.add', endpoint: 'quote.market', kind: '503', count: '2', retry_after: '' };
  expect(await act(session, fault)).toMatch(/The next 2 calls of quote\.market fail\.[\s\S]*id="fault-clear-0"/);
  expect((await sandbox.get('/quote/market?from=ETH&to=USDT')).http).toBe(503);
  await act(session, { do: 'fault.clear', endpoint: 'quote.market' });
  expect((await sandbox.get('/quote/market?from=ETH&to=USDT')).http).toBe(200);
  const { id } = await create(sandbox, PIX);
  expect(await (await fetch(`${session}?payment=${id}`)).text()).toContain('charge-decide-pix-start');
  await act(session, { do: 'charge.decide-pix', payment_id: id, outcome: 'pay' });
  await whenStatus(sandbox, id, 'success');
  const { id: byCard } = await create(sandbox, cardFields({ card_token: 'tok_pending' }));
  await act(session, { do: 'charge.decide-card', payment_id: byCard, outcome: 'refuse' });
  expect((await statusOf(sandbox, byCard)).status).toBe('error');
  const { events } = (await sandbox.control('GET', 'events')).body.data;
  await act(session, { do: 'event.resend', id: String(events[0].id) });
  await proveEmail(sandbox, 'ana.souza@example.com');
  await act(session, { do: 'identity.decide', email: 'ana.souza@example.com', decision: 'decline' });
  expect((await statusOfUser(sandbox, { email: 'ana.souza@example.com' })).body.data.status).toBe('declined');
});

test('names a wrong field before it offers a form, and shows an error of the control', async () => {
  const sandbox = await startEphemeral();
  const session = await startSession(sandbox);
  for (const [query, text] of [
    [{ do: 'process.advance', advance: 'soon' }, 'must be a span of time'],
    [{ do: 'process.advance' }, 'required'],
    [{ do: 'charge.decide-pix', payment_id: 'pay_0', outcome: 'steal' }, 'must be one of'],
    [{ do: 'event.resend', id: 'x' }, 'id'],
  ] as const) {
    const response = await decidePage(session, query);
    const page = await response.text();
    expect([query, response.status, page.includes(text), tokenIn(page)]).toEqual([query, 400, true, '']);
  }
  for (const id of ['process.stop', 'process.reset', 'process.tenant', 'nope', '']) {
    expect([id, (await decidePage(session, { do: id })).status]).toEqual([id, 404]);
  }
  const unknownPayment = await act(session, { do: 'charge.decide-pix', payment_id: 'pay_0', outcome: 'pay' });
  expect(unknownPayment).toContain('There is no such record.');
  const wrongKind = await act(session, { do: 'fault.add', endpoint: 'quote.market', kind: 'nope', count: '1' });
  expect(wrongKind).toMatch(/Refused: nothing was changed[\s\S]*kind: must be/);
});
