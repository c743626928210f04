import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Case, type SharedSandbox, startSharedSandbox } from '../support/crash.ts';
import { hasStrace, isOfJournal, isSync, stepIn, underStrace } from '../support/strace.ts';

let sandbox: SharedSandbox;

beforeAll(async () => {
  sandbox = await startSharedSandbox();
});

afterAll(() => sandbox.end());

const RUN = ['pay', 'run', '--body', 'payment.json', '--key', 'payer', '--yes', '--json'];

/** Runs a payment under strace with these extra options; returns the system calls in order. */
const traced = async (testCase: Case, ...more: readonly string[]) => {
  const log = join(testCase.home, 'trace');
  const under = underStrace(log, ...more);
  // strace counts calls per thread, so that one thread has to make all of them.
  const ended = await testCase.start(RUN, { under, env: { UV_THREADPOOL_SIZE: '1' } }).ended;
  return { ...ended, lines: (await readFile(log, 'utf8')).split('\n') };
};

/** The index of ended operations is a cache, and a failed write of it is harmless. */
const isOfIndex = (line: string): boolean => line.includes('/journal/index>');
const isSend = (line: string): boolean => line.includes('on-chain') && !isOfJournal(line);

describe.runIf(hasStrace())('the system calls of a payment, in their order', () => {
  it('sync the hash and the signed bytes before the first byte of execute', async () => {
    const testCase = await sandbox.newCase();
    const { code, lines } = await traced(testCase);
    expect(code).toBe(0);
    const sent = lines.findIndex(isSend);
    for (const step of ['signed', 'executing']) {
      const { written, synced } = stepIn(lines, step);
      expect(written).toBeGreaterThan(-1);
      expect(synced).toBeGreaterThan(written);
      expect(sent).toBeGreaterThan(synced);
    }
    expect(lines.filter(isSend)).toHaveLength(1);
  });

  it('sync the journal file and each new folder before the first call', async () => {
    const testCase = await sandbox.newCase();
    const { code, lines } = await traced(testCase);
    expect(code).toBe(0);
    const first = lines.findIndex((line) => line.includes('intents-create-order') && !isOfJournal(line));
    const before = lines.slice(0, first);
    const file = before.findIndex((line) => isSync(line) && /\/journal\/[^/>]+\.ndjson>/.test(line));
    expect(file).toBeGreaterThan(-1);
    // Each name is in the folder above, up to a folder that existed before.
    const folderAfter = before.findIndex((line, at) => at > file && isSync(line) && line.includes('/state/journal>'));
    expect(folderAfter).toBeGreaterThan(file);
    for (const folder of [join(testCase.home, 'state'), testCase.home]) {
      expect(before.some((line) => isSync(line) && line.includes(`${folder}>`))).toBe(true);
    }
  });

  it.each(['EIO', 'ENOSPC'])(
    'stop before execute (exit 2) when each sync from some step on fails with %s',
    async (error) => {
      const testCase = await sandbox.newCase();
      // The first payment also creates folders, which adds syncs.
      await testCase.bursar(RUN);
      const { lines: complete } = await traced(testCase);
      const paid = await testCase.timesPaid();
      const count = complete
        .slice(0, complete.findIndex(isSend))
        .filter((line) => isSync(line) && !isOfIndex(line)).length;
      expect(count).toBeGreaterThan(10);
      // An unfinished payment adds syncs to the next run; the last sync counted here is that of `executing` at the latest.
      for (const when of [1, Math.floor(count / 2), count - 2, count - 1]) {
        const { code, stdout, lines } = await traced(
          testCase,
          '-e',
          `inject=fsync,fdatasync:error=${error}:when=${when}+`,
        );
        expect({ when, code, sent: lines.filter(isSend).length }).toEqual({ when, code: 2, sent: 0 });
        expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'journal_unwritable' } });
      }
      expect(testCase.proxy.seen.at(-1)?.path).toContain('intents-create-transaction');
      expect(await testCase.timesPaid()).toBe(paid);
    },
  );
});

describe('the journal', () => {
  it('has the step of a call on the disk before the service reads the call', async () => {
    const testCase = await sandbox.newCase();
    const onDisk: (readonly string[])[] = [];
    testCase.proxy.set({
      onRequest: async ({ method, path }) => {
        if (method === 'POST') onDisk.push([path.split('/').at(-1) ?? '', (await testCase.steps()).at(-1) ?? '']);
      },
    });
    expect((await testCase.bursar(RUN)).code).toBe(0);
    expect(onDisk).toEqual([
      ['intents-create-order', 'registering'],
      ['intents-create-transaction', 'creating'],
      ['on-chain', 'executing'],
    ]);
  });
});
