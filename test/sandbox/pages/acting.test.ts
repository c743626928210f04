import { expect, test } from 'vitest';
import { actingLink, dashboardLink } from '../../../src/sandbox/address.ts';
import { proveEmail, statusOfUser } from '../identity.ts';
import { cardFields, create, PIX, whenStatus } from '../money.ts';
import { balancesOf, RECEIVERS, statusOf } from '../payer.ts';
import { startEphemeral, type TestSandbox } from '../sandbox.ts';

/** The address of a session of who came by the acting link. */
const begin = async ({ address }: Pick<TestSandbox, 'address'>): Promise<string> => {
  const seen = await fetch(actingLink(address), { redirect: 'manual' });
  expect([seen.status, seen.headers.get('set-cookie')]).toEqual([303, null]);
  return address.url + seen.headers.get('location');
};

type Query = Readonly<Record<string, string>>;

const decidePage = (session: string, query: Query) => fetch(`${session}decide?${new URLSearchParams(query)}`);

const tokenIn = (page: string): string => /name="token" value="(\w+)"/.exec(page)?.[1] ?? '';

const offered = async (session: string, query: Query): Promise<string> =>
  tokenIn(await (await decidePage(session, query)).text());

/** Posts a form as a browser does from a page of this origin; `headers` replaces some. */
const post = (session: string, fields: Query, headers: Query = {}) =>
  fetch(`${session}do`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: new URL(session).origin, 'sec-fetch-site': 'same-origin', ...headers },
    redirect: 'manual',
  });

/** Goes through the page of a decision, and returns what the dashboard shows after it. */
const act = async (session: string, query: Query): Promise<string> => {
  const done = await post(session, { token: await offered(session, query) });
  expect([query, done.status]).toEqual([query, 303]);
  return (await fetch(new URL(done.headers.get('location') ?? '', `${session}do`))).text();
};

const ADVANCE = { do: 'process.advance', advance: '1h' };

const offsetOf = async ({ control }: TestSandbox): Promise<number> =>
  (await control('GET', 'clock')).body.data.offset_ms;

test('the page of a decision shows what will happen and changes nothing; its form does it once', async () => {
  const sandbox = await startEphemeral();
  const session = await begin(sandbox);
  const page = await (await decidePage(session, ADVANCE)).text();
  expect([page.includes('Move the clock forward by 1h?'), await offsetOf(sandbox)]).toEqual([true, 0]);
  const token = tokenIn(page);
  const done = await post(session, { token, advance: '99d', do: 'chain.fund' });
  expect([done.status, done.headers.get('location'), await offsetOf(sandbox)]).toEqual([303, './', 3_600_000]);
  const shown = await (await fetch(session)).text();
  expect(shown).toContain('The sandbox&#39;s time was moved.');
  expect(await (await fetch(session)).text()).not.toContain('id="outcome"');
  expect([(await post(session, { token })).status, await offsetOf(sandbox)]).toEqual([403, 3_600_000]);
});

test('a missing, a wrong, a used and a foreign token are refused, and so is a form of another type', async () => {
  const sandbox = await startEphemeral();
  const [session, other] = [await begin(sandbox), await begin(sandbox)];
  const foreign = await offered(other, ADVANCE);
  const elsewhere = await offered(await begin(await startEphemeral()), ADVANCE);
  for (const token of ['', 'x', '0'.repeat(32), foreign, elsewhere]) {
    expect([token, (await post(session, { token })).status]).toEqual([token, 403]);
  }
  expect((await post(session, {})).status).toBe(403);
  const token = await offered(session, ADVANCE);
  expect((await post(session, { token }, { 'content-type': 'text/plain' })).status).toBe(403);
  expect(await offsetOf(sandbox)).toBe(0);
  expect((await post(other, { token: foreign })).status).toBe(303);
});

test('nothing is done by a GET, a HEAD or another method, with or without the token', async () => {
  const sandbox = await startEphemeral();
  const session = await begin(sandbox);
  const token = await offered(session, ADVANCE);
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
    const seen = await fetch(`${session}do?token=${token}&do=process.advance&advance=1h`, { method });
    expect([method, seen.status, seen.headers.get('allow')]).toEqual([method, 405, 'POST']);
  }
  const posted = await fetch(`${session}decide?do=process.advance&advance=1h`, { method: 'POST' });
  expect([posted.status, await offsetOf(sandbox)]).toEqual([403, 0]);
});

test('a form that another site sends, or that names no origin, is refused with a token that is right', async () => {
  const sandbox = await startEphemeral();
  const session = await begin(sandbox);
  const token = await offered(session, ADVANCE);
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
  for (const each of headers) expect([each, (await post(session, { token }, each)).status]).toEqual([each, 403]);
  const without = await fetch(`${session}do`, { method: 'POST', body: new URLSearchParams({ token }) });
  expect([without.status, await offsetOf(sandbox)]).toEqual([403, 0]);
  const later = await post(session, { token }, { 'sec-fetch-site': 'same-origin' });
  expect([later.status, await offsetOf(sandbox)]).toEqual([303, 3_600_000]);
});

