import { expect, test } from 'vitest';
import { advance, decide, openSession, proveEmail, statusOfUser } from './identity.ts';
import { startEphemeral } from './sandbox.ts';

const EMAIL = '<b>&"\'@example.com';

const start = async () => {
  const sandbox = await startEphemeral();
  await proveEmail(sandbox, EMAIL);
  const open = async (): Promise<string> =>
    (await openSession(sandbox, { email: EMAIL })).body.data.session.session_url;
  const state = async () => (await statusOfUser(sandbox, { email: EMAIL })).body.data;
  return { sandbox, open, state };
};

test('the page is plain HTML under a strict policy, and what a user is called is only text', async () => {
  const { open } = await start();
  const seen = await fetch(await open());
  const html = await seen.text();
  expect(seen.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(seen.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self'; /,
  );
  expect(html).toContain('&lt;b&gt;&amp;&quot;&#39;@example.com');
  expect(html).not.toMatch(
    /<script(?! src="\/_assets\/page-\w+\.js" defer><)|<style|<b>|javascript:|\son\w+=|\sstyle=/,
  );
  expect(html.match(/<button /g)).toHaveLength(3);
});

test.each([
  ['approve', 'approved'],
  ['decline', 'declined'],
  ['review', 'in_review'],
])('%s on the page: the status is %s, and the page says so and asks no more', async (decision, status) => {
  const { open, state } = await start();
  const url = await open();
  const seen = await fetch(`${url}/${decision}`, { method: 'POST' });
  expect([seen.status, seen.url]).toEqual([200, url]);
  expect(await seen.text()).not.toContain('<button');
  expect(await state()).toMatchObject({ status, session_status: status, ip_info: [{ country: 'BR' }] });
});

test('leaving the page decides nothing, and that it was looked at is kept once', async () => {
  const { open, state } = await start();
  const url = await open();
  await fetch(url);
  await fetch(url);
  expect(await state()).toMatchObject({ status: 'pending', ip_info: [{ country: 'BR' }] });
  expect((await state()).ip_info).toHaveLength(1);
});

test('a decided or expired session, an older one too, can no longer be decided', async () => {
  const { sandbox, open, state } = await start();
  const first = await open();
  await decide(sandbox, 'decline', { email: EMAIL });
  const second = await open();
  await fetch(`${first}/approve`, { method: 'POST' });
  expect((await state()).status).toBe('pending');
  await advance(sandbox, '+8d');
  const seen = await fetch(`${second}/approve`, { method: 'POST' });
  expect(await seen.text()).toContain('expired');
  expect((await state()).status).toBe('expired');
});

test('a session that does not exist is a page that says so', async () => {
  const { sandbox } = await start();
  for (const id of ['x', "'--", '%3Cb%3E']) {
    const seen = await fetch(`${sandbox.address.url}/kyc/sessions/${id}`);
    const html = await seen.text();
    expect([seen.status, html.includes('<b>')]).toEqual([404, false]);
  }
});
