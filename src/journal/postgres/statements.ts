import { QUIET_MS } from './leases.ts';

// The statements of a journal. Each is a transaction of its own. The tables are those of `schema.ts`.

/** Whole milliseconds: an operation id is made of them. */
export const NOW = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint::text AS now';

/** Takes a lease that is free, of an owner that runs no more, or with $4 over. */
export const TAKE = `
INSERT INTO bursar.leases AS l (subject, epoch, owner, until, quiet_at)
SELECT $1, 1, $2, clock_timestamp() + lease_ms * interval '1 ms', clock_timestamp() FROM bursar.journal
ON CONFLICT (subject) DO UPDATE SET
  epoch = l.epoch + 1,
  owner = excluded.owner,
  until = excluded.until,
  quiet_at = CASE WHEN l.owner IS NULL OR l.owner = $3 THEN l.quiet_at
    ELSE greatest(l.quiet_at, l.until + interval '${QUIET_MS} ms') END
WHERE l.owner IS NULL OR l.owner = $3 OR ($4::boolean AND l.until < clock_timestamp())
RETURNING epoch::text, extract(epoch FROM quiet_at - clock_timestamp()) * 1000 AS wait_ms`;

export const HOLDER = `
SELECT owner, extract(epoch FROM until - clock_timestamp()) * 1000 AS left_ms
FROM bursar.leases WHERE subject = $1 AND owner IS NOT NULL`;

/** Locks in the order in which an entry locks them: an intent before its operation. */
export const RENEW = `
WITH own AS MATERIALIZED (
  SELECT subject FROM bursar.leases WHERE subject = ANY($2) AND owner = $1 ORDER BY subject FOR NO KEY UPDATE
)
UPDATE bursar.leases l SET until = clock_timestamp() + lease_ms * interval '1 ms'
FROM own, bursar.journal WHERE l.subject = own.subject AND l.owner = $1 RETURNING l.subject, l.epoch::text`;

export const RELEASE = 'UPDATE bursar.leases SET owner = NULL WHERE subject = $1 AND epoch = $2';

/** One statement is one transaction: the entry, how its operation is found, and its name. */
export const APPEND = `
WITH fences AS MATERIALIZED (
  SELECT bursar.assert_lease(f.subject, f.epoch) AS is_held FROM unnest($10::text[], $11::bigint[]) AS f (subject, epoch)
), entry AS (
  INSERT INTO bursar.entries (operation, seq, epoch, id, line, mac) VALUES ($1, $2, $3, $4, $5, $6)
), found AS (
  INSERT INTO bursar.operations AS o (id, seq, has_ended, moved_nothing, head, changed_at, changed_by)
  VALUES ($1, $2, $7, $13, $8, clock_timestamp(), pg_current_xact_id())
  ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, has_ended = excluded.has_ended, moved_nothing = excluded.moved_nothing,
    head = excluded.head, changed_at = excluded.changed_at, changed_by = excluded.changed_by
), keys AS (
  INSERT INTO bursar.keys (key, operation) SELECT key, $1 FROM unnest($9::text[]) AS k (key) ON CONFLICT DO NOTHING
)
SELECT bursar.assert_version($14), bool_and(is_held), CASE WHEN $12::text IS NOT NULL THEN bursar.take_name($12, $1) END FROM fences`;

/** The lock of the lease waits for a transaction that is still under way on the operation. */
export const HAS_ENTRY = `
WITH lease AS MATERIALIZED (SELECT 1 FROM bursar.leases WHERE subject = 'operation/' || $1 FOR UPDATE)
SELECT (SELECT count(*) FROM lease) AS leases`;

export const ENTRY = 'SELECT 1 FROM bursar.entries WHERE operation = $1 AND id = $2';

/** Those of some entries that are not there. A removed operation has none. */
export const MISSING = `
SELECT seen.operation, seen.id FROM unnest($1::text[], $2::uuid[]) AS seen (operation, id)
WHERE NOT EXISTS (SELECT FROM bursar.entries e WHERE e.operation = seen.operation AND e.id = seen.id)
  AND NOT EXISTS (SELECT FROM bursar.operations o WHERE o.id = seen.operation AND o.is_removed)`;

const AT = 'floor(extract(epoch FROM at) * 1000)::bigint::text AS at';

export const NEWEST = `
SELECT e.operation, e.id, ${AT} FROM bursar.operations o JOIN bursar.entries e ON e.operation = o.id AND e.seq = o.seq
WHERE NOT o.is_removed ORDER BY o.changed_by DESC LIMIT 1`;

export const READ = `
SELECT o.id AS operation, e.seq, e.id, line, mac, ${AT},
  CASE WHEN e.seq = o.seq THEN head END AS head
FROM bursar.operations o LEFT JOIN bursar.entries e ON e.operation = o.id
WHERE o.id = ANY($1) AND NOT o.is_removed ORDER BY o.id, e.seq`;

