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

test('serves the page under a strict content policy, and escapes the e-mail of the user', async () => {
  const { open } = await start();
  const response = await fetch(await open());
  const html = await response.text();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toMatch(
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
])('%s on the page sets the status %s and removes the buttons', async (decision, status) => {
  const { open, state } = await start();
  const url = await open();
  const response = await fetch(`${url}/${decision}`, { method: 'POST' });
  expect([response.status, response.url]).toEqual([200, url]);
  expect(await response.text()).not.toContain('<button');
  expect(await state()).toMatchObject({ status, session_status: status, ip_info: [{ country: 'BR' }] });
});

test('records a visit once and decides nothing when the user leaves the page', async () => {
  const { open, state } = await start();
  const url = await open();
  await fetch(url);
  await fetch(url);
  expect(await state()).toMatchObject({ status: 'pending', ip_info: [{ country: 'BR' }] });
  expect((await state()).ip_info).toHaveLength(1);
});

test('ignores a decision on the page of a decided or expired session', async () => {
  const { sandbox, open, state } = await start();
  const first = await open();
  await decide(sandbox, 'decline', { email: EMAIL });
  const second = await open();
  await fetch(`${first}/approve`, { method: 'POST' });
  expect((await state()).status).toBe('pending');
  await advance(sandbox, '+8d');
  const response = await fetch(`${second}/approve`, { method: 'POST' });
  expect(await response.text()).toContain('expired');
  expect((await state()).status).toBe('expired');
});

test('returns 404 and escapes the id for a session that does not exist', async () => {
  const { sandbox } = await start();
  for (const id of ['x', "'--", '%3Cb%3E']) {
    const response = await fetch(`${sandbox.address.url}/kyc/sessions/${id}`);
    const html = await response.text();
    expect([response.status, html.includes('<b>')]).toEqual([404, false]);
  }
});
