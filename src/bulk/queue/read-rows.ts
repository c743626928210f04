import { parseJson } from '../../core/json.ts';
import { text } from '../../journal/postgres/sql-database.ts';
import {
  type BatchName,
  changeContext,
  damaged,
  type NewRow,
  queueNames,
  readable,
  rowContext,
  rowFrom,
} from './names.ts';
import { headerOf, type QueueParts } from './put-rows.ts';
import * as tables from './tables.ts';

/** A row that stands in the queue: its last change, if there is one. */
export type RowStatus = {
  readonly id: string;
  /** Its content, while a worker has it. */
  readonly content: NewRow | undefined;
  readonly isStarted: boolean;
  readonly hasEnded: boolean;
  readonly change: unknown;
  /** Whether its content or its change is not what was written with the key. */
  readonly isDamaged: boolean;
  /** Another one after each change. */
  readonly mark: string;
};

/** How many rows are read at a time. */
const READ_CHUNK = 5_000;

/** Reads the rows of batches. */
export const rowReader = (parts: QueueParts) => {
  const { io, sql, where, key } = parts;
  const { batchId, rowId } = queueNames(io, key);
  /** `undefined` for a content that cannot be read. */
  const contentOf = (batch: string, id: string, queue: unknown, sealed: unknown): NewRow | undefined =>
    readable(() => rowFrom(where, key.open(rowContext(text(queue), batch, id), text(sealed))));
  const statusOf = (batch: string, row: Readonly<Record<string, unknown>>): RowStatus => {
    const [id, isStarted, hasEnded] = [text(row['id']), row['is_started'] === true, row['has_ended'] === true];
    const { queue, sealed, change: closed } = row;
    const change =
      closed === null ? undefined : readable(() => parseJson(key.open(changeContext(batch, id), text(closed))));
    const content = sealed === null ? undefined : contentOf(batch, id, queue, sealed);
    // A row that has ended has a change that states how.
    const isDamaged = (change === undefined && (hasEnded || closed !== null)) || (!content && sealed !== null);
    return {
      id,
      content: isStarted ? content : undefined,
      isStarted,
      hasEnded,
      change,
      isDamaged,
      mark: text(row['mark']),
    };
  };
  /** The rows of a batch, or those that changed since a mark, a page at a time. */
  const pages = async function* (batch: string, since?: string): AsyncGenerator<readonly RowStatus[]> {
    let [last, mark] = ['', since];
    for (let more = true; more; ) {
      const found =
        mark === undefined
          ? await sql.query(tables.READ_ALL, [batch, last, READ_CHUNK])
          : await sql.query(tables.READ_CHANGES, [batch, mark, last, READ_CHUNK]);
      const page = found.map((row) => statusOf(batch, row));
      yield page;
      more = page.length === READ_CHUNK;
      last = page.at(-1)?.id ?? '';
      if (mark !== undefined) mark = page.at(-1)?.mark ?? mark;
    }
  };
  return {
    pages,
    /** The rows of a batch that changed since a mark, or all; `undefined` without the batch. Throws `journal_damaged`. */
    rowsOf: async (batch: BatchName, since?: string) => {
      const id = batchId(batch);
      const mark = text((await sql.query(tables.READ_MARK))[0]?.['mark']);
      const header = await headerOf(parts, sql.query, id);
      if (header === undefined) return undefined;
      const rows: RowStatus[] = [];
      for await (const page of pages(id, since)) rows.push(...page);
      if (since === undefined && rows.length < header.rows) throw damaged(where, 'rows of the batch are missing');
      return { ...header, rows, mark };
    },
    /** The rows of a batch that no worker has started and whose ids are none of these. `undefined` for one that cannot be read. */
    othersThan: async function* (
      batch: BatchName,
      isOneOf: (place: string) => boolean,
    ): AsyncGenerator<NewRow | undefined> {
      const id = batchId(batch);
      for (let last = '', more = true; more; ) {
        const found = await sql.query(tables.READ_WAITING, [id, last, READ_CHUNK]);
        for (const { id: place, queue, sealed } of found) {
          last = text(place);
          if (isOneOf(last)) continue;
          yield contentOf(id, last, queue, sealed);
        }
        more = found.length === READ_CHUNK;
      }
    },
    /** The content of the rows with these ids that a worker has started, as far as it can be read. */
    startedOf: async (batch: BatchName, ids: readonly string[]): Promise<readonly NewRow[]> => {
      const id = batchId(batch);
      const found = await sql.query(tables.READ_STARTED, [id, ids.map((each) => rowId(id, each))]);
      return found.flatMap(({ id: place, queue, sealed }) => contentOf(id, text(place), queue, sealed) ?? []);
    },
    /** Where a row of a batch has its place. */
    placeIn: (batch: BatchName): ((id: string) => string) => {
      const own = batchId(batch);
      return (id) => rowId(own, id);
    },
  };
};