/** The newest of each key come from its index. */
export const UNDER = `
SELECT DISTINCT id, head, has_ended FROM unnest($1::text[]) AS wanted (key) CROSS JOIN LATERAL (
  SELECT o.id, o.head, o.has_ended FROM bursar.keys k JOIN bursar.operations o ON o.id = k.operation
  WHERE k.key = wanted.key AND ($2::text IS NULL OR k.operation < $2) AND NOT o.is_removed ORDER BY k.operation DESC LIMIT $3
) AS newest ORDER BY id DESC LIMIT $3`;

/** The inner query has one row, so that the server looks the key up for each operation, and never reads all of the key. */
const OF_KEY = 'AND ($1::text IS NULL OR (SELECT true FROM bursar.keys k WHERE k.key = $1 AND k.operation = o.id))';

export const OPEN = `
SELECT id FROM bursar.operations o WHERE NOT has_ended AND NOT is_removed ${OF_KEY} ORDER BY id DESC`;

export const SINCE = `
SELECT id FROM bursar.operations o
WHERE NOT is_removed AND (NOT has_ended OR id >= $3 OR changed_at >= to_timestamp($2::double precision / 1000)) ${OF_KEY}
ORDER BY id DESC`;

/** What a transaction changes that is not committed yet has a number at or above the next mark. A removed one has no keys. */
export const CHANGED = `
SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark, ARRAY(
  SELECT id FROM bursar.operations o WHERE $2::text IS NOT NULL AND changed_by >= $2::xid8 AND (is_removed OR (true ${OF_KEY}))
) AS ids`;

/** Keeps the id as a tombstone, and a name that was not free. A late statement removes nothing that another process has continued. */
export const REMOVE = `
WITH lease AS MATERIALIZED (SELECT bursar.assert_lease($2, $3) AS is_held),
  names AS (DELETE FROM bursar.names n USING bursar.operations o WHERE n.operation = $1 AND o.id = $1 AND o.moved_nothing),
  entries AS (DELETE FROM bursar.entries WHERE operation = $1),
  inputs AS (DELETE FROM bursar.inputs WHERE operation = $1),
  keys AS (DELETE FROM bursar.keys WHERE operation = $1),
  removed AS (UPDATE bursar.operations SET is_removed = true, has_ended = true, head = '',
    changed_at = clock_timestamp(), changed_by = pg_current_xact_id() WHERE id = $1)
SELECT is_held FROM lease`;

/** The inputs of a start that wrote no entry are older than any process takes between the two. */
export const REMOVE_OLD_INPUTS = `
DELETE FROM bursar.inputs i WHERE EXISTS (SELECT FROM bursar.operations o WHERE o.id = i.operation AND o.has_ended)
OR (i.at < clock_timestamp() - interval '1 hour' AND NOT EXISTS (SELECT FROM bursar.operations o WHERE o.id = i.operation))`;

/** What identifies the payers of an earlier journal. The first that moves here keeps its own. */
export const KEEP_PAYER_SECRET = 'UPDATE bursar.journal SET payer_secret = coalesce(payer_secret, $1)';

/** An operation of an earlier journal, under a lease that nobody holds. Its name means the newest operation that has it. */
export const IMPORT = `
WITH lease AS (
  INSERT INTO bursar.leases (subject, epoch, owner, until, quiet_at)
  VALUES ('operation/' || $1, 1, 'migration', clock_timestamp(), clock_timestamp())
), keys AS (
  INSERT INTO bursar.keys (key, operation) SELECT key, $1 FROM unnest($7::text[]) AS k (key)
), name AS (
  INSERT INTO bursar.names (name, operation) SELECT $8, $1 WHERE $8::text IS NOT NULL
  ON CONFLICT (name) DO UPDATE SET operation = excluded.operation
  WHERE EXISTS (SELECT FROM bursar.operations o WHERE o.id = names.operation AND o.moved_nothing AND NOT o.is_removed)
), inputs AS (
  INSERT INTO bursar.inputs (operation, sealed) SELECT $1, $9 WHERE $9::text IS NOT NULL
)
INSERT INTO bursar.operations (id, seq, has_ended, moved_nothing, head, changed_at, changed_by)
VALUES ($1, $2, $3, $4, $5, $6, pg_current_xact_id())`;

export const IMPORT_ENTRY = `
INSERT INTO bursar.entries (operation, seq, epoch, id, at, line, mac) VALUES ($1, $2, 1, $3, $4, $5, $6)`;

export const RELEASE_IMPORT = "UPDATE bursar.leases SET owner = NULL WHERE subject = 'operation/' || $1 AND epoch = 1";
