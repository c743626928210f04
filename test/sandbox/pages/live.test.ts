import { expect, test } from 'vitest';
import { clockFrom } from '../../../src/io/system.ts';
import { IDLE_STOP_MS } from '../../../src/sandbox/assumptions.ts';
import { create, PIX } from '../money.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from '../sandbox.ts';

/** An open page's stream of events. */
const watch = async ({ address }: TestSandbox, headers: Record<string, string> = {}) => {
  const gone = new AbortController();
  const { status, body } = await fetch(`${address.url}/_live`, { headers, signal: gone.signal });
  const reader = body?.getReader();
  const next = async (): Promise<string | undefined> => {
    const read = await reader?.read();
    return read?.value && new TextDecoder().decode(read.value);
  };
  return { status, next, leave: () => gone.abort() };
};

test('a change is told once, at once; what only reads changes nothing', async () => {
  const sandbox = await startEphemeral();
  const { next, leave } = await watch(sandbox);
  const first = await next();
  expect(first).toMatch(/^data: [\d.]+\n\n$/);
  for (const path of ['/', '/?list=chains', '/config/products']) await fetch(sandbox.address.url + path);
  const later = next();
  expect(await Promise.race([later, new Promise((resolve) => setTimeout(resolve, 600, 'nothing'))])).toBe('nothing');
  await create(sandbox, PIX);
  expect(await later).not.toBe(first);
  leave();
});

test('open pages do not hold up the end: stop takes no longer than without them', async () => {
  const sandbox = await startEphemeral();
  const watchers = await Promise.all(Array.from({ length: 5 }, () => watch(sandbox)));
  await Promise.all(watchers.map(({ next }) => next()));
  const begun = performance.now();
  await sandbox.stop();
  expect(performance.now() - begun).toBeLessThan(4_500);
  expect(await Promise.all(watchers.map(({ next }) => next()))).toEqual(watchers.map(() => undefined));
});

test('no more than 32 pages are live at once, and one that is left makes room', async () => {
  const sandbox = await startEphemeral();
  const watchers = await Promise.all(Array.from({ length: 32 }, () => watch(sandbox)));
  expect((await watch(sandbox)).status).toBe(503);
  watchers[0]?.leave();
  await expect.poll(async () => (await watch(sandbox)).status).toBe(200);
  for (const { leave } of watchers) leave();
});

test('another site cannot open the stream', async () => {
  const sandbox = await startEphemeral();
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect((await watch(sandbox, { 'sec-fetch-site': site })).status).toBe(403);
  }
});

test('a page that is only left open does not keep an idle sandbox running', async () => {
  const speed = IDLE_STOP_MS / 1_500;
  const clock = clockFrom(Date.now, () => performance.now() * speed);
  const io = await sandboxIo({ clock: { ...clock, sleep: (ms, signal) => clock.sleep(ms / speed, signal) } });
  const begun = performance.now();
  const sandbox = await startTestSandbox(io, { ephemeral: true });
  const { next } = await watch(sandbox);
  await next();
  const asking = setInterval(
    () => void fetch(`${sandbox.address.url}/`, { headers: { 'x-watching': '1' } }).catch(() => undefined),
    200,
  );
  try {
    expect(await next()).toBeUndefined();
  } finally {
    clearInterval(asking);
  }
  expect(performance.now() - begun).toBeLessThan(6_000);
});
