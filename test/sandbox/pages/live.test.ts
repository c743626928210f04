import { expect, test } from 'vitest';
import { clockFrom } from '../../../src/io/system.ts';
import { IDLE_STOP_MS } from '../../../src/sandbox/assumptions.ts';
import { create, PIX } from '../money.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from '../sandbox.ts';

/** Opens the stream of events that a dashboard page listens to. */
const watch = async ({ address }: TestSandbox, headers: Record<string, string> = {}) => {
  const closing = new AbortController();
  const { status, body } = await fetch(`${address.url}/_live`, { headers, signal: closing.signal });
  const reader = body?.getReader();
  const next = async (): Promise<string | undefined> => {
    const read = await reader?.read();
    return read?.value && new TextDecoder().decode(read.value);
  };
  return { status, next, leave: () => closing.abort() };
};

test('sends one event for a change of the state, and none for reads', async () => {
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

test('stops without delay while pages are open', async () => {
  const sandbox = await startEphemeral();
  const watchers = await Promise.all(Array.from({ length: 5 }, () => watch(sandbox)));
  await Promise.all(watchers.map(({ next }) => next()));
  const startedAt = performance.now();
  await sandbox.stop();
  expect(performance.now() - startedAt).toBeLessThan(4_500);
  expect(await Promise.all(watchers.map(({ next }) => next()))).toEqual(watchers.map(() => undefined));
});

test('refuses a stream to the 33rd open page until another page closes', async () => {
  const sandbox = await startEphemeral();
  const watchers = await Promise.all(Array.from({ length: 32 }, () => watch(sandbox)));
  expect((await watch(sandbox)).status).toBe(503);
  watchers[0]?.leave();
  await expect.poll(async () => (await watch(sandbox)).status).toBe(200);
  for (const { leave } of watchers) leave();
});

test('refuses the stream to another site', async () => {
  const sandbox = await startEphemeral();
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect((await watch(sandbox, { 'sec-fetch-site': site })).status).toBe(403);
  }
});

test('stops an idle sandbox although a page is open', async () => {
  const speed = IDLE_STOP_MS / 1_500;
  const clock = clockFrom(Date.now, () => performance.now() * speed);
  const io = await sandboxIo({ clock: { ...clock, sleep: (ms, signal) => clock.sleep(ms / speed, signal) } });
  const startedAt = performance.now();
  const sandbox = await startTestSandbox(io, { ephemeral: true });
  const { next } = await watch(sandbox);
  await next();
  const polling = setInterval(
    () => void fetch(`${sandbox.address.url}/`, { headers: { 'x-watching': '1' } }).catch(() => undefined),
    200,
  );
  try {
    expect(await next()).toBeUndefined();
  } finally {
    clearInterval(polling);
  }
  expect(performance.now() - startedAt).toBeLessThan(6_000);
});
