import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import type { Fault } from '../support/faults.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--timeout', '6'];

/** Pays through one fault at the first call of an endpoint. */
const payThrough = async (path: string, fault: Fault) => {
  const one = await sandbox.newCase();
  let isOver = false;
  one.proxy.set({
    faultOf: (seen) => {
      if (isOver || !seen.path.includes(path)) return undefined;
      isOver = true;
      return fault;
    },
  });
  return { one, ended: await one.json(RUN) };
};

type Failed = { readonly error: { readonly code: string; readonly hint?: string; readonly next?: string } };

/** Without --yes only what was approved goes on; with it all. */
const resumed = (one: Case, ...more: readonly string[]) => one.json(['pay', 'resume', '--all', ...more]);

describe.each(['intents-create-order', 'intents-create-transaction'])('a fault at %s moves nothing:', (path) => {
  it.concurrent.each<[Fault, number]>([
    ['drop before', 5],
    ['drop after', 5],
    ['hang before', 5],
    ['hang after', 5],
    ['reset after', 5],
    ['truncate', 5],
    ['HTML 502 before', 5],
    ['HTML 502 after', 5],
    ['500 before', 5],
    ['429 before', 7],
  ])(
    '%s is exit %i with the command that goes on, which asks for the word of the user and pays once',
    async (fault, code) => {
      const { one, ended } = await payThrough(path, fault);
      expect(ended.code, JSON.stringify(ended.data)).toBe(code);
      expect((ended.data as Failed).error.next).toMatch(/^bursar pay resume \d{8}T/);
      expect(await one.timesPaid()).toBe(0);
      expect((await resumed(one)).code).toBe(8);
      expect(await one.timesPaid()).toBe(0);
      expect(await resumed(one, '--yes')).toMatchObject({ code: 0, data: [{ status: 'success' }] });
      expect(await one.timesPaid()).toBe(1);
      expect(await one.leftovers()).toEqual([]);
    },
  );
});

describe('a fault at execute pays once:', () => {
  it.concurrent.each<Fault>(['drop after', 'reset after', 'truncate', 'HTML 502 after'])(
    '%s: what happened is read back, exit 0',
    async (fault) => {
      const { one, ended } = await payThrough('execute/on-chain', fault);
      expect(ended).toMatchObject({ code: 0, data: { status: 'success' } });
      expect(await one.timesPaid()).toBe(1);
      expect(await resumed(one, '--yes')).toEqual({ code: 0, data: [] });
      expect(await one.timesPaid()).toBe(1);
    },
  );

  it.concurrent.each<[Fault, number]>([
    ['drop before', 0],
    ['hang before', 0],
    ['hang after', 1],
    ['HTML 502 before', 0],
    ['500 before', 0],
  ])('%s: exit 11 with hash, state and command; the same bytes are sent again without a word', async (fault, paid) => {
    const { one, ended } = await payThrough('execute/on-chain', fault);
    const { error } = ended.data as Failed;
    expect({ code: ended.code, is: error.code }).toEqual({ code: 11, is: 'outcome_unknown' });
    expect(error.hint).toMatch(/0x[0-9a-f]{64} may have been sent\. The payment is in (?:a )?state/);
    expect(error.next).toMatch(/^bursar pay resume \d{8}T/);
    expect(await one.timesPaid()).toBe(paid);
    expect(await resumed(one)).toMatchObject({ code: 0, data: [{ status: 'success', code: null }] });
    expect(await resumed(one)).toEqual({ code: 0, data: [] });
    expect(await one.timesPaid()).toBe(1);
  });

  it.concurrent('429 before is exit 7: the money did not move, and why that is known', async () => {
    const { one, ended } = await payThrough('execute/on-chain', '429 before');
    const { error } = ended.data as Failed;
    expect({ code: ended.code, hint: error.hint }).toMatchObject({
      code: 7,
      hint: expect.stringContaining('the money did not move'),
    });
    expect(await one.timesPaid()).toBe(0);
    expect((await resumed(one)).code).toBe(0);
    expect(await one.timesPaid()).toBe(1);
  });
});

describe('a service that stays away', () => {
  it.concurrent('leaves a resume where it was: exit 11 while bytes may have been sent, and one payment in the end', async () => {
    const other = await sandbox.newCase();
    other.proxy.set({ faultOf: ({ path }) => (/on-chain|status/.test(path) ? 'drop after' : undefined) });
    expect((await other.json(RUN)).code).toBe(11);
    expect((await resumed(other, '--yes')).code).toBe(11);
    other.proxy.set({});
    expect((await resumed(other)).code).toBe(0);
    expect(await other.timesPaid()).toBe(1);
  });
});
