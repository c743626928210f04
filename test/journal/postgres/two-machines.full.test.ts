import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { fewAtATime } from '../../support/few-at-a-time.ts';
import { killedAt } from '../../support/kill-at.ts';
import { canRunPostgres, newDatabase } from '../../support/postgres.ts';
import { secondHome } from '../../support/second-home.ts';
import { postgresJournal } from '../../support/test-journal.ts';

const canRun = canRunPostgres('two machines with one journal');

let sandbox: SharedSandbox;

beforeAll(async () => {
  if (canRun) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

const ROUNDS = 20;

const hashOf = ({ stdout }: { readonly stdout: string }): unknown => JSON.parse(stdout).tid_hash;

const newPair = async (place?: Awaited<ReturnType<typeof newDatabase>>) => {
  const testCase = await sandbox.newCase({ makeJournal: (home) => postgresJournal(home, 30, place) });
  const other = await secondHome(testCase, testCase.journal);
  const executes = () => testCase.proxy.seen.filter(({ path }) => path.includes('on-chain')).length;
  return { testCase, other, executes };
};

describe.runIf(canRun)('two homes with one journal', () => {
  it('that pay at once with one --intent make one payment', async () => {
    const rounds = await fewAtATime(
      Array.from({ length: ROUNDS }, (_, round) => round),
      async () => {
        const { testCase, other, executes } = await newPair();
        const run = [...testCase.run, '--intent', 'rent', '--json'];
        const ended = await Promise.all([testCase.bursar(run), other.bursar(run)]);
        const codes = ended.map(({ code }) => code).toSorted();
        const repeat = await other.bursar(run);
        const hashes = new Set([repeat, ...ended.filter(({ code }) => code === 0)].map(hashOf));
        return {
          codes,
          repeat: repeat.code,
          hashes: hashes.size,
          executes: executes(),
          paid: await testCase.timesPaid(),
        };
      },
      2,
    );
    for (const { codes, ...round } of rounds) {
      expect(round).toEqual({ repeat: 0, hashes: 1, executes: 1, paid: 1 });
      expect([
        [0, 0],
        [0, 8],
      ]).toContainEqual(codes);
    }
  }, 300_000);

  it('that have seen a payment refuse a copy of the database without it', async () => {
    const place = await newDatabase();
    const { testCase, other } = await newPair(place);
    const run = [...testCase.run, '--intent', 'rent', '--json'];
    const [url, copy] = [new URL(place.url), new URL(place.url)];
    copy.pathname = `${url.pathname}_before`;
    const [name, before] = [url, copy].map(({ pathname }) => pathname.slice(1));
    url.pathname = '/postgres';
    await place.server.query(url.href, `CREATE DATABASE ${before} TEMPLATE ${name}`);
    expect((await testCase.bursar(run)).code).toBe(0);
    // This home only prints what the other one has paid.
    expect(hashOf(await other.bursar(run))).toMatch(/^0x/);
    const env = { BURSAR_JOURNAL: copy.href };
    for (const home of [testCase, other]) {
      const { code, stdout } = await home.bursar(run, { env });
      expect([code, stdout]).toEqual([2, expect.stringContaining('has lost entries')]);
    }
    expect(await testCase.timesPaid()).toBe(1);
  });

  it('pay one after another with one wallet, each by its own transaction', async () => {
    const { testCase, other } = await newPair();
    const names = ['May', 'June', 'July', 'August'];
    const pay = (name: string, at: number) =>
      (at % 2 === 0 ? testCase : other).bursar([...testCase.run, '--intent', name, '--json']);
    const ended = await Promise.all(names.map(pay));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(new Set(ended.map(hashOf)).size).toBe(4);
    expect(await testCase.timesPaid()).toBe(4);
  });

  it('resume and repeat what the other one started, and refuse another payment of its name', async () => {
    const { testCase, other, executes } = await newPair();
    const run = [...testCase.run, '--intent', 'rent', '--json'];
    await testCase.bursar(run, killedAt('journal:executing:synced'));
    const different = await other.bursar([...run, '--amount-from', '11']);
    expect([different.code, different.stdout]).toEqual([2, expect.stringContaining('is the name of another payment')]);
    const unnamed = await other.bursar([...testCase.run, '--json']);
    expect([unnamed.code, executes()]).toEqual([11, 0]);
    expect((await other.bursar(run)).code).toBe(0);
    const repeat = await testCase.bursar(run);
    expect([repeat.code, executes(), await testCase.timesPaid()]).toEqual([0, 1, 1]);
    const { movement: id } = JSON.parse((await testCase.bursar(['pay', 'list', '--json'])).stdout)[0];
    expect((await testCase.bursar(['pay', 'forget', id, '--yes'])).code).toBe(0);
    const forgotten = await other.bursar(run);
    expect([forgotten.code, forgotten.stdout]).toEqual([2, expect.stringContaining('is in use, or was forgotten')]);
    expect(await testCase.timesPaid()).toBe(1);
  });
});
