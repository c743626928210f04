import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { endOf, SUBJECTS, type Subject } from '../support/endpoint-faults.ts';
import { AFTER, BEFORE, type Fault } from '../support/faults.ts';

// Most cases only wait for a timeout.
vi.setConfig({ maxConcurrency: 16 });

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

type FailureJson = { readonly error?: { readonly hint?: string } };

/** Runs the command of a subject while its first call meets a fault. */
const callThrough = async ({ path, prepare }: Subject, fault: Fault) => {
  const testCase = await sandbox.newCase({ isFunded: false });
  const { command, effect } = await prepare(testCase);
  let calls = 0;
  testCase.proxy.set({
    faultOf: (seen) => {
      if (seen.method === 'GET' || !seen.path.includes(path)) return undefined;
      calls += 1;
      return calls === 1 ? fault : undefined;
    },
  });
  const { code, data } = await testCase.jsonInProcess([...command, '--timeout', fault.startsWith('hang') ? '5' : '60']);
  return { exit: code, effect: await effect?.(), calls, error: (data as FailureJson).error };
};

// In this order the cases that wait for a timeout run beside cases that work.
const CASES = Object.entries(SUBJECTS).flatMap(([name, subject]) =>
  [...BEFORE, ...AFTER].map((fault) => [name, fault, subject] as const),
);

describe('a call through a broken connection', () => {
  it.concurrent.each(CASES)(
    'takes effect at most once, and a failure has its hint: %s, %s',
    async (_, fault, subject) => {
      const { hint, ...end } = endOf(subject, fault);
      const { error, ...ended } = await callThrough(subject, fault);
      expect({ ...ended, effect: ended.effect ?? end.effect }, JSON.stringify(error)).toEqual(end);
      if (end.exit === 0) expect(error).toBeUndefined();
      else expect(error?.hint ?? '').toContain(hint);
    },
  );
});
