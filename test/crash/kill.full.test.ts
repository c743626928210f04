import { afterAll, beforeAll, describe, it } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { expectPaidOnce, killingGroups } from '../support/payment-kill.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

describe('a payment that is killed with kill -9 at any place', () => {
  it.each(killingGroups('pay run', 'pay execute --key'))(
    'is made exactly once after a resume, and leaves no files behind (group %i)',
    (_, group) => expectPaidOnce(sandbox, group),
    180_000,
  );
});
