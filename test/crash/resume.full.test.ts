import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { killedAt, type Place } from '../support/kill-at.ts';
import { startLaggingNode } from '../support/lagging-node.ts';
import { addEvents } from '../support/test-journal.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--json'];

const leftAt = async (place: Place, ...more: readonly string[]): Promise<Case> => {
  const testCase = await sandbox.newCase();
  await testCase.bursar([...RUN, ...more], killedAt(place));
  return testCase;
};

const onlyOperation = async ({ journal }: Case): Promise<string> => [...(await journal.lines()).keys()][0] ?? '';

describe('a resume without --yes and without a terminal', () => {
  it.each<Place>(['journal:registered:synced', 'journal:created:synced', 'journal:signed:synced'])(
    'of a payment left at %s exits 8 and names the command with --yes',
    async (place) => {
      const testCase = await leftAt(place);
      const { code, data } = await testCase.json(['pay', 'resume']);
      expect({ code, data }).toMatchObject({
        code: 8,
        data: {
          error: { code: 'not_final', next: expect.stringMatching(/^bursar pay resume pay_[0-9a-f]{32} --yes$/) },
        },
      });
      expect(await testCase.timesPaid()).toBe(0);
    },
  );

  it('with --all starts with a payment that may have been sent, and exits 8 for one that needs confirmation', async () => {
    const testCase = await leftAt('journal:created:synced', '--intent', 'a');
    await testCase.bursar([...RUN, '--intent', 'b'], killedAt('journal:executing:synced'));
    const { code, data } = await testCase.json(['pay', 'resume', '--all']);
    const rows = data as readonly Record<string, unknown>[];
    expect({ code, rows }).toMatchObject({
      code: 8,
      rows: [
        { status: 'success', code: null, tid_hash: expect.any(String) },
        { status: 'unfinished', code: 'not_final', tid_hash: null },
      ],
    });
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(rows[1] ?? {}));
    expect(await testCase.timesPaid()).toBe(1);
  });
});

describe('a payment that the user declined', () => {
  it('is skipped by --all --yes and by a resume without an id, and is made by its id', async () => {
    const testCase = await leftAt('journal:created:synced');
    const id = await onlyOperation(testCase);
    await addEvents(testCase, id, { step: 'failed', code: 'declined', status: undefined, is_unknown: false });
    const { payment_id } = (await testCase.json(['pay', 'show', id])).data as unknown as { payment_id: string };
    const notice = `${payment_id} waits for your confirmation, and is left alone: bursar pay resume ${payment_id}`;
    for (const args of [['--all', '--yes'], ['--yes']]) {
      const { code, stdout, stderr } = await testCase.bursar(['pay', 'resume', ...args, '--json']);
      expect({ code, found: JSON.parse(stdout) }).toEqual({ code: 0, found: [] });
      expect(stderr).toContain(notice);
    }
    expect(await testCase.timesPaid()).toBe(0);
    expect((await testCase.json(['pay', 'list', '--open'])).data).toMatchObject([{ state: 'declined' }]);
    expect((await testCase.json(['pay', 'resume', id, '--yes'])).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(1);
  });
});

describe('bytes whose nonce another transaction used', () => {
  const replaced = async () => {
    const testCase = await leftAt('journal:executing:synced');
    // With the same amount the second payment would have the same bytes.
    await testCase.bursar([...RUN, '--amount-from', '20']);
    expect(await testCase.timesPaid()).toBe(2);
    return testCase;
  };

  it('stay in doubt (exit 11) when the node is unreachable', async () => {
    const testCase = await replaced();
    const unsure = await testCase.json(['pay', 'resume', '--yes', '--rpc-url', 'http://127.0.0.1:9']);
    expect(unsure).toMatchObject({
      code: 11,
      data: { error: { code: 'outcome_unknown', hint: expect.stringContaining('may have been sent') } },
    });
    expect(await testCase.timesPaid()).toBe(2);
  });

  it.each(['the node of the sandbox', '--rpc-url'])(
    'are dead when %s shows it: another transaction is signed and paid once',
    async (source) => {
      const testCase = await replaced();
      const node = source === '--rpc-url' ? ['--rpc-url', testCase.rpcUrl] : [];
      const sure = await testCase.json(['pay', 'resume', '--yes', ...node]);
      expect(sure, JSON.stringify(sure.data)).toMatchObject({ code: 0 });
      expect(await testCase.timesPaid()).toBe(3);
      expect(await testCase.json(['pay', 'resume', '--all', '--yes'])).toEqual({ code: 0, data: [] });
    },
  );

  it('need confirmation (exit 8) before another transaction is signed', async () => {
    const testCase = await replaced();
    expect((await testCase.json(['pay', 'resume', '--rpc-url', testCase.rpcUrl])).code).toBe(8);
    expect(await testCase.timesPaid()).toBe(2);
  });

  it('stay in doubt when the service refuses them as stale at the first try', async () => {
    const testCase = await sandbox.newCase();
    const { id } = await testCase.prepare();
    await testCase.bursar(RUN);
    // With a lagging node the payment is signed; the sandbox's own node would stop it.
    const stated = ['--body', 'payment.json', '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'];
    const execute = ['pay', 'execute', id, '--key', 'payer', ...stated, '--yes'];
    expect((await testCase.json(execute)).code).toBe(10);
    const refused = await testCase.json([...execute, '--rpc-url', await startLaggingNode(testCase.rpcUrl)]);
    expect(refused).toMatchObject({ code: 9, data: { error: { status: 'stale_transaction_nonce' } } });
    expect((refused.data as { error: { next: string } }).error.next).toMatch(/^bursar pay resume/);
    expect((await testCase.json(['pay', 'list', '--open'])).data).toMatchObject([
      { state: 'in_doubt', payment_id: id },
    ]);
    expect(await testCase.timesPaid()).toBe(1);
  });
});
