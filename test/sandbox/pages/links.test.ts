import { expect, test } from 'vitest';
import { makeLink } from '../../../src/contract/control/process.ts';
import { control } from '../../../src/sandbox/control-client.ts';
import { openLinks } from '../../../src/sandbox/pages/links.ts';
import { testIo } from '../../support/io.ts';
import { startEphemeral, type TestSandbox } from '../sandbox.ts';

const linkOf = async ({ io, address }: TestSandbox, rest = ''): Promise<string> =>
  `${address.url}/?once=${(await control(io, address)(makeLink)).token}${rest}`;

const visit = (link: string, method = 'GET') => fetch(link, { method, redirect: 'manual' });

test('opens the dashboard once by a link: sets a cookie and redirects to the page of the link', async () => {
  const sandbox = await startEphemeral();
  const link = await linkOf(sandbox, '&list=inbox');
  const response = await visit(link);
  expect([response.status, response.headers.get('location')]).toEqual([303, '/?list=inbox']);
  const set = response.headers.get('set-cookie') ?? '';
  expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
  const page = await fetch(`${sandbox.address.url}/`, { headers: { cookie: set.split(';')[0] ?? '' } });
  expect(await page.text()).not.toContain('id="guest"');
  const again = await visit(link);
  expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null]);
  expect(await again.text()).toContain('This link was used already');
});

test('does not use up a link on a HEAD request, and sets no cookie', async () => {
  const link = await linkOf(await startEphemeral());
  const headResponse = await visit(link, 'HEAD');
  expect([headResponse.status, headResponse.headers.get('set-cookie')]).toEqual([403, null]);
  expect((await visit(link)).status).toBe(303);
});

test("rejects a wrong link token and another sandbox's token", async () => {
  const [one, other] = [await startEphemeral(), await startEphemeral()];
  const token = new URL(await linkOf(other)).searchParams.get('once');
  for (const text of ['', 'x', String(token)]) {
    const response = await visit(`${one.address.url}/?once=${text}`);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([403, null]);
  }
});

test('writes no link token to the log, with or without bodies', async () => {
  const sandbox = await startEphemeral();
  const { token } = await control(sandbox.io, sandbox.address)(makeLink);
  await visit(`${sandbox.address.url}/?once=${token}`);
  for (const bodies of [true, false]) {
    const { body } = await sandbox.control('GET', `logs?bodies=${bodies}`);
    expect(JSON.stringify(body.data)).toContain('/_sandbox/link');
    expect(JSON.stringify(body.data)).not.toContain(token);
  }
});

test('accepts only the newest eight links, each for one minute', async () => {
  let now = 0;
  const { io } = await testIo({
    io: { clock: { now: () => now, monotonic: () => now, sleep: async () => undefined } },
  });
  const links = openLinks(io);
  const old = links.offer();
  now = 60_001;
  expect(links.take(old)).toBe(false);
  const many = Array.from({ length: 9 }, () => links.offer());
  expect(new Set(many).size).toBe(9);
  expect(many.map(links.take)).toEqual([false, ...many.slice(1).map(() => true)]);
});
