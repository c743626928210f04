import type PgBoss from 'pg-boss';
import { isJsonObject, textAt } from '../../core/json.ts';
import type { Io } from '../../io/io.ts';
import type { Sql } from '../../journal/postgres/connection.ts';

/** Where pg-boss has its tables. */
const SCHEMA = 'bursar_jobs';

/** A row waits for its worker as long as it takes. */
const FOR_EVER = 1_000_000_000;
const RETENTION_DAYS = 3_650;
/** A worker looks for jobs of ended workers so many times before one becomes visible again. */
const LOOKS = 12;
const SHORTEST_LOOK_MS = 1_000;

/**
 * pg-boss sorts all jobs of a queue to find the next one, and reads all to find those of ended workers. At a million jobs each
 * took a second. Each partition of the table gets these indexes.
 */
const INDEXES = `
CREATE INDEX IF NOT EXISTS jobs_in_order ON ${SCHEMA}.job (name, priority DESC, created_on, id) WHERE state < 'active';
-- Those of ended workers.
CREATE INDEX IF NOT EXISTS jobs_active ON ${SCHEMA}.job (started_on) WHERE state = 'active'`;

const HAS_INDEXES = `SELECT to_regclass('${SCHEMA}.jobs_active') IS NOT NULL AS found`;

const HAS_JOBS = `
SELECT EXISTS (SELECT FROM ${SCHEMA}.job WHERE name = $1 AND state < 'completed' AND id <> ALL($2::uuid[])) AS found`;

/** A job names a row, and says nothing about it. `id` is a UUID. */
export type Job = { readonly id: string; readonly queue: string; readonly batch: string; readonly row: string };

/** The jobs of the rows: which worker looks at a row next. */
export type Jobs = {
  /** Makes a queue unless there is one. */
  readonly makeQueue: (name: string) => Promise<void>;
  /** Adds jobs in the transaction of the caller. A job that is there stays as it is. */
  readonly add: (query: Sql['query'], jobs: readonly Job[]) => Promise<void>;
  /** Takes at most so many jobs of a queue. They become visible again unless they are removed in time. */
  readonly fetch: (queue: string, most: number) => Promise<readonly Job[]>;
  /** Removes jobs, in the transaction of the caller if there is one. */
  readonly remove: (queue: string, ids: readonly string[], own?: Sql['query']) => Promise<void>;
  /** Makes jobs visible again after a pause. */
  readonly giveBack: (queue: string, ids: readonly string[]) => Promise<void>;
  /** Whether a queue has no job, taken or not, except some. */
  readonly isEmpty: (queue: string, except?: readonly string[]) => Promise<boolean>;
  readonly end: () => Promise<void>;
};

const jobOf =
  (queue: string) =>
  ({ id, data }: { readonly id: string; readonly data: unknown }): Job => ({
    id,
    queue,
    batch: (isJsonObject(data) && textAt(data, 'batch')) || '',
    row: (isJsonObject(data) && textAt(data, 'row')) || '',
  });

const asDatabase = (query: Sql['query']): PgBoss.Db => ({
  // What pg-boss runs without values may be several statements, and none of their rows is read.
  executeSql: async (text, values) => ({ rows: [...((await query(text, values ?? [])) ?? [])] }),
});

/** Makes the jobs of ended workers visible again, until a signal. A fault has no caller: the next statement meets it too. */
const keepExpiring = async (clock: Io['clock'], boss: PgBoss, everyMs: number, stop: AbortSignal): Promise<void> => {
  while (!stop.aborted) {
    await boss.expire().catch(() => undefined);
    await clock.sleep(everyMs, stop).catch(() => undefined);
  }
};

const makeIndexes = async ({ query, locked }: Sql): Promise<void> => {
  if ((await query(HAS_INDEXES))[0]?.['found'] === true) return;
  await locked('bursar_queue jobs', async (run) => void (await run(INDEXES)));
};

/** After how many seconds the job of a worker that ended, and one that was given back, is visible again. */
type JobTimes = { readonly expireS: number; readonly retryS: number };

/**
 * Opens the jobs in a database, and makes their tables on first use. With `isWorker` this process looks after the jobs of
 * workers that ended. A job is removed at its end, so that pg-boss has nothing to archive.
 */
export const openJobs = async (
  { clock }: Pick<Io, 'clock'>,
  sql: Sql,
  { expireS, retryS }: JobTimes,
  isWorker: boolean,
): Promise<Jobs> => {
  const { query } = sql;
  const { default: Boss } = await import('pg-boss');
  const boss = new Boss({ db: asDatabase(query), schema: SCHEMA, schedule: false, supervise: false });
  boss.on('error', () => undefined);
  await boss.start();
  await makeIndexes(sql);
  const stop = new AbortController();
  const everyMs = Math.max(SHORTEST_LOOK_MS, (expireS * 1000) / LOOKS);
  const expiring = isWorker ? keepExpiring(clock, boss, everyMs, stop.signal) : undefined;
  return {
    makeQueue: (name) =>
      boss.createQueue(name, {
        name,
        retryLimit: FOR_EVER,
        retryDelay: retryS,
        expireInSeconds: expireS,
        retentionDays: RETENTION_DAYS,
      }),
    add: async (own, jobs) => {
      const inserts = jobs.map(({ id, queue: name, batch, row }) => ({
        ...{ id, name, data: { batch, row } },
        keepUntil: '9999-12-31T00:00:00Z',
      }));
      if (inserts.length > 0) await boss.insert(inserts, { db: asDatabase(own) });
    },
    fetch: async (queue, most) => (await boss.fetch<unknown>(queue, { batchSize: most })).map(jobOf(queue)),
    remove: async (queue, ids, own = query) => boss.deleteJob(queue, [...ids], { db: asDatabase(own) }),
    giveBack: async (queue, ids) => boss.fail(queue, [...ids]),
    isEmpty: async (queue, except = []) => (await query(HAS_JOBS, [queue, except]))[0]?.['found'] !== true,
    end: async () => {
      stop.abort();
      await expiring;
      await boss.stop({ graceful: false });
    },
  };
};
