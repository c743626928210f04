import { Failure, hasCode } from '../../core/failure.ts';
import { idTime } from '../keys.ts';
import type { Sql } from './connection.ts';
import {
  EntryRefused,
  type HeldLease,
  type JournalDatabase,
  type JournalFacts,
  type NewEntry,
  type StoredEntry,
} from './database.ts';
import { NAME_TAKEN, OTHER_VERSION, SCHEMA_VERSION, STALE_EPOCH } from './schema.ts';
import * as statements from './statements.ts';

const UNIQUE_VIOLATION = '23505';
const NO_TABLE = '42P01';
const NO_SCHEMA = '3F000';

/** A column as text. */
export const text = (value: unknown): string => String(value ?? '');

const idsOf = (rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] => rows.map(({ id }) => text(id));

const leaseOf = ({ subject, epoch }: Readonly<Record<string, unknown>>): HeldLease => ({
  subject: text(subject),
  epoch: Number(epoch),
});

const entryError = (error: unknown): unknown => {
  if (hasCode(error, STALE_EPOCH)) return new EntryRefused('stale');
  if (hasCode(error, NAME_TAKEN)) return new EntryRefused('name_taken');
  if (hasCode(error, OTHER_VERSION)) return new EntryRefused('other_version');
  return hasCode(error, UNIQUE_VIOLATION) ? new EntryRefused('stale') : error;
};

const SHORTEST_LEASE_MS = 3_000;
const LONGEST_LEASE_MS = 600_000;

const noTable = (error: unknown): readonly [] => {
  if (hasCode(error, NO_TABLE) || hasCode(error, NO_SCHEMA)) return [];
  throw error;
};

/** The version of the tables; `undefined` without a journal. */
export const readVersion = async ({ query }: Pick<Sql, 'query'>): Promise<number | undefined> => {
  const [row] = await query('SELECT version FROM bursar.journal').catch(noTable);
  return row && Number(row['version']);
};

/** What the database says about its journal; `undefined` without a journal. Throws `bad_settings` for another version. */
export const readFacts = async (
  { query }: Pick<Sql, 'query'>,
  where: string,
  warnings: readonly string[],
): Promise<JournalFacts | undefined> => {
  const version = await readVersion({ query });
  if (version === undefined) return undefined;
  if (version !== SCHEMA_VERSION) {
    const isNewer = version > SCHEMA_VERSION;
    throw new Failure('bad_settings', `the journal ${where} has version ${version} of its tables`, {
      hint: isNewer
        ? `This bursar knows version ${SCHEMA_VERSION}. Install a newer bursar. Nothing was sent.`
        : 'Stop every other bursar that uses it, then run bursar journal upgrade. Nothing was sent.',
    });
  }
  const columns = 'id, key_check, lease_ms, payer_secret';
  const [row = {}] = await query(`SELECT ${columns} FROM bursar.journal`);
  const payerSecret = (row['payer_secret'] as string | null) ?? undefined;
  const [id, leaseMs] = [text(row['id']), Number(row['lease_ms'])];
  // The id is a part of paths, and a lease without an end would never make a stopped process wait.
  if (!/^[0-9a-f]{12}$/.test(id) || !(leaseMs >= SHORTEST_LEASE_MS && leaseMs <= LONGEST_LEASE_MS))
    throw new Failure('journal_damaged', `the journal ${where} has an id or a lease that bursar does not make`, {
      hint: 'Somebody changed the database, or it is not the server that you mean. Nothing was sent.',
    });
  return {
    id,
    check: text(row['key_check']),
    leaseMs,
    payerSecret,
    warnings,
  };
};

const appendOne = async (run: Sql['query'], entry: NewEntry): Promise<void> => {
  const { operation, seq, epoch, id, line, mac, hasEnded, movedNothing, head, keys, under, name } = entry;
  const [subjects, epochs] = [under.map(({ subject }) => subject), under.map((each) => each.epoch)];
  const identity = [operation, seq, epoch, id, line, mac];
  const found = [hasEnded, head, keys, subjects, epochs, name ?? null, movedNothing];
  await run(statements.APPEND, [...identity, ...found, SCHEMA_VERSION]).catch((error: unknown) => {
    throw entryError(error);
  });
};

