import { Failure } from '../../core/failure.ts';
import type { Sql } from '../../journal/postgres/connection.ts';

/** The version of the tables. A program of another version does nothing with them. */
const QUEUE_VERSION = 1;

/**
 * The tables of a queue, beside the journal of the same database. What a row pays is sealed under the journal key. The plain
 * columns only help to find rows: nothing is paid because of them.
 */
const QUEUE_TABLES = `
CREATE SCHEMA bursar_queue;

CREATE TABLE bursar_queue.version (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  version integer NOT NULL,
  journal text NOT NULL
);

-- The rows of the same wallets share a queue of jobs.
CREATE TABLE bursar_queue.queues (name text PRIMARY KEY, sealed text NOT NULL);

CREATE TABLE bursar_queue.batches (
  id text PRIMARY KEY,
  sealed text NOT NULL,
  put_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE bursar_queue.rows (
  batch text NOT NULL REFERENCES bursar_queue.batches,
  id text NOT NULL,
  queue text NOT NULL REFERENCES bursar_queue.queues,
  job uuid NOT NULL,
  digest text NOT NULL,
  -- The content of the row, until its end.
  sealed text,
  -- A worker may have started its payment: another content cannot replace it until its end.
  is_started boolean NOT NULL DEFAULT false,
  has_ended boolean NOT NULL DEFAULT false,
  -- The last change of the row.
  change text,
  changed_by xid8 NOT NULL,
  PRIMARY KEY (batch, id)
);
CREATE INDEX rows_changed ON bursar_queue.rows (batch, changed_by);
`;

const READ_VERSION = 'SELECT version, journal FROM bursar_queue.version';

const WRITE_VERSION = 'INSERT INTO bursar_queue.version (version, journal) VALUES ($1, $2)';

export const ADD_QUEUE = `
INSERT INTO bursar_queue.queues (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed`;

export const READ_QUEUES = 'SELECT name, sealed FROM bursar_queue.queues ORDER BY name';

export const READ_BATCH = `
SELECT sealed, to_char(put_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS put_at
FROM bursar_queue.batches WHERE id = $1`;

export const WRITE_BATCH = `
INSERT INTO bursar_queue.batches (id, sealed) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed`;

/** The rows that have ended, with what happened to them. */
export const READ_ENDED = 'SELECT id, change FROM bursar_queue.rows WHERE batch = $1 AND id = ANY($2) AND has_ended';

/**
 * Adds rows. One that is there is replaced after its end, and before a worker has started it. A worker that has it already finds
 * another job when it wants to begin.
 */
export const PUT_ROWS = `
INSERT INTO bursar_queue.rows AS r (batch, id, queue, job, digest, sealed, changed_by)
SELECT $1, n.id, n.queue, n.job, n.digest, n.sealed, pg_current_xact_id()
FROM unnest($2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[]) AS n (id, queue, job, digest, sealed) ORDER BY n.id
ON CONFLICT (batch, id) DO UPDATE SET queue = excluded.queue, job = excluded.job, digest = excluded.digest,
  sealed = excluded.sealed, is_started = false, has_ended = false, change = NULL, changed_by = excluded.changed_by
WHERE r.has_ended OR (NOT r.is_started AND (r.digest <> excluded.digest OR r.queue <> excluded.queue))
RETURNING id, (xmax = 0) AS is_new`;

/** The jobs of rows after they were put, and the content that each has now. */
export const READ_JOBS = 'SELECT id, queue, job, digest FROM bursar_queue.rows WHERE batch = $1 AND id = ANY($2)';

/** The content of rows, for the worker that has their jobs. */
export const READ_ROWS = `
SELECT r.batch, r.id, r.job, r.sealed, r.change
FROM bursar_queue.rows r JOIN unnest($1::text[], $2::text[], $3::uuid[]) AS n (batch, id, job)
  ON r.batch = n.batch AND r.id = n.id AND r.job = n.job
WHERE r.queue = $4 AND NOT r.has_ended`;

/** The content of started rows. */
export const READ_STARTED = `
SELECT id, queue, sealed FROM bursar_queue.rows WHERE batch = $1 AND id = ANY($2) AND is_started AND NOT has_ended`;

/** Started rows that nobody pays may be replaced again. */
export const RELEASE_ROWS = `
UPDATE bursar_queue.rows SET is_started = false, changed_by = pg_current_xact_id()
WHERE batch = $1 AND id = ANY($2) AND is_started AND NOT has_ended`;

