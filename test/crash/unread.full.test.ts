import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCharger } from '../support/charge-crash.ts';
import { type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { killedAt } from '../support/kill-at.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

describe('a result that was never printed stops the same payment', () => {
  it('by card: after a kill before the end is recorded, no second charge is made', async () => {
    const charger = await newCharger(sandbox, 'card');
    expect((await charger.bursar([...charger.pay, '--json'], killedAt('journal:ended:before'))).code).toBeNull();
    const second = await charger.bursar([...charger.pay, '--json']);
    expect({ code: second.code, created: charger.created(), paid: await charger.timesPaid() }).toEqual({
      code: 11,
      created: 1,
      paid: 1,
    });
  });

  it('in crypto: after an output into a closed pipe, and the named resume prints the result', async () => {
    const testCase = await sandbox.newCase();
    const pay = [...testCase.run, '--json'];
    const { child, ended } = testCase.start(pay);
    // The reader of the output ends early, like a failed program in a pipeline.
    child.stdout?.destroy();
    expect((await ended).stdout).toBe('');
    expect((await testCase.steps()).at(-1)).toBe('executed');
    const second = await testCase.bursar(pay);
    expect({ code: second.code, paid: await testCase.timesPaid() }).toEqual({ code: 11, paid: 1 });
    const [, next = ''] = /"next": "bursar ([^"]+)"/.exec(second.stdout) ?? [];
    const resumed = await testCase.bursar([...next.split(' '), '--json']);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'success' });
    expect((await testCase.steps()).at(-1)).toBe('ended');
  });
});
