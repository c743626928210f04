import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
import { type CrashYard, moving, startCrashYard } from '../support/yield-crash.ts';

let sandbox: SharedSandbox;
let yard: CrashYard;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
  yard = await startCrashYard();
});

afterAll(async () => {
  await sandbox.end();
  await yard.end();
});

/** The places after a step. The place before a step is the same on the disk as the place after the step or call before it. */
const after = (...steps: readonly string[]): readonly Place[] => steps.map((step) => `journal:${step}:synced` as const);

/** The first place kills the command; each other place kills the next resume. */
const PAYMENT: readonly Place[] = [
  ...after('begun', 'registering', 'registered', 'creating', 'created', 'reviewed', 'signed', 'executing'),
  'call:execute/on-chain:before',
  'call:execute/on-chain:answered',
  'journal:ended:before',
];

const OPERATION: readonly Place[] = [
  ...after('begun', 'building', 'built', 'reviewed', 'signed_part', 'broadcasting'),
  'call:/yield/broadcast:before',
  'call:/yield/broadcast:answered',
  ...after('landed'),
  'journal:settled:before',
];

const TWO: readonly Place[] = [
  'journal:signed_part#2:synced',
  'journal:broadcasting:synced',
  'call:/yield/broadcast:answered',
  'journal:landed:synced',
  'journal:broadcasting:synced',
  'call:/yield/broadcast:answered',
  'journal:landed:synced',
];

describe('an operation that is killed, and whose resumes are killed at each step in turn', () => {
  it('results in one payment', async () => {
    const testCase = await sandbox.newCase();
    const [first = '' as Place, ...others] = PAYMENT;
    expect((await testCase.bursar(testCase.run, killedAt(first))).code).toBeNull();
    for (const place of others) {
      const { code, stdout } = await testCase.bursar(['pay', 'resume', '--yes', '--json'], killedAt(place));
      expect(code, `${place}: ${stdout}`).toBeNull();
      expect(await testCase.timesPaid(), place).toBeLessThanOrEqual(1);
    }
    expect(await testCase.json(['pay', 'resume', '--yes'])).toMatchObject({ code: 0, data: { status: 'success' } });
    expect(await testCase.json(['pay', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
    expect([await testCase.timesPaid(), await testCase.leftovers()]).toEqual([1, []]);
  }, 180_000);

  it.each([
    ['deposit', 'USDC', OPERATION, ['3.996', '0.000']],
    ['rebalance', 'EURC', TWO, ['5.990', '4.000']],
  ] as const)(
    'results in one %s of %s',
    async (operation, asset, places, expected) => {
      const saver = await yard.saver(operation === 'deposit' ? [] : [[asset, '10']]);
      const [first = '' as Place, ...others] = places;
      expect((await yard.bursar(moving(operation, saver, '4', asset), killedAt(first))).code).toBeNull();
      for (const place of others) {
        const { code, stdout } = await yard.bursar(['yield', 'resume', '--yes', '--json'], killedAt(place));
        expect(code, `${place}: ${stdout}`).toBeNull();
      }
      expect((await yard.json(['yield', 'resume', '--yes'])).code).toBe(0);
      expect(await yard.json(['yield', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
      const positions = ['provider_a', 'provider_b'].map((provider) => yard.position(saver, provider, asset));
      expect(await Promise.all(positions)).toEqual(expected);
    },
    180_000,
  );
});
