import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Journey, type Meddler, PAYMENT, startJourney } from '../support/journey.ts';

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});

afterAll(() => journey.end());

/** The execute call never arrives, and its connection breaks. */
const losing: Meddler = async ({ path }, forward, response) => {
  if (!path.endsWith('/execute/on-chain')) return forward();
  response.destroy();
  return undefined;
};

it('a resume that sends the same bytes again prints that they cannot pay twice', async () => {
  const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes'];
  const lost = await journey.through(losing, () => journey.json(run));
  expect(lost).toMatchObject({ code: 11, data: { error: { data: { tid_hash: expect.any(String) } } } });
  const { data } = lost.data['error'] as unknown as { data: { payment_id: string } };
  const { code, stderr } = await journey.bursar(['pay', 'resume', data.payment_id, '--yes', '--verbose']);
  expect(code).toBe(0);
  expect(stderr).toContain('The same signed transaction is sent again: it cannot pay twice.');
  expect(stderr.match(/sent again/g)).toHaveLength(1);
});

it('an unsafe password file ends the command before it supersedes an earlier payment', async () => {
  const run = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--amount-from', '21', '--yes'];
  await journey.bursar(['sandbox', 'fault', 'pay.transaction', '500']);
  expect((await journey.bursar(run)).code).not.toBe(0);
  await writeFile(join(journey.home, 'open-to-all'), 'pw', { mode: 0o644 });
  const refused = await journey.bursar([...run, '--password-file', 'open-to-all']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('can be read by other users')]);
  expect(refused.stderr).not.toContain('superseded');
  const { data } = await journey.json(['pay', 'list', '--open']);
  expect(data).toMatchObject([{ amount: '21', state: 'unfinished' }]);
});
