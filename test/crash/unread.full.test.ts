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
    const one = await newCharger(sandbox, 'card');
    expect((await one.bursar([...one.pay, '--json'], killedAt('journal:ended:before'))).code).toBeNull();
    const second = await one.bursar([...one.pay, '--json']);
    expect({ code: second.code, created: one.created(), paid: await one.timesPaid() }).toEqual({
      code: 11,
      created: 1,
      paid: 1,
    });
  });

  it('in crypto: after an output into a closed pipe, and the named resume prints the result', async () => {
    const one = await sandbox.newCase();
    const pay = [...one.run, '--json'];
    const { child, ended } = one.start(pay);
    // The reader of the output ends early, like a failed program in a pipeline.
    child.stdout?.destroy();
    expect((await ended).stdout).toBe('');
    expect((await one.steps()).at(-1)).toBe('executed');
    const second = await one.bursar(pay);
    expect({ code: second.code, paid: await one.timesPaid() }).toEqual({ code: 11, paid: 1 });
    const [, next = ''] = /"next": "bursar ([^"]+)"/.exec(second.stdout) ?? [];
    const resumed = await one.bursar([...next.split(' '), '--json']);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'success' });
    expect((await one.steps()).at(-1)).toBe('ended');
  });
});