/** Locks in the order of ids, as all statements do. A row is started unless it was replaced or taken back, or has ended. */
export const START_ROWS = `
WITH own AS MATERIALIZED (
  SELECT r.batch, r.id, r.is_started
  FROM bursar_queue.rows r JOIN unnest($1::text[], $2::text[], $3::uuid[]) AS n (batch, id, job)
    ON r.batch = n.batch AND r.id = n.id AND r.job = n.job
  WHERE NOT r.has_ended ORDER BY r.batch, r.id FOR UPDATE OF r
)
UPDATE bursar_queue.rows r SET is_started = true, changed_by = pg_current_xact_id()
FROM own WHERE r.batch = own.batch AND r.id = own.id
RETURNING r.job, own.is_started AS was_started`;

/** A job that was put again is another one: an old worker changes nothing of it. */
export const NOTE_CHANGES = `
WITH own AS MATERIALIZED (
  SELECT r.batch, r.id, n.change, n.has_ended
  FROM bursar_queue.rows r JOIN unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::boolean[])
    AS n (batch, id, job, change, has_ended) ON r.batch = n.batch AND r.id = n.id AND r.job = n.job
  WHERE NOT r.has_ended ORDER BY r.batch, r.id FOR UPDATE OF r
)
UPDATE bursar_queue.rows r SET change = own.change, has_ended = own.has_ended, changed_by = pg_current_xact_id(),
  sealed = CASE WHEN own.has_ended THEN NULL ELSE r.sealed END
FROM own WHERE r.batch = own.batch AND r.id = own.id`;

const STATUS = 'id, queue, is_started, has_ended, change, sealed, changed_by::text AS mark';

export const READ_ALL = `
SELECT ${STATUS} FROM bursar_queue.rows WHERE batch = $1 AND id > $2 ORDER BY id LIMIT $3`;

/**
 * What is not committed yet has a number at or above the next mark. The order is that of the index: a server that plans the
 * statement once for all marks reads no other rows either.
 */
export const READ_CHANGES = `
SELECT ${STATUS} FROM bursar_queue.rows
WHERE batch = $1 AND (changed_by, id) > ($2::xid8, $3) ORDER BY changed_by, id LIMIT $4`;

export const READ_MARK = 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark';

/** The rows that no worker has started. */
export const READ_WAITING = `
SELECT id, queue, sealed FROM bursar_queue.rows
WHERE batch = $1 AND NOT is_started AND NOT has_ended AND id > $2 ORDER BY id LIMIT $3`;

/** Ends rows that no worker has started, and those that cannot be read unless they have changed since. */
export const WITHDRAW = `
WITH own AS MATERIALIZED (
  SELECT r.id, n.change FROM bursar_queue.rows r
  JOIN unnest($2::text[], $3::text[], $4::text[]) AS n (id, change, mark) ON r.id = n.id
  WHERE r.batch = $1 AND ((NOT r.is_started AND NOT r.has_ended) OR r.changed_by = n.mark::xid8)
  ORDER BY r.id FOR UPDATE OF r
)
UPDATE bursar_queue.rows r SET has_ended = true, sealed = NULL, change = own.change, changed_by = pg_current_xact_id()
FROM own WHERE r.batch = $1 AND r.id = own.id
RETURNING r.queue, r.job`;

const readVersion = async (query: Sql['query']): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const [found] = await query("SELECT to_regclass('bursar_queue.version')::text AS name");
  return found?.['name'] ? (await query(READ_VERSION))[0] : undefined;
};

/** Makes the tables of a queue on first use. Throws `bad_settings` for those of another version or another journal. */
export const openTables = async ({ query, locked }: Sql, where: string, journal: string): Promise<void> => {
  let found = await readVersion(query);
  if (found === undefined)
    await locked('bursar_queue tables', async (run) => {
      found = await readVersion(run);
      if (found) return;
      await run(QUEUE_TABLES);
      await run(WRITE_VERSION, [QUEUE_VERSION, journal]);
      found = await readVersion(run);
    });
  const refuse = (why: string): Failure =>
    new Failure('bad_settings', `the queue in ${where} ${why}`, { hint: 'Nothing was changed.' });
  if (Number(found?.['version']) !== QUEUE_VERSION) throw refuse('is of another version of bursar');
  if (found?.['journal'] !== journal) throw refuse('is of an earlier journal of this database');
};