/** The journal in PostgreSQL. */
export const sqlDatabase = (sql: Sql, where: string, facts: JournalFacts): JournalDatabase => {
  const { query, locked } = sql;
  const first = async (statement: string, values: readonly unknown[] = []) => (await query(statement, values))[0];
  return {
    where,
    facts: async () => facts,
    now: async () => Number((await first(statements.NOW))?.['now']),
    take: async ({ subject, owner, dead, mayBeOver = false }) => {
      for (;;) {
        const taken = await first(statements.TAKE, [subject, owner, dead ?? null, mayBeOver]);
        if (taken) return { epoch: Number(taken['epoch']), waitMs: Number(taken['wait_ms']) };
        const holder = await first(statements.HOLDER, [subject]);
        // It was released between the two statements.
        if (holder) return { owner: text(holder['owner']), leftMs: Number(holder['left_ms']) };
      }
    },
    renew: async (owner, subjects) => (await query(statements.RENEW, [owner, subjects])).map(leaseOf),
    release: async ({ subject, epoch }) => void (await query(statements.RELEASE, [subject, epoch])),
    append: (entry) => appendOne(query, entry),
    appendChecked: (entries, lock, check) =>
      locked(lock, async (run) => {
        for (const entry of entries) await appendOne(run, entry);
        await check();
      }),
    hasEntry: async ({ operation, id }) => {
      await query(statements.HAS_ENTRY, [operation]);
      return (await first(statements.ENTRY, [operation, id])) !== undefined;
    },
    missingOf: async (entries) => {
      const columns = [entries.map(({ operation }) => operation), entries.map(({ id }) => id)];
      return (await query(statements.MISSING, columns)).map(({ operation, id }) => ({
        operation: text(operation),
        id: text(id),
      }));
    },
    newest: async () => {
      const row = await first(statements.NEWEST);
      return row && { operation: text(row['operation']), id: text(row['id']), at: Number(row['at']) };
    },
    read: async (operations) => {
      const found = new Map<string, StoredEntry[]>();
      for (const { operation, seq, id, line, mac, at, head } of await query(statements.READ, [operations])) {
        const entries = found.get(text(operation)) ?? [];
        found.set(text(operation), entries);
        if (seq === null) continue;
        const last = head === null ? undefined : text(head);
        entries.push({ seq: Number(seq), id: text(id), line: text(line), mac: text(mac), at: Number(at), head: last });
      }
      return found;
    },
    list: async () => idsOf(await query('SELECT id FROM bursar.operations WHERE NOT is_removed ORDER BY id DESC')),
    under: async (keys, { before, most }) =>
      (await query(statements.UNDER, [keys, before ?? null, most])).map(({ id, head, has_ended }) => ({
        id: text(id),
        keys: text(head),
        hasEnded: has_ended === true,
      })),
    open: async (key) => idsOf(await query(statements.OPEN, [key ?? null])),
    // An operation that started since then changed since then, whatever its row says.
    since: async (time, key) => idsOf(await query(statements.SINCE, [key ?? null, time, idTime(time)])),
    changedSince: async (mark, key) => {
      const row = await first(statements.CHANGED, [key ?? null, mark ?? null]);
      return { mark: text(row?.['mark']), ids: (row?.['ids'] as readonly string[] | undefined) ?? [] };
    },
    isEmpty: async () => (await first('SELECT 1 FROM bursar.operations LIMIT 1')) === undefined,
    readInputs: async (operation) =>
      (await first('SELECT sealed FROM bursar.inputs WHERE operation = $1', [operation]))?.['sealed'] as
        | string
        | undefined,
    writeInputs: async (operation, sealed) => {
      const insert = 'INSERT INTO bursar.inputs (operation, sealed) VALUES ($1, $2)';
      await query(`${insert} ON CONFLICT (operation) DO UPDATE SET sealed = excluded.sealed`, [operation, sealed]);
    },
    removeInputs: async (operation) =>
      void (await query('DELETE FROM bursar.inputs WHERE operation = $1', [operation])),
    removeOldInputs: async () => void (await query(statements.REMOVE_OLD_INPUTS)),
    remove: async (operation, { subject, epoch }) => {
      await query(statements.REMOVE, [operation, subject, epoch]).catch((error: unknown) => {
        throw entryError(error);
      });
    },
  };
};
