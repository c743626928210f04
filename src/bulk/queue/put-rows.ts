import { parseJson, printJson, textAt, valueAt } from '../../core/json.ts';
import type { Io } from '../../io/io.ts';
import type { Sql } from '../../journal/postgres/connection.ts';
import type { KeyedJournal } from '../../journal/postgres/open.ts';
import { text } from '../../journal/postgres/sql-database.ts';
import type { Jobs } from './jobs.ts';
import { type BatchName, changeContext, type NewRow, queueNames, rowContext } from './names.ts';
import * as tables from './tables.ts';

/** What a queue is made of. */
export type QueueParts = Pick<KeyedJournal, 'sql' | 'where' | 'key'> & { readonly io: Io; readonly jobs: Jobs };

/**
 * The result of a put. `paid`: rows that a worker has paid meanwhile. `busy`: the ids of rows that were not put, because a worker
 * has started them with another content or for other wallets.
 */
export type Put = {
  readonly added: number;
  readonly replaced: number;
  readonly paid: number;
  readonly busy: readonly string[];
};

const GROUP = 500;

/** What is known of a batch. `isWhole`: the last command that put rows into it came to its end. */
type Header = {
  readonly batch: string | undefined;
  readonly rows: number;
  readonly isWhole: boolean;
  readonly putAt: string;
};

/** The header of a batch; `undefined` without one. Throws `journal_damaged`. */
export const headerOf = async (
  { key }: Pick<QueueParts, 'key'>,
  query: Sql['query'],
  id: string,
): Promise<Header | undefined> => {
  const [found] = await query(tables.READ_BATCH, [id]);
  if (found === undefined) return undefined;
  const header = parseJson(key.open(`batch ${id}`, text(found['sealed'])));
  const [rows, isWhole] = [Number(valueAt(header, 'rows')), valueAt(header, 'is_whole') === true];
  return { batch: textAt(header, 'batch'), rows, isWhole, putAt: text(found['put_at']) };
};

const isPaid = (change: unknown): boolean => ['paid', 'skipped'].includes(textAt(change, 'status') ?? '');

/** Puts rows into a queue. */
export const rowPutter = ({ io, sql, key, jobs }: QueueParts) => {
  const { batchId, rowId, queueOf, jobId } = queueNames(io, key);
  const makeQueues = async (service: string, walletSets: readonly (readonly string[])[]): Promise<void> => {
    for (const wallets of walletSets) {
      const queue = queueOf(service, wallets);
      const sealed = key.seal(`queue ${queue}`, printJson({ service, wallets }));
      await sql.query(tables.ADD_QUEUE, [queue, sealed]);
      await jobs.makeQueue(queue);
    }
  };
  /** The rows of a group without those that were paid since it was planned. */
  const unpaid = async (query: Sql['query'], batch: string, rows: readonly NewRow[]): Promise<readonly NewRow[]> => {
    const ids = rows.map(({ row }) => rowId(batch, row.id));
    const ended = await query(tables.READ_ENDED, [batch, ids]);
    const opened = ended.flatMap(({ id, change }) =>
      isPaid(parseJson(key.open(changeContext(batch, text(id)), text(change)))) ? [text(id)] : [],
    );
    const paid = new Set(opened);
    return rows.filter((_, at) => !paid.has(ids[at] ?? ''));
  };
  const putGroup = async (
    query: Sql['query'],
    { service, batch }: BatchName,
    rows: readonly NewRow[],
    at: number,
  ): Promise<Put> => {
    const id = batchId({ service, batch });
    const toPut = await unpaid(query, id, rows);
    const own = toPut.map(({ row, plan, pays, wallets }) => {
      const [place, queue] = [rowId(id, row.id), queueOf(service, wallets)];
      return {
        ...{ id: place, name: row.id, queue, job: jobId(at) },
        digest: key.mac('digest', `${row.digest} ${plan}`).slice(0, 32),
        sealed: key.seal(rowContext(queue, id, place), printJson({ batch, ...row, plan, pays, wallets })),
      };
    });
    const written = await query(tables.PUT_ROWS, [
      id,
      own.map((each) => each.id),
      own.map((each) => each.queue),
      own.map((each) => each.job),
      own.map((each) => each.digest),
      own.map((each) => each.sealed),
    ]);
    const stored = await query(tables.READ_JOBS, [id, own.map((each) => each.id)]);
    const places = new Map(stored.map((each) => [text(each['id']), `${text(each['queue'])} ${text(each['digest'])}`]));
    await jobs.add(
      query,
      stored.map((each) => ({ id: text(each['job']), queue: text(each['queue']), batch: id, row: text(each['id']) })),
    );
    const added = written.filter((each) => each['is_new'] === true).length;
    return {
      ...{ added, replaced: written.length - added, paid: rows.length - toPut.length },
      busy: own.filter((each) => places.get(each.id) !== `${each.queue} ${each.digest}`).map((each) => each.name),
    };
  };
  /**
   * Puts the rows of a batch into the queue, in groups: after a crash the same put adds those that are missing. `walletSets`:
   * the sets of wallets that occur. Rows that are there with the same content stay as they are.
   */
  return async (
    batch: BatchName,
    walletSets: readonly (readonly string[])[],
    rows: AsyncIterable<NewRow>,
  ): Promise<Put> => {
    const id = batchId(batch);
    await makeQueues(batch.service, walletSets);
    const at = io.clock.now();
    let sum: Put = { added: 0, replaced: 0, paid: 0, busy: [] };
    const write = (group: readonly NewRow[], isWhole: boolean): Promise<void> =>
      sql.locked(`bursar_queue ${id}`, async (query) => {
        const before = (await headerOf({ key }, query, id))?.rows ?? 0;
        const writeHeader = (total: number) =>
          query(tables.WRITE_BATCH, [
            id,
            key.seal(`batch ${id}`, printJson({ ...batch, rows: total, is_whole: isWhole })),
          ]);
        await writeHeader(before);
        const { added, replaced, paid, busy } = await putGroup(query, batch, group, at);
        if (added > 0) await writeHeader(before + added);
        sum = {
          ...{ added: sum.added + added, replaced: sum.replaced + replaced, paid: sum.paid + paid },
          busy: [...sum.busy, ...busy],
        };
      });
    let waiting: NewRow[] = [];
    for await (const row of rows) {
      waiting.push(row);
      if (waiting.length < GROUP) continue;
      await write(waiting, false);
      waiting = [];
    }
    await write(waiting, true);
    return sum;
  };
};
