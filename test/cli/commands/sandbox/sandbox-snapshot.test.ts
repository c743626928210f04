import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockSummary } from '../../../../src/cli/summaries/sandbox-summary.ts';
import { type Journey, startJourney } from '../../../support/journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

const bursar = (line: string) => journey.bursar(line.split(' '));
const json = async (line: string) => (await journey.json(line.split(' '))).data as Readonly<Record<string, string>>;

test('sandbox snapshot and restore repeat a payment with the same id and hash', async () => {
  expect(await json('sandbox snapshot --list')).toEqual([]);
  expect(await json('sandbox snapshot funded')).toMatchObject({ name: 'funded', bytes: expect.any(Number) });
  const first = await json('sandbox trigger success');
  expect((await bursar('sandbox restore funded --yes')).code).toBe(0);
  expect((await bursar(`pay status ${first['payment_id']}`)).code).toBe(3);
  expect(await json('sandbox trigger success')).toEqual(first);
  expect(await json('sandbox snapshot --list')).toMatchObject([{ name: 'funded' }]);
});

test('sandbox restore asks first, and without a terminal it needs --yes', async () => {
  await bursar('sandbox snapshot');
  const { code, stdout, stderr } = await bursar('sandbox restore');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--yes');
});

test.each([
  ['sandbox restore nothing --yes', 3, 'has no snapshot with this name'],
  // It looks before it asks.
  ['sandbox restore nothing', 3, 'next: bursar sandbox snapshot --list'],
  ['sandbox snapshot a/b', 2, 'letters, digits'],
  ['sandbox snapshot name --list', 2, '--list takes no NAME'],
])('%s is exit %i with the reason', async (line, expected, reason) => {
  const { code, stdout, stderr } = await bursar(line);
  expect([code, stdout]).toEqual([expected, '']);
  expect(stderr).toContain(reason);
});

test('sandbox clock is behind this machine after a restore of an older snapshot', () => {
  const headline = (offset_ms: number) => clockSummary({ now: '2026-11-20T10:00:00.000Z', offset_ms }).headline;
  expect([-90_000, -40, 90_000].map(headline)).toEqual([
    "The sandbox's clock is 1 min 30 s behind this machine",
    "The sandbox's clock agrees with the clock of this machine",
    "The sandbox's clock is 1 min 30 s ahead of this machine",
  ]);
});
