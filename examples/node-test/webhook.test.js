import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startSandbox } from 'bursar/sandbox';
import { startReceiver } from './receiver.js';

const until = async (isTrue) => {
  while (!isTrue()) await setTimeout(20);
};

test('the receiver stores a payment that succeeds, also if it was down', async (context) => {
  let isDown = true;
  const sandbox = await startSandbox();
  const receiver = await startReceiver(() => isDown);
  context.after(() => Promise.all([sandbox.stop(), receiver.close()]));

  const { payment_id } = await sandbox.trigger({ state: 'success', webhook_url: receiver.url });
  const isTried = async () => {
    const { events } = await sandbox.events({ payment_id });
    return events.some(({ attempts }) => attempts > 0);
  };
  while (!(await isTried())) await setTimeout(20);
  assert.equal(receiver.statuses.size, 0);

  isDown = false;
  // The sandbox repeats a webhook after a pause, by its own clock.
  await sandbox.advance({ advance: '+1h' });
  await until(() => receiver.statuses.get(payment_id) === 'success');
});
