import { listAt, parseJson, printJson, textAt } from '../../core/json.ts';
import type { Io, JournalName } from '../../io/io.ts';
import { journalUnreachable, type Sql } from '../../journal/postgres/connection.ts';
import { ConnectionLost } from '../../journal/postgres/database.ts';
import { openKeyed } from '../../journal/postgres/open.ts';
import { text } from '../../journal/postgres/sql-database.ts';
import { type Job, openJobs } from './jobs.ts';
import {
  type BatchName,
  changeContext,
  ifDamaged,
  queueNames,
  readable,
  rowContext,
  rowFrom,
  type TakenRow,
} from './names.ts';
import { headerOf, rowPutter } from './put-rows.ts';
import { rowReader } from './read-rows.ts';
import * as tables from './tables.ts';
import { rowWithdrawer } from './withdraw.ts';

/** What happened to a row. `hasEnded`: no worker looks at it again. */
export type RowNote = { readonly job: Job; readonly change: unknown; readonly hasEnded: boolean };

/** A row that cannot be read, with what is known of it. */
export type DamagedRow = { readonly job: Job; readonly batch: string | undefined; readonly id: string | undefined };

/** What a worker has taken. */
export type Taken = {
  readonly rows: readonly TakenRow[];
  readonly over: number;
  readonly damaged: readonly DamagedRow[];
};

/** A queue of rows, and those of some wallets that may pay them: none for rows without a wallet. */
export type RowQueue = { readonly name: string; readonly own: readonly string[] };

/**
 * Opens the queue beside a journal that this home has the key of. With `isWorker` this process also looks after the jobs of
 * workers that ended. Throws `bad_settings`, `journal_unreachable` and `journal_damaged`.
 */
