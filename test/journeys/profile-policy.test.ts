import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_CONTRACTS } from '../../src/contract/chains.ts';
import { type Journey, PAYMENT, RECEIVERS, startJourney } from '../support/journey.ts';

let journey: Journey;
let node = '';

beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
  node = String((await journey.json(['sandbox', 'chain', 'polygon'])).data['rpc_url']);
});

afterAll(() => journey.end());

const set = (...settings: readonly string[]) => journey.bursar(['profile', 'set', 'sandbox', ...settings]);
const paid = async () => (await Promise.all(RECEIVERS.map(journey.balance))).reduce((sum, one) => sum + one, 0);

let count = 0;
const pay = (...more: readonly string[]) => {
  count += 1;
  const args = ['--body', 'payment.json', '--key', 'payer', '--yes', '--intent', `policy-${count}`];
  return journey.bursar(['pay', 'run', ...args, ...more]);
};

const lastSteps = async (): Promise<readonly string[]> => {
  const folder = join(journey.home, 'state', 'journal');
  const texts = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith('.ndjson'))
      .map((name) => readFile(join(folder, name), 'utf8')),
  );
  const operations = texts.map((text) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
  const [last] = operations.filter(([first]) => first.step === 'begun').toSorted(([a], [b]) => (a.at < b.at ? 1 : -1));
  return (last ?? []).map(({ step }) => step);
};

describe('a policy of `profile set`, in the built program', () => {
  it('allows payments up to the daily limit, refuses more with exit 10, and records the refusal', async () => {
    await set('policy.most_per_day.USDT=15', 'policy.chains=polygon');
    const before = await paid();
    expect((await pay()).code).toBe(0);
    const refused = await pay();
    expect([refused.code, refused.stdout]).toEqual([10, '']);
    expect(refused.stderr).toContain('bursar profile set sandbox policy.most_per_day');
    expect(refused.stderr, 'a check is not a field of the body').not.toContain('in --body');
    expect(await paid()).toBe(before + 10);
    expect(await lastSteps()).toEqual(expect.arrayContaining(['refused']));
    expect(await lastSteps()).not.toContain('signed');
    const asJson = JSON.parse((await pay('--json')).stdout);
    expect(asJson.error.errors).toEqual([{ field: 'policy.most_per_day', message: expect.any(String) }]);
  });

  it('pays a contract that is pinned by its ABI when a node shows the transfer, with blind signing forbidden', async () => {
    const abi = 'function splitToken(address token, address[] receivers, uint256[] amounts)';
    const pin = { chain: 'polygon', address: SANDBOX_CONTRACTS.splitter, abi };
    const elsewhere = '0x00000000000000000000000000000000000000AA';
    await set('policy=');
    await set(
      `chains=${JSON.stringify([{ name: 'polygon', splitter: elsewhere }])}`,
      'policy.blind_signing=never',
      `policy.recipients=${RECEIVERS.join(',')}`,
    );
    const before = await paid();
    expect((await pay('--rpc-url', node)).code, 'without the pin the signature is blind').toBe(10);
    await set(`pins=${JSON.stringify([pin])}`);
    // The node of the sandbox is known.
    const { code, stdout, stderr } = await pay('--verbose', '--json');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('By the ABI of its pin, the call is splitToken(token:');
    expect(stderr).toContain(`7 USDT  to ${RECEIVERS[0]}  by the simulation`);
    expect(JSON.parse(stdout).receivers, 'the receipt lists the paid receivers').toHaveLength(2);
    expect(await paid()).toBe(before + 10);
    await set(`policy.recipients=${RECEIVERS[0]}`);
    const other = await pay('--rpc-url', node);
    expect([other.code, other.stderr]).toEqual([10, expect.stringContaining('policy.recipients')]);
    expect(await paid()).toBe(before + 10);
  });
});
