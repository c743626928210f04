import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AT_ONCE_MS } from '../support/at-once.ts';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { interruptedAt, killedAt } from '../support/kill-at.ts';
import { startLaggingNode } from '../support/lagging-node.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--json'];
const RESUME = ['pay', 'resume', '--all', '--yes', '--json'];

const executes = ({ proxy }: Case): number => proxy.seen.filter(({ path }) => path.includes('on-chain')).length;

/** A payment that was killed after its bytes were signed and before they were sent. */
const leftSigned = async (): Promise<Case> => {
  const testCase = await sandbox.newCase();
  await testCase.bursar(RUN, killedAt('journal:signed:synced'));
  return testCase;
};

/** `reached` resolves when the service has read the first such call; `release` lets the answer pass. */
const holdCall = (testCase: Case, call: string) => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    testCase.proxy.set({
      onRequest: ({ path }) => {
        if (!path.includes(call)) return undefined;
        resolve();
        return released;
      },
    });
  });
  return { reached, release };
};

const holdExecute = (testCase: Case) => holdCall(testCase, 'on-chain');

describe('several processes on one operation', () => {
  it('pay once: one resume sends, and the others exit 8 or 0', async () => {
    const testCase = await leftSigned();
    const ended = await Promise.all([1, 2, 3].map(() => testCase.bursar(RESUME)));
    for (const { code } of ended) expect([0, 8]).toContain(code);
    expect(ended.map(({ code }) => code)).toContain(0);
    expect([executes(testCase), await testCase.timesPaid()]).toEqual([1, 1]);
    expect(await testCase.json(['pay', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
  });

  it('wait for a stopped resume (exit 8), which pays once when it continues', async () => {
    const testCase = await leftSigned();
    const { reached, release } = holdExecute(testCase);
    const first = testCase.start(RESUME);
    await reached;
    first.child.kill('SIGSTOP');
    release();
    const second = await testCase.bursar(RESUME);
    expect(second.code).toBe(8);
    expect(second.stdout).toContain(`process ${first.child.pid} is working on the operation`);
    first.child.kill('SIGCONT');
    expect((await first.ended).code).toBe(0);
    expect([executes(testCase), await testCase.timesPaid()]).toEqual([1, 1]);
  });

  it('pay once when the claim of a stopped process is removed: that process sends nothing (exit 8)', async () => {
    const testCase = await sandbox.newCase();
    const { reached, release } = holdCall(testCase, 'intents-create-transaction');
    // The sandbox's own node would show that the nonce is used by then.
    const first = testCase.start([...RUN, '--rpc-url', await startLaggingNode(testCase.rpcUrl)]);
    await reached;
    first.child.kill('SIGSTOP');
    testCase.proxy.set({});
    release();
    await testCase.journal.dropClaims();
    expect((await testCase.bursar(RESUME)).code).toBe(0);
    first.child.kill('SIGCONT');
    const { code, stdout } = await first.ended;
    expect({ code, message: JSON.parse(stdout).error.message }).toEqual({
      code: 8,
      message: expect.stringMatching(/has lost its claim on|has taken over/),
    });
    expect([executes(testCase), await testCase.timesPaid()]).toEqual([1, 1]);
  });

  it('do not wait for a killed resume: the next one pays once', async () => {
    const testCase = await leftSigned();
    const { reached, release } = holdExecute(testCase);
    const first = testCase.start(RESUME);
    await reached;
    first.child.kill('SIGKILL');
    await first.ended;
    const start = performance.now();
    const next = testCase.bursar(RESUME);
    release();
    expect((await next).code).toBe(0);
    expect(performance.now() - start).toBeLessThan(30_000);
    expect(await testCase.timesPaid()).toBe(1);
  });
});

describe('--intent', () => {
  const intent = (key: string) => [...RUN, '--intent', key];

  it('returns the first receipt on a repeat, and pays once for each key', async () => {
    const testCase = await sandbox.newCase();
    const [first, second] = [await testCase.bursar(intent('rent')), await testCase.bursar(intent('rent'))];
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(JSON.parse(second.stdout).tid_hash).toBe(JSON.parse(first.stdout).tid_hash);
    expect(await testCase.timesPaid()).toBe(1);
    expect((await testCase.bursar(intent('rent of June'))).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(2);
  });

  it('with an empty value is refused with exit 2, because an unset variable would be the key of each payment', async () => {
    const testCase = await sandbox.newCase();
    const { code, stdout } = await testCase.bursar(intent(''));
    expect([code, JSON.parse(stdout).error.message]).toEqual([2, 'nothing was sent: --intent is empty']);
    expect(await testCase.timesPaid()).toBe(0);
  });

  it('lets one of two processes pay; the second exits 8 with the number of the first', async () => {
    const testCase = await sandbox.newCase();
    const { reached, release } = holdExecute(testCase);
    const first = testCase.start(intent('rent'));
    await reached;
    const second = await testCase.bursar(intent('rent'));
    release();
    expect({ code: second.code, error: JSON.parse(second.stdout).error }).toMatchObject({
      code: 8,
      error: { message: `process ${first.child.pid} is making the same payment` },
    });
    expect((await first.ended).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(1);
  });

  it('resumes a killed payment with its key, and refuses another payment with that key', async () => {
    const testCase = await sandbox.newCase();
    await testCase.bursar(intent('rent'), killedAt('journal:executing:synced'));
    const other = await testCase.bursar([...intent('rent'), '--amount-from', '11']);
    expect([other.code, other.stdout]).toEqual([2, expect.stringContaining('is the name of another payment')]);
    expect(JSON.parse(other.stdout).error.hint).toBe(
      'It has amount_from 10; this command has amount_from 11. Nothing was sent.',
    );
    expect((await testCase.bursar(intent('rent'))).code).toBe(0);
    expect([executes(testCase), await testCase.timesPaid()]).toEqual([1, 1]);
  });
});

describe('the same payment again without --intent', () => {
  it('replaces a payment that was killed before it was sent, and one is paid', async () => {
    const testCase = await leftSigned();
    expect((await testCase.bursar(RUN)).code).toBe(0);
    expect(await testCase.json(['pay', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
    expect(await testCase.timesPaid()).toBe(1);
  });

  it('is refused with exit 11 when the first payment may have been sent', async () => {
    const testCase = await sandbox.newCase();
    await testCase.bursar(RUN, killedAt('journal:executing:synced'));
    expect((await testCase.bursar(RUN)).code).toBe(11);
    expect(await testCase.timesPaid()).toBe(0);
  });
});

describe('Ctrl-C while execute is in flight', () => {
  it('exits 11 at once and names the resume, which pays once', async () => {
    const testCase = await sandbox.newCase();
    const { reached, release } = holdExecute(testCase);
    const { child, ended } = testCase.start(RUN);
    await reached;
    const start = performance.now();
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
    release();
    expect({ code, error: JSON.parse(stdout).error }).toMatchObject({
      code: 11,
      error: {
        code: 'outcome_unknown',
        message: expect.stringContaining('Do not pay again'),
        hint: expect.stringMatching(/0x[0-9a-f]{64}/),
        next: expect.stringMatching(/^bursar pay resume pay_[0-9a-f]{32}$/),
      },
    });
    expect((await testCase.bursar(['pay', 'resume', '--json'])).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(1);
  });
});

describe('Ctrl-C after the service accepted the bytes of a resume', () => {
  it('exits 130 as after pay run, without a doubt', async () => {
    const testCase = await sandbox.newCase();
    await testCase.bursar(RUN, killedAt('journal:executing:synced'));
    const { code, stdout } = await testCase.bursar(['pay', 'resume', '--yes', '--json'], interruptedAt('executed'));
    expect({ code, error: JSON.parse(stdout).error }).toMatchObject({
      code: 130,
      error: { code: 'interrupted', message: expect.stringContaining('was executed') },
    });
    expect((await testCase.bursar(['pay', 'resume', '--json'])).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(1);
  });
});

describe('Ctrl-C between two payments of a resume', () => {
  const leftTwo = async (): Promise<Case> => {
    const testCase = await sandbox.newCase();
    for (const name of ['first', 'second']) {
      await testCase.bursar([...RUN, '--intent', name], killedAt('journal:registered:synced'));
    }
    return testCase;
  };

  it('exits 130 with the row of the first payment, and leaves the second to a later resume', async () => {
    const testCase = await leftTwo();
    const { code, stdout } = await testCase.bursar(RESUME, interruptedAt('ended'));
    expect({ code, rows: JSON.parse(stdout) }).toEqual({
      code: 130,
      rows: [expect.objectContaining({ state: 'success', code: null })],
    });
    expect([executes(testCase), await testCase.timesPaid()]).toEqual([1, 1]);
    expect(await testCase.json(RESUME.slice(0, -1))).toMatchObject({ code: 0, data: [{ state: 'success' }] });
    expect(await testCase.timesPaid()).toBe(2);
  });

  it('prints that 1 of 2 payments was not reached', async () => {
    const testCase = await leftTwo();
    const { code, stderr } = await testCase.bursar(RESUME.slice(0, -1), interruptedAt('ended'));
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: expect.stringMatching(/^error: interrupted: 1 of 2 were not looked at$/m),
    });
  });
});