test('the key of the reading link does not act, and the acting key is no other key', async () => {
  const sandbox = await startEphemeral();
  const { url, control_key, api_key } = sandbox.address;
  const reading = new URL(dashboardLink(sandbox.address)).searchParams.get('key') ?? '';
  const acting = new URL(actingLink(sandbox.address)).searchParams.get('act') ?? '';
  const foreign = new URL(actingLink((await startEphemeral()).address)).searchParams.get('act') ?? '';
  for (const key of ['', 'x', reading, foreign, control_key, api_key]) {
    const seen = await fetch(`${url}/?act=${key}`, { redirect: 'manual' });
    expect([key, seen.status, seen.headers.get('location')]).toEqual([key, 403, null]);
  }
  const cookie = (await fetch(dashboardLink(sandbox.address), { redirect: 'manual' })).headers.get('set-cookie') ?? '';
  const session = await begin(sandbox);
  const token = await offered(session, ADVANCE);
  for (const name of [reading, acting, control_key, '0'.repeat(32)]) {
    const place = `${url}/act/${name}/`;
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    const seen = [
      await fetch(place, { headers }),
      await decidePage(place, ADVANCE),
      await post(place, { token }, headers),
    ];
    expect(seen.map(({ status }) => status)).toEqual([403, 403, 403]);
  }
  const asReading = await fetch(`${url}/?key=${acting}`, { redirect: 'manual' });
  const asControl = await fetch(`${url}/_sandbox/clock`, { headers: { 'x-control-key': acting } });
  expect([asReading.status, asControl.status, await offsetOf(sandbox)]).toEqual([403, 401, 0]);
  const owner = await (await fetch(`${url}/?list=faults`, { headers: { cookie } })).text();
  expect(owner).not.toContain('action="decide"');
});

test('pages of a session cannot be framed, hold no key, run no script of theirs, and leave no word in the log', async () => {
  const sandbox = await startEphemeral();
  const session = await begin(sandbox);
  const lists = ['payments', 'requests', 'webhooks', 'kyc', 'yield', 'faults', 'chains'].map((list) => `?list=${list}`);
  const { api_key, control_key } = sandbox.address;
  const acting = new URL(actingLink(sandbox.address)).searchParams.get('act') ?? '';
  for (const path of ['', ...lists, `decide?${new URLSearchParams(ADVANCE)}`]) {
    const seen = await fetch(session + path);
    const policy = seen.headers.get('content-security-policy') ?? '';
    expect([
      path,
      seen.status,
      policy.includes("frame-ancestors 'none'"),
      policy.includes("form-action 'self'"),
    ]).toEqual([path, 200, true, true]);
    expect([seen.headers.get('referrer-policy'), seen.headers.get('cache-control')]).toEqual([
      'same-origin',
      'no-store',
    ]);
    const text = await seen.text();
    for (const key of [api_key, control_key, acting]) expect(text).not.toContain(key);
  }
  const { entries } = (await sandbox.control('GET', 'logs?lines=1000')).body.data;
  const id = session.split('/').at(-2) ?? '';
  expect([id.length, JSON.stringify(entries).includes(id), JSON.stringify(entries).includes(acting)]).toEqual([
    ...[32, false, false],
  ]);
});

test('a session ends with the sandbox, and the ninth ends the first', async () => {
  const sandbox = await startEphemeral();
  const first = await begin(sandbox);
  const later = [];
  for (let each = 0; each < 8; each += 1) later.push(await begin(sandbox));
  expect((await fetch(first)).status).toBe(403);
  expect((await fetch(later[7] ?? '')).status).toBe(200);
});

test('test money, faults, webhooks, Pix, cards and KYC: each act is that of the control', async () => {
  const sandbox = await startEphemeral();
  const session = await begin(sandbox);
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

test('a wrong field is named before a form is made, and a refusal of the control is shown', async () => {
  const sandbox = await startEphemeral();
  const session = await begin(sandbox);
  for (const [query, text] of [
    [{ do: 'process.advance', advance: 'soon' }, 'must be a span of time'],
    [{ do: 'process.advance' }, 'required'],
    [{ do: 'charge.decide-pix', payment_id: 'pay_0', outcome: 'steal' }, 'must be one of'],
    [{ do: 'event.resend', id: 'x' }, 'id'],
  ] as const) {
    const seen = await decidePage(session, query);
    const page = await seen.text();
    expect([query, seen.status, page.includes(text), tokenIn(page)]).toEqual([query, 400, true, '']);
  }
  for (const id of ['process.stop', 'process.reset', 'process.tenant', 'nope', '']) {
    expect([id, (await decidePage(session, { do: id })).status]).toEqual([id, 404]);
  }
  const shown = await act(session, { do: 'charge.decide-pix', payment_id: 'pay_0', outcome: 'pay' });
  expect(shown).toContain('There is no such record.');
  const refused = await act(session, { do: 'fault.add', endpoint: 'quote.market', kind: 'nope', count: '1' });
  expect(refused).toMatch(/Refused: nothing was changed[\s\S]*kind: must be/);
});
