import { expect, test } from 'vitest';
import { readInbox } from '../../src/contract/control/identity.ts';
import { advance, readClock, SPAN } from '../../src/contract/control/process.ts';
import { readSpan } from '../../src/sandbox/clock.ts';
import { control as controlClient } from '../../src/sandbox/control-client.ts';
import { sandboxIo, startEphemeral, startTestSandbox } from './sandbox.ts';

test.each([
  ['+10m', 600_000],
  ['10m', 600_000],
  ['1d2h3m4s', 93_784_000],
  ['90s', 90_000],
  ['0s', 0],
])('reads the span %s as %i milliseconds', (text, milliseconds) => {
  expect([SPAN.test(text), readSpan(text)]).toEqual([true, milliseconds]);
});

test.each(['', '+', '10', '-10m', '1.5h', '10 m', '3m2h', '10M', '1w', `${'9'.repeat(20)}s`])(
  'rejects "%s" as a span of time, and leaves the clock unchanged',
  async (text) => {
    const { control } = await startEphemeral();
    const { http, body } = await control('POST', 'clock', { advance: text });
    expect([SPAN.test(text), http, body.errors?.[0]?.field]).toEqual([false, 400, 'advance']);
    expect((await control('GET', 'clock')).body.data.offset_ms).toBe(0);
  },
);

test('advances the clock by the sum of concurrent requests, and dates e-mails by the new time', async () => {
  const { io, address, control, post } = await startEphemeral();
  const client = controlClient(io, address);
  await Promise.all([client(advance, { advance: '+10m' }), client(advance, { advance: '+1h' })]);
  const { now, offset_ms } = await client(readClock);
  expect(offset_ms).toBe(4_200_000);
  expect(Math.abs(Date.parse(now) - Date.now() - offset_ms)).toBeLessThan(5_000);
  await post('/kyc/prepare', { email: 'a@example.com' });
  await post('/security/email/send-otp', { email: 'a@example.com' });
  const [email] = (await client(readInbox)).emails;
  expect((email?.sent_at ?? '') >= now).toBe(true);
  expect((await control('POST', 'clock', {})).http).toBe(400);
});

test('advances the clock by at most a hundred years', async () => {
  const { control } = await startEphemeral();
  expect((await control('POST', 'clock', { advance: '36500d' })).http).toBe(200);
  const { http, body } = await control('POST', 'clock', { advance: '1s' });
  expect([http, body.errors?.[0]?.field]).toEqual([400, 'advance']);
});

test('stores the offset of the clock across a restart, and removes it on reset', async () => {
  const io = await sandboxIo();
  const first = await startTestSandbox(io);
  await first.control('POST', 'clock', { advance: '+2d' });
  await first.stop();
  const second = await startTestSandbox(io);
  expect((await second.control('GET', 'clock')).body.data.offset_ms).toBe(172_800_000);
  await second.control('POST', 'reset', {});
  expect((await second.control('GET', 'clock')).body.data.offset_ms).toBe(0);
});
