import { platform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaseWith, type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { fewAtATime } from '../../support/few-at-a-time.ts';
import { killedAt, type StopPlace, stoppedAt } from '../../support/kill-at.ts';
import { startPgProxy } from '../../support/pg-proxy.ts';
import { canRunPostgres, newDatabase } from '../../support/postgres.ts';
import { secondHome } from '../../support/second-home.ts';
import { untilStopped } from '../../support/stopped.ts';
import { type PostgresJournal, postgresJournal } from '../../support/test-journal.ts';

/** The state of a process is read from /proc. */
const canRun = platform() === 'linux' && canRunPostgres('the fence of a journal');

let sandbox: SharedSandbox;

beforeAll(async () => {
  if (canRun) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

type PostgresCase = CaseWith<PostgresJournal>;

const newCase = (leaseSeconds?: number): Promise<PostgresCase> =>
  sandbox.newCase({ makeJournal: (home) => postgresJournal(home, leaseSeconds) });

const RESUME = ['pay', 'resume', '--all', '--yes', '--timeout', '60', '--json'];

const executes = ({ proxy }: PostgresCase): number => proxy.seen.filter(({ path }) => path.includes('on-chain')).length;

/** The time of all leases is over, and the last calls of their holders as well. */
const endLeases = ({ journal }: PostgresCase) =>
  journal.sql(`UPDATE bursar.leases SET until = now() - interval '1 hour', quiet_at = now() - interval '1 hour'`);

const entriesIn = async ({ journal }: PostgresCase): Promise<readonly string[]> =>
  (await journal.sql('SELECT operation, seq, epoch FROM bursar.entries ORDER BY operation, seq')).map(
    ({ operation, seq, epoch }) => `${operation} ${seq} of epoch ${epoch}`,
  );

type Wait = StopPlace | 'in flight:execute/on-chain';

/** The owner is stopped at each of these, ten times. The last one stops it while a proxy holds its call. */
const PLACES: readonly Wait[] = [
  'call:execute/on-chain:stopped',
  'in flight:execute/on-chain',
  'journal:executing:stopped',
  'journal:signed:stopped',
  'call:intents-create-transaction:stopped',
];

const ROUNDS = 10;

/** Starts the owner, and resolves when it is stopped. `release` lets a held call pass. */
const stopOwner = async (testCase: PostgresCase, place: Wait) => {
  const args = [...testCase.run, '--json'];
  if (place !== 'in flight:execute/on-chain') {
    const owner = testCase.start(args, stoppedAt(place));
    await untilStopped(owner.child);
    return { owner, release: () => undefined };
  }
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const owner = testCase.start(args);
  let isHeld = false;
  testCase.proxy.set({
    onRequest: ({ path }) => {
      if (isHeld || !path.includes('on-chain')) return undefined;
      isHeld = true;
      owner.child.kill('SIGSTOP');
      return released;
    },
  });
  await untilStopped(owner.child);
  return { owner, release };
};

/** Another home takes over from a stopped owner, which then continues. */
const takeOver = async (place: Wait) => {
  const testCase = await newCase();
  const other = await secondHome(testCase, testCase.journal);
  const { owner, release } = await stopOwner(testCase, place);
  await endLeases(testCase);
  const successor = await other.bursar(RESUME);
  const entries = await entriesIn(testCase);
  release();
  owner.child.kill('SIGCONT');
  const late = await owner.ended;
  return {
    place,
    successor: successor.code,
    late: late.code,
    added: (await entriesIn(testCase)).filter((each) => !entries.includes(each)),
    paid: await testCase.timesPaid(),
    calls: executes(testCase),
    again: (await other.bursar(RESUME)).stdout.trim(),
  };
};

describe.runIf(canRun)('an owner that is stopped while another home takes over', () => {
  it.each(PLACES)(
    'at %s appends nothing when it continues, and one payment is made',
    async (place) => {
      const rounds = await fewAtATime(
        Array.from({ length: ROUNDS }, () => place),
        takeOver,
      );
      for (const { late, calls, ...round } of rounds) {
        expect(round).toEqual({ place, successor: 0, added: [], paid: 1, again: '[]' });
        expect(place.includes('create-transaction') ? [5, 8, 9, 11] : [5, 8, 11]).toContain(late);
        // Its bytes may arrive beside those of its successor.
        const isSent = place.includes('on-chain');
        expect(calls).toBe(isSent ? 2 : 1);
      }
    },
    300_000,
  );

  it('is waited for: nothing is resumed before its lease and its last call have ended', async () => {
    const testCase = await newCase();
    const other = await secondHome(testCase, testCase.journal);
    const { owner } = await stopOwner(testCase, 'call:execute/on-chain:stopped');
    const early = await other.bursar(RESUME);
    expect([early.code, early.stdout]).toEqual([8, expect.stringContaining(`process ${owner.child.pid} is working`)]);
    await testCase.journal.sql(`UPDATE bursar.leases SET until = now() - interval '33 s'`);
    const start = performance.now();
    expect((await other.bursar(RESUME)).code).toBe(0);
    expect(performance.now() - start).toBeGreaterThan(1_000);
    owner.child.kill('SIGCONT');
    expect([5, 8, 11]).toContain((await owner.ended).code);
    expect(await testCase.timesPaid()).toBe(1);
  });
});

describe.runIf(canRun)('an owner that was stopped for half its lease', () => {
  it.each(['journal:executing:stored', 'journal:registered:stored'] as const)(
    'at %s starts no call while the database does not answer (exit 5)',
    async (place) => {
      const { server } = await newDatabase();
      const testCase = await newCase(3);
      const proxy = await startPgProxy(server.port);
      const env = { ...stoppedAt(place).env, BURSAR_JOURNAL: proxy.through(testCase.journal.url) };
      const owner = testCase.start([...testCase.run, '--json'], { env });
      await untilStopped(owner.child);
      const seen = testCase.proxy.seen.length;
      proxy.cut();
      await sleep(1_600);
      owner.child.kill('SIGCONT');
      const { code } = await owner.ended;
      expect({ code, calls: testCase.proxy.seen.slice(seen) }).toEqual({
        code: 5,
        calls: [],
      });
      expect((await testCase.bursar(RESUME)).code).toBe(0);
      expect(await testCase.timesPaid()).toBe(1);
    },
  );

  it('starts its call after a renewal', async () => {
    // A busy machine needs some time beside the stop.
    const testCase = await newCase(12);
    const owner = testCase.start([...testCase.run, '--json'], stoppedAt('journal:executing:stored'));
    await untilStopped(owner.child);
    await sleep(6_300);
    owner.child.kill('SIGCONT');
    expect((await owner.ended).code).toBe(0);
    expect([executes(testCase), await testCase.timesPaid()]).toEqual([1, 1]);
  });

  it('renews its leases while it waits for a call that is longer than they are', async () => {
    const testCase = await newCase(3);
    const other = await secondHome(testCase, testCase.journal);
    testCase.proxy.set({ onRequest: ({ path }) => (path.includes('create-transaction') ? sleep(7_000) : undefined) });
    const owner = testCase.bursar([...testCase.run, '--json']);
    await sleep(6_000);
    expect((await other.bursar(RESUME)).code).toBe(8);
    expect((await owner).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(1);
  });
});

describe.runIf(canRun)('a killed owner', () => {
  it('of this machine is replaced at once, and one of another machine after its lease and its last call', async () => {
    const testCase = await newCase();
    await testCase.bursar([...testCase.run, '--intent', 'a'], killedAt('journal:signed:synced'));
    const other = await secondHome(testCase, testCase.journal);
    await testCase.journal.sql(
      `UPDATE bursar.leases SET owner = regexp_replace(owner, '"host":"[^"]*"', '"host":"away"')`,
    );
    const held = await other.bursar(RESUME);
    expect([held.code, held.stdout]).toEqual([8, expect.stringContaining('is working on')]);
    await testCase.journal.sql(
      `UPDATE bursar.leases SET until = now() - interval '34 s', quiet_at = now() - interval '1 hour'`,
    );
    const start = performance.now();
    expect((await other.bursar(RESUME)).code).toBe(0);
    expect(await testCase.timesPaid()).toBe(1);
    expect(performance.now() - start).toBeGreaterThan(900);
  });
});
