import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journey, PAYMENT, startJourney } from '../../../support/journey.ts';

let journey: Journey;
let bodies = 0;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

const bursar = (...args: readonly string[]) => journey.bursar(args);
const restore = () => journey.json(['sandbox', 'restore', 'clean', '--yes']);
const pay = async (amount: string, ...more: readonly string[]) => {
  bodies += 1;
  const path = join(journey.home, `payment-${bodies}.json`);
  await writeFile(path, JSON.stringify({ ...PAYMENT, amount_from: amount }));
  return journey.json(['pay', 'run', '--body', path, '--key', 'payer', '--yes', ...more]);
};
const inState = async (folder: string) => (await readdir(join(journey.home, 'state', folder))).toSorted();

test('after a restore the same smoke run and other payments run as the first time', async () => {
  const old = await pay('10', '--intent', 'before');
  expect(old.code).toBe(0);
  const before = await inState('journal');
  await bursar('sandbox', 'snapshot', 'clean');
  const run = () => bursar('smoke', 'run', 'crypto-payment', '--key', 'payer', '--yes');
  expect((await run()).code).toBe(0);
  const { code, stdout, stderr } = await bursar('sandbox', 'restore', 'clean', '--yes', '--json');
  expect([code, JSON.parse(stdout).removed_operations]).toEqual([0, 4]);
  expect(stderr).toContain('because the restore undid them: 4 operations, 1 smoke run\n');
  expect([await inState('journal'), await inState('smoke')]).toEqual([before, []]);
  for (let at = 0; at < 3; at += 1) expect((await run()).code).toBe(0);

  expect((await restore()).data['removed_operations']).toBe(12);
  const first = await pay('11', '--intent', 'after');
  expect(first.code).toBe(0);
  expect((await pay('11', '--intent', 'after')).data).toMatchObject({ payment_id: first.data['payment_id'] });
  await restore();
  // The restored sandbox gives the same id again.
  const other = await pay('12');
  expect([other.code, other.data['payment_id']]).toEqual([0, first.data['payment_id']]);
  const balance = await journey.balance(journey.address);
  expect((await pay('11', '--intent', 'after')).code).toBe(0);
  expect(await journey.balance(journey.address)).toBe(balance - 11);
  const again = await pay('10', '--intent', 'before');
  expect([again.code, again.data['payment_id']]).toEqual([0, old.data['payment_id']]);
  expect(await journey.balance(journey.address)).toBe(balance - 11);
});

test.each([
  ['operation', 'journal', ['pay', 'run', '--body', 'payment-1.json', '--key', 'payer', '--yes', '--intent', 'held']],
  ['smoke run', 'smoke', ['smoke', 'run', 'reads']],
])('a restore is refused while a process works on its %s, and changes nothing', async (noun, folder, args) => {
  await bursar('sandbox', 'snapshot', 'clean');
  const before = await inState(folder);
  expect((await journey.bursar(args, { cwd: journey.home })).code).toBe(0);
  const added = (await inState(folder)).filter((name) => !before.includes(name));
  const held = join(journey.home, 'state', folder, `${added.find((name) => name.endsWith('.ndjson'))}`);
  await writeFile(`${held}.claim-0`, JSON.stringify({ pid: 1, host: 'another' }));
  const refused = await bursar('sandbox', 'restore', 'clean', '--yes');
  expect([refused.code, refused.stdout]).toEqual([8, '']);
  expect(refused.stderr).toContain(`process 1 is working on the ${noun}`);
  expect(await inState(folder)).toEqual(expect.arrayContaining(added));
  await rm(`${held}.claim-0`);
  expect((await restore()).code).toBe(0);
  expect(await inState(folder)).toEqual(before);
});
