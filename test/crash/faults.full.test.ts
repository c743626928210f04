import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { AFTER, BEFORE, type Fault } from '../support/faults.ts';
import { fewAtATime } from '../support/few-at-a-time.ts';
import type { Payer } from '../support/payer.ts';
import { WAYS } from '../support/ways-to-pay.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const FAULTS = [...BEFORE, ...AFTER];

type FailureJson = { readonly error?: { readonly code: string; readonly hint?: string; readonly next?: string } };

type PaymentEnd = { readonly payer: Payer; readonly code: number | null; readonly data: FailureJson };

/** Pays once for each fault at the first call of an endpoint, in one home, each time with another payer. */
const payThroughAll = async (testCase: Case, path: string, way: string): Promise<readonly PaymentEnd[]> => {
  const waiting = new Map<Payer, Fault>();
  testCase.proxy.set({
    faultOf: (seen) => {
      if (!seen.path.includes(path)) return undefined;
      const [payer, fault] = [...waiting].find(([candidate]) => candidate.isNamedIn(seen.text)) ?? [];
      if (payer) waiting.delete(payer);
      return fault;
    },
  });
  const pay = async (fault: Fault): Promise<PaymentEnd> => {
    const payer = await testCase.another();
    const command = (await WAYS[way]?.(payer)) ?? [];
    waiting.set(payer, fault);
    const { code, data } = await testCase.jsonInProcess([
      ...command,
      '--timeout',
      fault.startsWith('hang') ? '20' : '60',
    ]);
    expect(waiting.has(payer), `${fault} happened`).toBe(false);
    return { payer, code, data: data as FailureJson };
  };
  return fewAtATime(FAULTS, pay, FAULTS.length);
};

/** Without --yes only approved operations continue; with --yes all of them. */
const resumed = (testCase: Case, ...more: readonly string[]) =>
  testCase.jsonInProcess(['pay', 'resume', '--all', '--timeout', '300', ...more]);

const paid = (all: readonly PaymentEnd[]) =>
  fewAtATime([...all.entries()], async ([at, { payer }]) => [FAULTS[at], await payer.timesPaid()]);

const byFault = <T>(of: (fault: Fault) => T) => FAULTS.map((fault) => [fault, of(fault)]);

describe.each(['intents-create-order', 'intents-create-transaction'])('each network fault at %s', (path) => {
  it('sends nothing: exit 5, or 7 after a 429; the named resume needs confirmation and pays once', async () => {
    const testCase = await sandbox.newCase();
    const all = await payThroughAll(testCase, path, 'pay run');
    const codes = all.map(({ code }, at) => [FAULTS[at], code]);
    expect(codes).toEqual(byFault((fault) => (fault.startsWith('429') ? 7 : 5)));
    // Without an answer to the registration only the id of the operation is known.
    const id = path === 'intents-create-order' ? /^bursar pay resume \d{8}T/ : /^bursar pay resume pay_[0-9a-f]{32}$/;
    for (const { data } of all) expect(data.error?.next).toMatch(id);
    expect(await paid(all)).toEqual(byFault(() => 0));

    const unconfirmed = await resumed(testCase);
    expect(unconfirmed).toMatchObject({ code: 8, data: FAULTS.map(() => ({ code: 'not_final' })) });
    expect(await paid(all)).toEqual(byFault(() => 0));

    expect(await resumed(testCase, '--yes')).toMatchObject({
      code: 0,
      data: FAULTS.map(() => ({ status: 'success' })),
    });
    expect(await paid(all)).toEqual(byFault(() => 1));
    expect(await testCase.leftovers()).toEqual([]);
  });
});

/** The exit code of an execute with a fault. The program reads the payment back if it has time. */
const exitOf = (fault: Fault): number => {
  if (fault === '429 before') return 7;
  return fault.endsWith('before') || fault === 'hang after' ? 11 : 0;
};

/** `pay execute --key` sends as `pay run` does, so that two of the three ways are enough. */
describe.each(['pay run', 'pay execute --signed-transaction'])('each network fault at execute, by %s', (way) => {
  it('pays once: exit 0, 7 or 11 with hash and command; a resume sends the same bytes without --yes', async () => {
    const testCase = await sandbox.newCase();
    const all = await payThroughAll(testCase, 'execute/on-chain', way);
    expect(all.map(({ code }, at) => [FAULTS[at], code])).toEqual(byFault(exitOf));
    for (const { code, data } of all) {
      if (code === 0) expect(data).toMatchObject({ status: way === 'pay run' ? 'success' : 'payment_confirmed' });
      else expect(data.error?.next).toMatch(/^bursar pay resume pay_[0-9a-f]{32}$/);
      if (code === 7) expect(data.error?.hint).toMatch(/is not executed yet, but the transaction 0x[0-9a-f]{64} may/);
      if (code !== 11) continue;
      expect(data.error?.code).toBe('outcome_unknown');
      expect(data.error?.hint).toMatch(
        /0x[0-9a-f]{64} may have been sent\. The payment (?:is in state|cannot be read back)/,
      );
    }
    expect(await paid(all)).toEqual(byFault((fault) => (fault.endsWith('before') ? 0 : 1)));

    const { code, data } = await resumed(testCase);
    const open = FAULTS.filter((fault) => exitOf(fault) !== 0);
    expect({ code, data }).toMatchObject({ code: 0, data: open.map(() => ({ status: 'success', code: null })) });
    expect(await resumed(testCase)).toEqual({ code: 0, data: [] });
    expect(await paid(all)).toEqual(byFault(() => 1));
    expect(await testCase.leftovers()).toEqual([]);
  });
});

describe('a service that stays unavailable', () => {
  it('leaves the payment in doubt (exit 11) after each resume, and one payment is made in the end', async () => {
    const other = await sandbox.newCase();
    other.proxy.set({ faultOf: ({ path }) => (/on-chain|status/.test(path) ? 'drop after' : undefined) });
    expect((await other.json([...other.run, '--timeout', '6'])).code).toBe(11);
    expect((await resumed(other, '--yes', '--timeout', '6')).code).toBe(11);
    other.proxy.set({});
    expect((await resumed(other)).code).toBe(0);
    expect(await other.timesPaid()).toBe(1);
  });

  it('with 429 for each call leaves an execute in doubt (exit 11), and one payment is made in the end', async () => {
    const other = await sandbox.newCase();
    other.proxy.set({ faultOf: ({ path }) => (/on-chain|status/.test(path) ? '429 after' : undefined) });
    expect((await other.json(other.run)).code).toBe(11);
    other.proxy.set({});
    expect((await resumed(other)).code).toBe(0);
    expect(await other.timesPaid()).toBe(1);
  });
});
