import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asVersionOne } from '../support/as-version-one.ts';
import { newCharger } from '../support/charge-crash.ts';
import { type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { fewAtATime } from '../support/few-at-a-time.ts';
import { killedAt } from '../support/kill-at.ts';
import { WAYS } from '../support/ways-to-pay.ts';
import { type CrashYard, moving, startCrashYard } from '../support/yield-crash.ts';

let sandbox: SharedSandbox;
let yard: CrashYard;

beforeAll(async () => {
  [sandbox, yard] = await Promise.all([startSharedSandbox(), startCrashYard()]);
});

afterAll(() => Promise.all([sandbox.end(), yard.end()]));

const RESUME = ['pay', 'resume', '--all', '--yes', '--timeout', '120'];

/** Payments by crypto, each killed after one of these steps is on the disk. */
const killedPayments = async (way: string, steps: readonly string[], ofExecute?: string) => {
  const testCase = await sandbox.newCase({ isFunded: true });
  const payers = await fewAtATime(steps, async (step) => {
    const payer = await testCase.another();
    const command = (await WAYS[way]?.(payer)) ?? [];
    expect((await testCase.bursar(command, killedAt(`journal:${step}:synced`))).code, step).toBeNull();
    return payer;
  });
  await asVersionOne(testCase.home, ofExecute);
  return { testCase, payers, timesPaid: () => fewAtATime(payers, (payer) => payer.timesPaid()) };
};

describe('a journal of version 0.1 with an operation open at each step', () => {
  it('pay run: a resume makes each payment exactly once', async () => {
    const steps = ['begun', 'registering', 'registered', 'creating', 'created', 'reviewed', 'signed', 'executing'];
    const { testCase, timesPaid } = await killedPayments('pay run', [...steps, 'executed']);
    const { code, data } = await testCase.json(RESUME);
    expect(code, JSON.stringify(data)).toBe(0);
    expect(await timesPaid()).toEqual([...steps, 'executed'].map(() => 1));
    expect(await testCase.json(RESUME)).toEqual({ code: 0, data: [] });
  }, 180_000);

  it.each([
    ['pay execute --key', 'pay-execute-key'],
    ['pay execute --signed-transaction', 'pay-execute-signed-transaction'],
  ])(
    '%s: a resume makes the signed payments, and refuses unsigned ones, which have no statement of the user',
    async (way, record) => {
      const steps = ['begun', 'reviewed', 'signed', 'executing', 'executed'];
      const { testCase, timesPaid } = await killedPayments(way, steps, record);
      const { code, data } = await testCase.json(RESUME);
      const rows = data as readonly { readonly code: string | null; readonly movement: string }[];
      expect([code, rows.map((row) => row.code).toSorted()]).toEqual([
        10,
        [null, null, null, 'refused_by_review', 'refused_by_review'],
      ]);
      expect((await timesPaid()).toSorted()).toEqual([0, 0, 1, 1, 1]);
    },
    180_000,
  );

  it('by card: a resume charges at most once', async () => {
    const ends = await fewAtATime(['begun', 'registered', 'creating', 'created'], async (step) => {
      const testCase = await newCharger(sandbox, 'card');
      expect((await testCase.bursar(testCase.pay, killedAt(`journal:${step}:synced`))).code).toBeNull();
      await asVersionOne(testCase.home);
      const { code } = await testCase.jsonInProcess(testCase.resume);
      return [step, code, testCase.created()];
    });
    expect(ends).toEqual([
      ['begun', 0, 1],
      ['registered', 0, 1],
      ['creating', 11, 0],
      ['created', 0, 1],
    ]);
  }, 180_000);

  it('by Pix: a resume creates one charge, which is paid once', async () => {
    const ends = await fewAtATime(['begun', 'registered', 'payable'], async (step) => {
      const testCase = await newCharger(sandbox, 'pix');
      expect((await testCase.bursar(testCase.pay, killedAt(`journal:${step}:synced`))).code).toBeNull();
      await asVersionOne(testCase.home);
      const { code } = await testCase.jsonInProcess(testCase.resume);
      await testCase.payPix();
      return [step, code, testCase.created(), await testCase.timesPaid()];
    });
    expect(ends).toEqual(['begun', 'registered', 'payable'].map((step) => [step, 8, 1, 1]));
  }, 180_000);

  it.each(['deposit', 'withdraw', 'rebalance'] as const)(
    'yield %s: a resume has exactly one effect',
    async (operation) => {
      const steps = ['begun', 'building', 'built', 'reviewed', 'signed_part', 'broadcasting', 'landed'];
      const savers = await fewAtATime(steps, async (step) => {
        const saver = await yard.saver([['USDC', '10']]);
        expect((await yard.bursar(moving(operation, saver), killedAt(`journal:${step}:synced`))).code, step).toBeNull();
        return saver;
      });
      await asVersionOne(yard.home);
      const { code, data } = await yard.json(['yield', 'resume', '--all', '--yes', '--timeout', '300']);
      expect(code, JSON.stringify(data)).toBe(0);
      const positions = await fewAtATime(savers, async (saver) => Number(await yard.position(saver, 'provider_a')));
      // The sandbox takes a fee of a thousandth.
      expect(positions.map(Math.round)).toEqual(steps.map(() => (operation === 'deposit' ? 14 : 6)));
    },
    240_000,
  );
});
