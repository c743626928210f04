import { EXIT } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import { text } from '../../journal/postgres/sql-database.ts';
import { type BatchName, changeContext, queueNames } from './names.ts';
import type { QueueParts } from './put-rows.ts';
import type { RowStatus, rowReader } from './read-rows.ts';
import { WITHDRAW } from './tables.ts';

/** How many rows are withdrawn in one transaction. */
const GROUP = 500;

/** The change of a row that ends now. What a worker has started may be paid: its journal decides, and not the queue. */
const changeOf = ({ isStarted, hasEnded, change }: RowStatus) => {
  if (!isStarted && !hasEnded) return { status: 'withdrawn' };
  const message =
    'somebody changed the row in the database. Put the file again: what the journal has as paid is skipped, and the rest is paid';
  const error = { code: 'journal_damaged', status: null, message };
  return { row: null, id: null, ...Object(change), status: 'failed', exit: EXIT.usage, error };
};

/**
 * Takes the rows of a batch back that no worker has started, with their jobs. `isKept` selects those that stay. Without it the
 * rows that cannot be read end too. Returns the number of rows that ended.
 */
export const rowWithdrawer =
  ({ io, sql, key, jobs }: QueueParts, { pages }: ReturnType<typeof rowReader>) =>
  async (batch: BatchName, isKept?: (place: string) => boolean): Promise<number> => {
    const id = queueNames(io, key).batchId(batch);
    let count = 0;
    const end = (rows: readonly RowStatus[]): Promise<void> =>
      sql.locked(`bursar_queue ${id}`, async (query) => {
        const changes = rows.map((row) => key.seal(changeContext(id, row.id), printJson(changeOf(row))));
        const marks = rows.map(({ isDamaged, mark }) => (isDamaged && isKept === undefined ? mark : null));
        const ended = await query(WITHDRAW, [id, rows.map((row) => row.id), changes, marks]);
        for (const queue of new Set(ended.map((row) => text(row['queue'])))) {
          const own = ended.filter((row) => row['queue'] === queue);
          await jobs.remove(
            queue,
            own.map(({ job }) => text(job)),
            query,
          );
        }
        count += ended.length;
      });
    for await (const page of pages(id)) {
      const rows = page.filter(({ id: place, isStarted, hasEnded, isDamaged }) =>
        isKept === undefined ? isDamaged || (!isStarted && !hasEnded) : !isStarted && !hasEnded && !isKept(place),
      );
      for (let at = 0; at < rows.length; at += GROUP) await end(rows.slice(at, at + GROUP));
    }
    return count;
  };
