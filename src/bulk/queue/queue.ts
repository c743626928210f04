import { listAt, parseJson, printJson, textAt } from '../../core/json.ts';
import type { Io, JournalName } from '../../io/io.ts';
import { journalUnreachable, type Sql } from '../../journal/postgres/connection.ts';
import { ConnectionLost } from '../../journal/postgres/database.ts';
import { openKeyed } from '../../journal/postgres/open.ts';
import { text } from '../../journal/postgres/sql-database.ts';
import { type Job, openJobs } from './jobs.ts';
import { type BatchName, changeContext, damaged, queueNames, rowContext, rowFrom, type TakenRow } from './names.ts';
import { headerOf, rowPutter } from './put-rows.ts';
import * as tables from './tables.ts';

/** What happened to a row. `hasEnded`: no worker looks at it again. */
export type RowNote = { readonly job: Job; readonly change: unknown; readonly hasEnded: boolean };

/** A row that stands in the queue: its last change, if there is one. `rowId`: the id in the file, while a worker has it. */
export type RowStatus = {
  readonly id: string;
  readonly rowId: string | undefined;
  readonly isStarted: boolean;
  readonly hasEnded: boolean;
  readonly change: unknown;
};

/** A queue of rows, and how many of the wallets that may pay them are those of a worker: 0 for rows without a wallet. */
export type RowQueue = { readonly name: string; readonly wallets: number };

/** How many rows of a status are read at a time. */
const READ_CHUNK = 5_000;

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

  const { batchId } = queueNames(io, key);
  const parts = { io, sql, where, key, jobs };

  return {
    where,
    put: rowPutter(parts),
    /** The queues whose rows these wallets may pay, and those of rows without a wallet. */
    queuesFor: async (service: string, wallets: readonly string[]): Promise<readonly RowQueue[]> => {
      const own = new Set(wallets.map((wallet) => wallet.toLowerCase()));
      return (await sql.query(tables.READ_QUEUES)).flatMap(({ name: queue, sealed }) => {
        const read = parseJson(key.open(`queue ${text(queue)}`, text(sealed)));
        const of = listAt(read, 'wallets').map(text);
        if (textAt(read, 'service') !== service) return [];
        const ours = of.filter((wallet) => own.has(wallet.toLowerCase())).length;
        return of.length === 0 || ours > 0 ? [{ name: text(queue), wallets: ours }] : [];
      });
    },
    /** Takes at most so many rows of a queue. Throws `journal_damaged` for one that nobody with the key put there. */
    take: async (queue: string, most: number): Promise<readonly TakenRow[]> => {
      const found = await jobs.fetch(queue, most);
      if (found.length === 0) return [];
      const taken = await sql.query(tables.READ_ROWS, [...placesOf(found), queue]);
      const byJob = new Map(taken.map((each) => [text(each['job']), each]));
      const over = found.filter(({ id }) => !byJob.has(id));
      if (over.length > 0)
        await jobs.remove(
          queue,
          over.map(({ id }) => id),
        );
      return found.flatMap((job) => {
        const row = byJob.get(job.id);
        if (row === undefined) return [];
        return { job, ...rowFrom(where, key.open(rowContext(queue, job.batch, job.row), text(row['sealed']))) };
      });
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
    /** Whether all rows of some queues have ended. */
    areEmpty: async (queues: readonly string[]): Promise<boolean> =>
      (await Promise.all(queues.map(jobs.isEmpty))).every((isEmpty) => isEmpty),
    /** The rows of a batch that changed since a mark, or all; `undefined` without the batch. Throws `journal_damaged`. */
    rowsOf: async (batch: BatchName, since?: string) => {
      const id = batchId(batch);
      const mark = text((await sql.query(tables.READ_MARK))[0]?.['mark']);
      const header = await headerOf(parts, sql.query, id);
      if (header === undefined) return undefined;
      const rows: RowStatus[] = [];
      let [last, lastMark] = ['', since];
      const readPage = () =>
        lastMark === undefined
          ? sql.query(tables.READ_ALL, [id, last, READ_CHUNK])
          : sql.query(tables.READ_CHANGES, [id, lastMark, last, READ_CHUNK]);
      for (let more = true; more; ) {
        const found = await readPage();
        for (const {
          id: row,
          queue,
          is_started: isStarted,
          has_ended: hasEnded,
          change,
          sealed,
          mark: changedBy,
        } of found) {
          last = text(row);
          if (lastMark !== undefined) lastMark = text(changedBy);
          const opened = change === null ? undefined : parseJson(key.open(changeContext(id, last), text(change)));
          if (hasEnded === true && opened === undefined)
            throw damaged(where, 'a row has ended, and nobody recorded how');
          const content = sealed === null ? undefined : key.open(rowContext(text(queue), id, last), text(sealed));
          const flags = { isStarted: isStarted === true, hasEnded: hasEnded === true, change: opened };
          rows.push({ id: last, rowId: content && rowFrom(where, content).row.id, ...flags });
        }
        more = found.length === READ_CHUNK;
      }
      if (since === undefined && rows.length < header.rows) throw damaged(where, 'rows of the batch are missing');
      return { ...header, rows, mark };
    },
    /** Takes the rows of a batch back that no worker has started. */
    withdraw: async (batch: BatchName): Promise<void> => {
      const id = batchId(batch);
      for (let last = '', more = true; more; ) {
        const waiting = (await sql.query(tables.READ_WAITING, [id, last, READ_CHUNK])).map((each) => text(each['id']));
        const change = printJson({ status: 'withdrawn' });
        const sealed = waiting.map((row) => key.seal(changeContext(id, row), change));
        if (waiting.length > 0) await sql.query(tables.WITHDRAW, [id, waiting, sealed]);
        more = waiting.length === READ_CHUNK;
        last = waiting.at(-1) ?? '';
      }
    },
    end: async (): Promise<void> => {
      await jobs.end();
      await sql.end();
    },
  };
};

/** The queue of a journal. */
export type Queue = Awaited<ReturnType<typeof openQueue>>;
