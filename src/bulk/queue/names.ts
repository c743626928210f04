import { Failure, isFailure } from '../../core/failure.ts';
import { isJsonObject, listAt, parseJson, textAt, valueAt } from '../../core/json.ts';
import type { Io } from '../../io/io.ts';
import type { JournalKey } from '../../journal/postgres/journal-key.ts';
import { asUuid } from '../../journal/postgres/postgres-store.ts';
import { text } from '../../journal/postgres/sql-database.ts';
import type { Row } from '../rows.ts';
import type { Job } from './jobs.ts';

const PAYS = ['method', 'chain', 'token', 'amount'] as const;

/** A row as it is put into a queue. */
export type NewRow = {
  readonly row: Row;
  /** What the row pays, planned where it was put. A worker pays only what it plans as the same. */
  readonly plan: string;
  /** What it pays, as its file states it. */
  readonly pays: Readonly<Record<(typeof PAYS)[number], string>>;
  /** The addresses of the wallets that may pay it; none for a payment by Pix or card. */
  readonly wallets: readonly string[];
};

/** A row that a worker has taken. */
export type TakenRow = NewRow & { readonly batch: string; readonly job: Job };

/** The service of the rows, and the name of their batch. */
export type BatchName = { readonly service: string; readonly batch: string };

/** The place of a row: in another one its sealed text does not open. A queue belongs to a service and some wallets. */
export const rowContext = (queue: string, batch: string, id: string): string => `row ${queue} ${batch} ${id}`;
/** The same for what happened to it. */
export const changeContext = (batch: string, id: string): string => `change of row ${batch} ${id}`;

/** The failure of a queue that somebody without the key changed. */
export const damaged = (where: string, what: string): Failure =>
  new Failure('journal_damaged', `the queue ${where}: ${what}`, {
    hint: 'Somebody changed the database, or restored a part of it. No row of it was paid because of that.',
  });

/** The row in its sealed text. Throws `journal_damaged` for one that this version did not write. */
export const rowFrom = (where: string, sealed: string): NewRow & { readonly batch: string } => {
  const read = parseJson(sealed);
  const [id, digest, plan, batch] = ['id', 'digest', 'plan', 'batch'].map((name) => textAt(read, name));
  const fields = valueAt(read, 'fields');
  if (id === undefined || digest === undefined || plan === undefined || batch === undefined || !isJsonObject(fields))
    throw damaged(where, 'a row has another form');
  const [number, line] = [Number(valueAt(read, 'row')), Number(valueAt(read, 'line'))];
  const row: Row = { kind: 'row', row: number, line, id, digest, fields: fields as Row['fields'] };
  const amounts = PAYS.map((name) => [name, textAt(valueAt(read, 'pays'), name) ?? '']);
  const pays = Object.fromEntries(amounts) as NewRow['pays'];
  return { row, plan, pays, batch, wallets: listAt(read, 'wallets').map(text) };
};

/** Handles the failure of a text that nobody with the key wrote in its place. Throws every other error. */
export const ifDamaged = (error: unknown): undefined => {
  if (!isFailure(error, 'journal_damaged')) throw error;
};

/** What a sealed text says; `undefined` for one that nobody with the key wrote in its place. */
export const readable = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    return ifDamaged(error);
  }
};

/** The names of batches, rows, queues and jobs. All but those of jobs are hashes under the journal key. */
export const queueNames = (io: Pick<Io, 'random'>, key: JournalKey) => {
  const batchId = ({ service, batch }: BatchName): string =>
    key.mac('batch', JSON.stringify([service, batch])).slice(0, 32);
  const rowId = (batch: string, id: string): string => key.mac('row', `${batch} ${id}`).slice(0, 32);
  const queueOf = (service: string, wallets: readonly string[]): string => {
    const sorted = wallets.map((wallet) => wallet.toLowerCase()).toSorted();
    return `rows.${key.mac('queue', JSON.stringify([service, ...sorted])).slice(0, 32)}`;
  };
  /** UUIDs of one put sort in the order of its rows, and pg-boss hands out older ones first. */
  let count = 0;
  const jobId = (at: number): string => {
    count += 1;
    const start = at.toString(16).padStart(12, '0') + count.toString(16).padStart(8, '0');
    return asUuid(start + Buffer.from(io.random.bytes(6)).toString('hex'));
  };
  return { batchId, rowId, queueOf, jobId };
};