export const openQueue = async (io: Io, name: JournalName, { isWorker = false } = {}) => {
  const { sql: raw, where, key, facts } = await openKeyed(io, name);
  const reached = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw error instanceof ConnectionLost ? journalUnreachable(where, error) : error;
    });
  const sql: Sql = {
    ...raw,
    query: (statement, values) => reached(raw.query(statement, values)),
    locked: (lock, work) => reached(raw.locked(lock, work)),
  };
  const opened = async () => {
    await tables.openTables(sql, where, key.id);
    // A holder of a lease that stopped is replaced after its lease, and a row after twice that time.
    const leaseS = Math.ceil(facts.leaseMs / 1000);
    return openJobs(io, sql, { expireS: Math.max(5, 2 * leaseS), retryS: Math.ceil(leaseS / 3) }, isWorker);
  };
  const placesOf = (own: readonly Job[]): readonly (readonly string[])[] => [
    own.map(({ batch }) => batch),
    own.map(({ row }) => row),
    own.map(({ id }) => id),
  ];
  const jobs = await opened().catch(async (error: unknown) => {
    await sql.end().catch(() => undefined);
    throw error;
  });

  const parts = { io, sql, where, key, jobs };
  const reader = rowReader(parts);
  /** What the sealed header of its batch and its last change say of a row whose content cannot be read. */
  const damagedRow = async (job: Job, change: unknown): Promise<DamagedRow> => {
    const header = await headerOf(parts, sql.query, job.batch).catch(ifDamaged);
    const context = changeContext(job.batch, job.row);
    const last = change === null ? undefined : readable(() => parseJson(key.open(context, text(change))));
    return { job, batch: header?.batch, id: textAt(last, 'id') };
  };

  return {
    where,
    put: rowPutter(parts),
    rowsOf: reader.rowsOf,
    othersThan: (...args: Parameters<typeof reader.othersThan>) => reader.othersThan(...args),
    placeIn: reader.placeIn,
    startedOf: reader.startedOf,
    /** Makes started rows replaceable. The caller has made sure that nobody pays them. */
    release: async (batch: BatchName, ids: readonly string[]): Promise<void> => {
      const { batchId, rowId } = queueNames(io, key);
      const id = batchId(batch);
      await sql.query(tables.RELEASE_ROWS, [id, ids.map((each) => rowId(id, each))]);
    },
    /** The queues whose rows these wallets may pay, and those of rows without a wallet. */
    queuesFor: async (service: string, wallets: readonly string[]): Promise<readonly RowQueue[]> => {
      const own = new Set(wallets.map((wallet) => wallet.toLowerCase()));
      return (await sql.query(tables.READ_QUEUES)).flatMap(({ name: queue, sealed }) => {
        const read = parseJson(key.open(`queue ${text(queue)}`, text(sealed)));
        const of = listAt(read, 'wallets').map(text);
        if (textAt(read, 'service') !== service) return [];
        const ours = of.filter((wallet) => own.has(wallet.toLowerCase()));
        return of.length === 0 || ours.length > 0 ? [{ name: text(queue), own: ours }] : [];
      });
    },
    /**
     * Takes at most so many rows of a queue. `over`: how many jobs had no row any more, and were removed. `damaged`: the
     * rows that nobody with the key put there.
     */
    take: async (queue: string, most: number): Promise<Taken> => {
      const found = await jobs.fetch(queue, most);
      if (found.length === 0) return { rows: [], over: 0, damaged: [] };
      const taken = await sql.query(tables.READ_ROWS, [...placesOf(found), queue]);
      const byJob = new Map(taken.map((each) => [text(each['job']), each]));
      const over = found.flatMap(({ id }) => (byJob.has(id) ? [] : [id]));
      if (over.length > 0) await jobs.remove(queue, over);
      const [rows, unreadable]: [TakenRow[], DamagedRow[]] = [[], []];
      for (const job of found) {
        const row = byJob.get(job.id);
        if (row === undefined) continue;
        const context = rowContext(queue, job.batch, job.row);
        const content = readable(() => rowFrom(where, key.open(context, text(row['sealed']))));
        if (content) rows.push({ job, ...content });
        else unreadable.push(await damagedRow(job, row['change']));
      }
      return { rows, over: over.length, damaged: unreadable };
    },
    /**
     * Begins rows: no put and no withdrawal changes them until their end. Returns by job whether an earlier worker had started a
     * row. Without an entry the row was replaced, was taken back, or has ended.
     */
    begin: async (own: readonly Job[]): Promise<ReadonlyMap<string, boolean>> => {
      const started = await sql.query(tables.START_ROWS, placesOf(own));
      return new Map(started.map((each) => [text(each['job']), each['was_started'] === true]));
    },
    /** Records what happened to rows. */
    note: async (notes: readonly RowNote[]): Promise<void> => {
      await sql.query(tables.NOTE_CHANGES, [
        ...placesOf(notes.map(({ job }) => job)),
        notes.map(({ job, change }) => key.seal(changeContext(job.batch, job.row), printJson(change))),
        notes.map(({ hasEnded }) => hasEnded),
      ]);
    },
    /** Ends the jobs of rows that ended, or gives the others back. */
    leave: async (all: readonly { readonly job: Job; readonly hasEnded: boolean }[]): Promise<void> => {
      for (const queue of new Set(all.map(({ job }) => job.queue))) {
        const own = all.filter(({ job }) => job.queue === queue);
        const [ended, others] = [true, false].map((is) => own.filter(({ hasEnded }) => hasEnded === is));
        if (ended?.length)
          await jobs.remove(
            queue,
            ended.map(({ job }) => job.id),
          );
        if (others?.length)
          await jobs.giveBack(
            queue,
            others.map(({ job }) => job.id),
          );
      }
    },
    /** Whether all rows of some queues have ended, except those of some jobs. */
    areEmpty: async (queues: readonly string[], except: readonly string[]): Promise<boolean> =>
      (await Promise.all(queues.map((name) => jobs.isEmpty(name, except)))).every((isEmpty) => isEmpty),
    withdraw: rowWithdrawer(parts, reader),
    end: async (): Promise<void> => {
      await jobs.end();
      await sql.end();
    },
  };
};

/** The queue of a journal. */
export type Queue = Awaited<ReturnType<typeof openQueue>>;
