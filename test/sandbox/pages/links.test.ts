import { expect, test } from 'vitest';
import { makeLink } from '../../../src/contract/control/process.ts';
import { control } from '../../../src/sandbox/control-client.ts';
import { openLinks } from '../../../src/sandbox/pages/links.ts';
import { testIo } from '../../support/io.ts';
import { startEphemeral, type TestSandbox } from '../sandbox.ts';

const linkOf = async ({ io, address }: TestSandbox, rest = ''): Promise<string> =>
  `${address.url}/?once=${(await control(io, address)(makeLink)).token}${rest}`;

const visit = (link: string, method = 'GET') => fetch(link, { method, redirect: 'manual' });

test('a link opens the dashboard once: it becomes the cookie of a reader, and leads to its page', async () => {
  const sandbox = await startEphemeral();
  const link = await linkOf(sandbox, '&list=inbox');
  const seen = await visit(link);
  expect([seen.status, seen.headers.get('location')]).toEqual([303, '/?list=inbox']);
  const set = seen.headers.get('set-cookie') ?? '';
  expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
  const page = await fetch(`${sandbox.address.url}/`, { headers: { cookie: set.split(';')[0] ?? '' } });
  expect(await page.text()).not.toContain('id="guest"');
  const again = await visit(link);
  expect([again.status, again.headers.get('set-cookie')]).toEqual([403, null]);
  expect(await again.text()).toContain('This link was used already');
});

test('a program that only looks at the address does not use it up, and gets no cookie', async () => {
  const link = await linkOf(await startEphemeral());
  const looked = await visit(link, 'HEAD');
  expect([looked.status, looked.headers.get('set-cookie')]).toEqual([403, null]);
  expect((await visit(link)).status).toBe(303);
});

test('another token, and the link of another sandbox, open nothing', async () => {
  const [one, other] = [await startEphemeral(), await startEphemeral()];
  const token = new URL(await linkOf(other)).searchParams.get('once');
  for (const text of ['', 'x', String(token)]) {
    const seen = await visit(`${one.address.url}/?once=${text}`);
    expect([seen.status, seen.headers.get('set-cookie')]).toEqual([403, null]);
  }
});

test('the token is in no log and no stored body', async () => {
  const sandbox = await startEphemeral();
  const { token } = await control(sandbox.io, sandbox.address)(makeLink);
  await visit(`${sandbox.address.url}/?once=${token}`);
  for (const bodies of [true, false]) {
    const { body } = await sandbox.control('GET', `logs?bodies=${bodies}`);
    expect(JSON.stringify(body.data)).toContain('/_sandbox/link');
    expect(JSON.stringify(body.data)).not.toContain(token);
  }
});

test('a link is valid for a minute, and only the newest eight are', async () => {
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
