import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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
const holdFirst = (one: Case, call: string) => {
  let release = (): void => undefined;
  let isHeld = false;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    one.proxy.set({
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

const claimsIn = async ({ home }: Case) => readdir(join(home, 'state', 'turns')).catch((): string[] => []);

describe('payments of one key at once', () => {
  it('with the same amount and receivers are all made, each by its own transaction', async () => {
    const one = await sandbox.newCase();
    const names = ['rent of May', 'rent of June', 'rent of July', 'rent of August'];
    const ended = await Promise.all(names.map((name) => one.bursar(runWith(name))));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(new Set(ended.map(hashOf)).size).toBe(4);
    expect(await one.timesPaid()).toBe(4);
    expect(order(one)).toEqual(['create', 'execute', 'create', 'execute', 'create', 'execute', 'create', 'execute']);
    expect(await claimsIn(one)).toEqual([]);
  });

  it('run one after another, beside a resume and a payment in steps', async () => {
    const one = await sandbox.newCase();
    await one.bursar(runWith('left'), killedAt('journal:registered:synced'));
    const id = await one.register();
    const create = [
      ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
      ...['--payer-wallet', one.payer, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT', '--json'],
    ];
    const stepByStep = async () => {
      await one.bursar(create);
      return one.bursar(['pay', 'execute', id, '--body', 'payment.json', '--key', 'payer', '--yes', '--json']);
    };
    const ended = await Promise.all([
      one.bursar(runWith('new')),
      one.bursar(['pay', 'resume', '--all', '--yes', '--json']),
      stepByStep(),
    ]);
    expect(ended.slice(0, 2).map(({ code }) => code)).toEqual([0, 0]);
    // Another payment may use the nonce between the two commands; then the transaction is created again.
    if (ended[2]?.code !== 0) expect((await stepByStep()).code).toBe(0);
    expect(await one.timesPaid()).toBe(3);
  });

  it('do not delay a payment of another key', async () => {
    const one = await sandbox.newCase();
    const other = await one.another();
    const { reached, release } = holdFirst(one, 'on-chain');
    const first = one.start(RUN);
    await reached;
    expect((await one.bursar([...other.run, '--timeout', '20'])).code).toBe(0);
    release();
    expect((await first.ended).code).toBe(0);
  });
});

describe('while another process has the turn of the wallet', () => {
  it('each command waits for its --timeout, then exits 8 with the process number and a next command', async () => {
    const one = await sandbox.newCase();
    const { id } = await one.prepare();
    await one.bursar(runWith('left'), killedAt('journal:created:synced'));
    const { reached, release } = holdFirst(one, 'on-chain');
    const first = one.start(runWith('first'));
    await reached;
    const create = [
      ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
      ...['--payer-wallet', one.payer, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
    ];
    const start = performance.now();
    const ended = await Promise.all(
      [
        runWith('second'),
        [...RUN.slice(0, -1), '--intent', 'left'],
        create,
        ['pay', 'execute', id, '--key', 'payer', '--yes'],
        ['pay', 'sign', id, '--key', 'payer'],
      ].map((args) => one.json([...args.filter((word) => word !== '--json'), '--timeout', '4'])),
    );
    expect(performance.now() - start).toBeLessThan(30_000);
    for (const { code, data } of ended) {
      expect({ code, data }).toMatchObject({
        code: 8,
        data: {
          error: {
            code: 'not_final',
            message: `process ${first.child.pid} is working with the wallet ${one.payer} on polygon`,
            next: expect.stringMatching(/^bursar pay (?:resume \S+ --yes|sign \S+ --key \S+|list --open)$/),
          },
        },
      });
    }
    expect(order(one).filter((call) => call === 'execute')).toHaveLength(1);
    release();
    expect((await first.ended).code).toBe(0);
    const { error } = (ended[0]?.data ?? {}) as { error?: { next: string } };
    expect((await one.json(error?.next.split(' ').slice(1) ?? [])).code).toBe(0);
    expect(await one.timesPaid()).toBe(2);
  });

  it('the turn is free when that process is killed', async () => {
    const one = await sandbox.newCase();
    const { reached, release } = holdFirst(one, 'intents-create-transaction');
    const first = one.start(runWith('first'));
    await reached;
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await claimsIn(one)).toHaveLength(1);
    const start = performance.now();
    expect((await one.bursar(runWith('second'))).code).toBe(0);
    expect(performance.now() - start).toBeLessThan(30_000);
    release();
    expect(await claimsIn(one)).toEqual([]);
    expect(await one.timesPaid()).toBe(1);
  });

  it('that process keeps its turn while it is stopped, and pays once when it continues', async () => {
    const one = await sandbox.newCase();
    const { reached, release } = holdFirst(one, 'intents-create-transaction');
    const first = one.start(runWith('first'));
    await reached;
    first.child.kill('SIGSTOP');
    release();
    expect((await one.bursar([...runWith('second'), '--timeout', '3'])).code).toBe(8);
    first.child.kill('SIGCONT');
    expect((await first.ended).code).toBe(0);
    expect((await one.bursar(runWith('second'))).code).toBe(0);
    expect(await one.timesPaid()).toBe(2);
  });
});
