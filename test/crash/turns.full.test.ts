import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { killedAt } from '../support/kill-at.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--json'];

const runWith = (name: string) => [...RUN, '--intent', name];

const hashOf = ({ stdout }: { readonly stdout: string }): unknown => JSON.parse(stdout).tid_hash;

/** `reached` resolves when the first such call was read; its answer waits for `release`. Later calls pass. */
const holdFirst = (testCase: Case, call: string) => {
  let release = (): void => undefined;
  let isHeld = false;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    testCase.proxy.set({
      onRequest: ({ path }) => {
        if (isHeld || !path.includes(call)) return undefined;
        isHeld = true;
        resolve();
        return released;
      },
    });
  });
  return { reached, release };
};

/** The calls that create and execute transactions, in order. */
const order = ({ proxy }: Case): readonly string[] =>
  proxy.seen
    .map(({ path }) => path)
    .filter((path) => path.endsWith('intents-create-transaction') || path.endsWith('on-chain'))
    .map((path) => (path.endsWith('on-chain') ? 'execute' : 'create'));

describe('payments of one key at once', () => {
  it('with the same amount and receivers are all made, each by its own transaction', async () => {
    const testCase = await sandbox.newCase();
    const names = ['rent of May', 'rent of June', 'rent of July', 'rent of August'];
    const ended = await Promise.all(names.map((name) => testCase.bursar(runWith(name))));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(new Set(ended.map(hashOf)).size).toBe(4);
    expect(await testCase.timesPaid()).toBe(4);
    expect(order(testCase)).toEqual([
      'create',
      'execute',
      'create',
      'execute',
      'create',
      'execute',
      'create',
      'execute',
    ]);
    expect(await testCase.journal.turns()).toEqual([]);
  });

  it('run one after another, beside a resume and a payment in steps', async () => {
    const testCase = await sandbox.newCase();
    await testCase.bursar(runWith('left'), killedAt('journal:registered:synced'));
    const id = await testCase.register();
    const create = [
      ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
      ...['--payer-wallet', testCase.payer, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT', '--json'],
    ];
    const stepByStep = async () => {
      await testCase.bursar(create);
      return testCase.bursar(['pay', 'execute', id, '--body', 'payment.json', '--key', 'payer', '--yes', '--json']);
    };
    const resumeAll = () => testCase.bursar(['pay', 'resume', '--all', '--yes', '--json']);
    const [made, resumed, last] = await Promise.all([testCase.bursar(runWith('new')), resumeAll(), stepByStep()]);
    expect(made.code).toBe(0);
    // It may meet a payment of the other processes.
    if (resumed.code !== 0) {
      expect([resumed.code, resumed.stdout + resumed.stderr]).toEqual([8, expect.stringContaining('is working on')]);
      expect((await resumeAll()).code).toBe(0);
    }
    // Another payment may use the nonce between the two commands; then the transaction is created again.
    if (last.code !== 0) expect((await stepByStep()).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(3);
  });

  it('do not delay a payment of another key', async () => {
    const testCase = await sandbox.newCase();
    const other = await testCase.another();
    const { reached, release } = holdFirst(testCase, 'on-chain');
    const first = testCase.start(RUN);
    await reached;
    expect((await testCase.bursar([...other.run, '--timeout', '20'])).code).toBe(0);
    release();
    expect((await first.ended).code).toBe(0);
  });
});

describe('while another process has the turn of the wallet', () => {
  it('each command waits for its --timeout, then exits 8 with the process number and a next command', async () => {
    const testCase = await sandbox.newCase();
    const { id } = await testCase.prepare();
    await testCase.bursar(runWith('left'), killedAt('journal:created:synced'));
    const { reached, release } = holdFirst(testCase, 'on-chain');
    const first = testCase.start(runWith('first'));
    await reached;
    const create = [
      ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
      ...['--payer-wallet', testCase.payer, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
    ];
    const start = performance.now();
    const ended = await Promise.all(
      [
        runWith('second'),
        [...RUN.slice(0, -1), '--intent', 'left'],
        create,
        ['pay', 'execute', id, '--key', 'payer', '--yes'],
        ['pay', 'sign', id, '--key', 'payer'],
      ].map((args) => testCase.json([...args.filter((word) => word !== '--json'), '--timeout', '6'])),
    );
    expect(performance.now() - start).toBeLessThan(30_000);
    for (const { code, data } of ended) {
      expect({ code, data }).toMatchObject({
        code: 8,
        data: {
          error: {
            code: 'not_final',
            message: `process ${first.child.pid} is working with the wallet ${testCase.payer} on polygon`,
            next: expect.stringMatching(/^bursar pay (?:resume \S+ --yes|sign \S+ --key \S+|list --open)$/),
          },
        },
      });
    }
    expect(order(testCase).filter((call) => call === 'execute')).toHaveLength(1);
    release();
    expect((await first.ended).code).toBe(0);
    const { error } = (ended[0]?.data ?? {}) as { error?: { next: string } };
    expect((await testCase.json(error?.next.split(' ').slice(1) ?? [])).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(2);
  });

  it('the turn is free when that process is killed', async () => {
    const testCase = await sandbox.newCase();
    const { reached, release } = holdFirst(testCase, 'intents-create-transaction');
    const first = testCase.start(runWith('first'));
    await reached;
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await testCase.journal.turns()).toHaveLength(1);
    const start = performance.now();
    expect((await testCase.bursar(runWith('second'))).code).toBe(0);
    expect(performance.now() - start).toBeLessThan(30_000);
    release();
    expect(await testCase.journal.turns()).toEqual([]);
    expect(await testCase.timesPaid()).toBe(1);
  });

  it('that process keeps its turn while it is stopped, and pays once when it continues', async () => {
    const testCase = await sandbox.newCase();
    const { reached, release } = holdFirst(testCase, 'intents-create-transaction');
    const first = testCase.start(runWith('first'));
    await reached;
    first.child.kill('SIGSTOP');
    release();
    expect((await testCase.bursar([...runWith('second'), '--timeout', '3'])).code).toBe(8);
    first.child.kill('SIGCONT');
    expect((await first.ended).code).toBe(0);
    expect((await testCase.bursar(runWith('second'))).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(2);
  });
});
