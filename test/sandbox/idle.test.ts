import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { clockFrom } from '../../src/io/system.ts';
import { readAddress } from '../../src/sandbox/address.ts';
import { IDLE_STOP_MS } from '../../src/sandbox/assumptions.ts';
import { run } from '../../src/sandbox/run.ts';
import { clientOf, sandboxIo } from './sandbox.ts';

/** The speed of a clock on which half an hour takes 1.5 seconds. */
const SPEED = IDLE_STOP_MS / 1_500;

const fastIo = () => {
  const clock = clockFrom(Date.now, () => performance.now() * SPEED);
  return sandboxIo({ clock: { ...clock, sleep: (ms, signal) => clock.sleep(ms / SPEED, signal) } });
};

test('stops after half an hour without a call; each call restarts the half hour', async () => {
  const io = await fastIo();
  const startedAt = performance.now();
  let address = await readAddress(io);
  const onReady = (ready: typeof address) => {
    address = ready;
  };
  const running = run(io, { port: 0, ephemeral: true, onReady });
  while (!address) await setTimeout(5);
  await setTimeout(900);
  expect((await clientOf(io, address).get('/config/products')).http).toBe(200);
  await running;
  expect(performance.now() - startedAt).toBeGreaterThan(2_300);
  expect(await readAddress(io)).toBeUndefined();
});

test('does not stop idle if another program ends it', async () => {
  const io = await fastIo();
  const startedAt = performance.now();
  await run(io, { port: 0, ephemeral: true, until: setTimeout(2_400) });
  expect(performance.now() - startedAt).toBeGreaterThan(2_300);
});
