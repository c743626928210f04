import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaseWith, type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { fewAtATime } from '../../support/few-at-a-time.ts';
import { type StatementFate, startPgProxy, stepOfEntry } from '../../support/pg-proxy.ts';
import { canRunPostgres, newDatabase } from '../../support/postgres.ts';
import { newQueue, newRows } from '../../support/queue.ts';
import { type PostgresJournal, postgresJournal } from '../../support/test-journal.ts';

const canRun = canRunPostgres('lost answers of a journal');

let sandbox: SharedSandbox;

beforeAll(async () => {
  if (canRun) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

const BEFORE = ['begun', 'registering', 'registered', 'creating', 'created', 'reviewed', 'signed', 'executing'];
const AFTER = ['executed', 'ended'];

const executes = ({ proxy }: Pick<CaseWith<PostgresJournal>, 'proxy'>): number =>
  proxy.seen.filter(({ path }) => path.includes('on-chain')).length;

/** Pays while the first statement of a step meets its fate, then resumes with a database that answers. */
const payThrough = async (step: string, fate: StatementFate) => {
  const { server } = await newDatabase();
  const testCase = await sandbox.newCase({ makeJournal: (home) => postgresJournal(home) });
  const proxy = await startPgProxy(server.port);
  let met = 0;
  proxy.set({
    fateOf: (text) => {
      if (stepOfEntry(text) !== step) return 'pass';
      met += 1;
      return met === 1 ? fate : 'pass';
    },
  });
  const env = { BURSAR_JOURNAL: proxy.through(testCase.journal.url) };
  const { code, stdout } = await testCase.bursar([...testCase.run, '--json'], { env });
  const sent = executes(testCase);
  const early = await testCase.timesPaid();
  const resumed = await testCase.json(['pay', 'resume', '--all', '--yes']);
  const paid = await testCase.timesPaid();
  return {
    step,
    code,
    message: String(JSON.parse(stdout).error?.message ?? ''),
    met,
    sent,
    early,
    resumed: resumed.code,
    paid,
  };
};

describe.runIf(canRun)('a payment whose entry is committed without an answer', () => {
  it.each(['lose answer', 'lose statement'] as const)(
    'is made once when the connection breaks at any step ("%s")',
    async (fate) => {
      const steps = [...BEFORE, ...AFTER];
      const ends = await fewAtATime(steps, (step) => payThrough(step, fate));
      expect(ends).toEqual(
        steps.map((step) => ({
          ...{ step, code: 0, message: '', met: fate === 'lose answer' ? 1 : 2 },
          ...{ sent: 1, early: 1, resumed: 0, paid: 1 },
        })),
      );
    },
    180_000,
  );

  it('is in doubt at its worker when the database stays away, and the next worker settles it', async () => {
    const { put, work, receivedBy, journal, status } = await newQueue(sandbox);
    const { server } = await newDatabase();
    const rows = newRows('away', 1);
    await put('away', rows);
    const proxy = await startPgProxy(server.port);
    proxy.set({ fateOf: (text) => (stepOfEntry(text) === 'executed' ? 'stay away' : 'pass') });
    const { code, stderr } = await work([], { env: { BURSAR_JOURNAL: proxy.through(journal.url) } });
    expect([code, stderr]).toEqual([11, expect.stringMatching(/money may have moved: row 1 \(away-1, payment pay_/)]);
    expect([(await work()).code, await receivedBy(rows)]).toEqual([0, [1]]);
    expect(await status('away')).toMatchObject({ paid: 1, in_doubt: 0 });
  });

  it('sends nothing more when the database stays away, and a resume makes it once', async () => {
    const steps = [...BEFORE, ...AFTER];
    const ends = await fewAtATime(steps, (step) => payThrough(step, 'stay away'));
    const unreachable = expect.stringContaining('cannot be reached');
    const inDoubt = expect.stringMatching(/^money may have moved, and the journal .* cannot be reached/);
    expect(ends).toEqual(
      steps.map((step) => {
        const isBefore = BEFORE.includes(step);
        const end = {
          ...{ begun: { code: 5, message: unreachable }, executed: { code: 11, message: inDoubt } },
          ...{ ended: { code: 0, message: '' } },
        }[isBefore ? 'begun' : step];
        const sent = isBefore ? 0 : 1;
        return { step, ...end, met: 1, sent, early: sent, resumed: 0, paid: 1 };
      }),
    );
  }, 180_000);
});
