import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, runBursar } from '../../../support/bursar.ts';
import { type Journey, startJourney } from '../../../support/journey.ts';
import { raw, startServer } from '../../../support/server.ts';

const STATES = ['registered', 'retry', 'processing', 'received', 'success', 'error'];

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

const bursar = (line: string): Promise<Ended> => journey.bursar(line.split(' '));
const json = async (line: string) => (await journey.json(line.split(' '))).data as Readonly<Record<string, string>>;

test.each(STATES)(
  'sandbox trigger %s creates a payment in this state, and pay status shows this state',
  async (state) => {
    const made = await json(`sandbox trigger ${state}`);
    expect(made).toMatchObject({ payment_id: expect.stringMatching(/^pay_/), status: state });
    const shown = await json(`pay status ${made['payment_id']}`);
    // The bridge may have paid meanwhile.
    expect(state === 'received' ? ['received', 'success'] : [state]).toContain(shown['status']);
    expect(shown['tid_hash']).toBe(made['tid_hash']);
  },
);

test('sandbox trigger sends webhooks to --webhook-url, and uses --amount and --chain', async () => {
  const { url, received } = await startServer(raw(200, ''));
  const made = await json(`sandbox trigger success --webhook-url ${url} --amount 7.5 --chain base`);
  expect(await json(`pay status ${made['payment_id']}`)).toMatchObject({ amount_from: '7.5', chain_name: 'base' });
  while (received.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(received.map(({ body }) => JSON.parse(body).data.status)).toEqual(['processing', 'success']);
});

test('sandbox trigger processing waits for --release by another process', async () => {
  const run = async (...args: readonly string[]) => runBursar(journey.home, ['sandbox', 'trigger', ...args]);
  const { code, stdout } = await run('processing');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^payment_id\tpay_\w+\nstatus\tprocessing\ntid_hash\t\n$/)]);
  const id = /pay_\w+/.exec(stdout)?.[0] ?? '';
  expect((await json(`pay status ${id}`))['status']).toBe('processing');
  const waited = await bursar(`pay status ${id} --wait --timeout 1`);
  expect([waited.code, waited.stderr]).toEqual([8, expect.stringContaining(`bursar sandbox trigger --release ${id}`)]);
  const released = await run('--release', id, '--json');
  expect(JSON.parse(released.stdout)).toMatchObject({ payment_id: id, status: 'success' });
  const again = await run('--release', id);
  expect([again.code, again.stderr]).toEqual([9, expect.stringContaining(`next: bursar pay status ${id}`)]);
});

test('sandbox trigger with an unknown state is exit 2 with the list of states', async () => {
  const { code, stdout, stderr } = await bursar('sandbox trigger sucess');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/"sucess" is no state of a payment\nhint: Did you mean success\? The states are /);
  for (const state of STATES) expect(stderr).toContain(state);
});

test.each([
  [
    'sandbox trigger',
    2,
    'STATE: required (State of the payment: registered, retry, processing, received, success, error)',
  ],
  ['sandbox trigger success --amount ten', 2, '--amount: must be a decimal'],
  ['sandbox trigger success --release pay_0', 2, '--release goes without a state'],
  ['sandbox trigger --release pay_0 --amount 5', 2, 'it goes without --amount'],
  ['sandbox trigger success --chain solana', 2, '"solana" is none of'],
  ['sandbox trigger success --amount 0', 2, '--amount: must be greater than zero'],
  ['sandbox trigger --release pay_0', 3, 'this sandbox has no payment pay_0'],
])('bursar %s: exit %i', async (line, code, message) => {
  const ended = await bursar(line);
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringContaining(message)]);
});

test('the completion script of bash contains the states', async () => {
  const { stdout } = await bursar('completion bash');
  expect(stdout).toContain(STATES.join('|'));
});

test('a triggered payment is in no journal', async () => {
  expect(await json('pay list')).toEqual([]);
});
