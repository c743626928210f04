import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { killedAt } from '../support/kill-at.ts';
import { aged } from '../support/rebegun.ts';

// On the journal in a folder alone: the clock of a database is not moved, and its entries never change.

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--json'];

const idsIn = async ({ journal }: Case): Promise<readonly string[]> => [...(await journal.lines()).keys()];

describe('the same payment again after days, without --intent', () => {
  const DAYS_MS = 3 * 24 * 60 * 60 * 1000;

  /** A payment that was killed days ago. */
  const leftLongAgo = async (place: Parameters<typeof killedAt>[0]): Promise<Case> => {
    const testCase = await sandbox.newCase();
    await testCase.bursar(RUN, killedAt(place));
    for (const id of await idsIn(testCase)) await aged(testCase.home, id, DAYS_MS);
    return testCase;
  };

  it('replaces a payment that was killed days ago before it was signed, and one is paid', async () => {
    const testCase = await leftLongAgo('journal:registered:synced');
    expect((await testCase.bursar(RUN)).code).toBe(0);
    expect(await testCase.json(['pay', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
    expect(await testCase.timesPaid()).toBe(1);
  });

  it('is refused with exit 11 when a payment may have been sent days ago', async () => {
    const testCase = await leftLongAgo('journal:executing:synced');
    expect((await testCase.bursar(RUN)).code).toBe(11);
    expect(await testCase.timesPaid()).toBe(0);
  });

  it('is made when the first payment ended days ago', async () => {
    const testCase = await sandbox.newCase();
    expect((await testCase.bursar(RUN)).code).toBe(0);
    for (const id of await idsIn(testCase)) await aged(testCase.home, id, DAYS_MS);
    expect((await testCase.bursar(RUN.filter((word) => word !== '--json'))).stderr).not.toContain('The same payment');
    expect(await testCase.timesPaid()).toBe(2);
  });
});
