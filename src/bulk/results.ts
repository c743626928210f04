import { Failure } from '../core/failure.ts';
import { printJson } from '../core/json.ts';
import { grouped } from '../core/once.ts';
import type { Io } from '../io/io.ts';

/** The states of a row. The last line of an id counts. */
export const ROW_STATES = ['invalid', 'pending', 'held', 'in_doubt', 'paid', 'failed', 'skipped'] as const;

/** The state of a row. */
export type RowState = (typeof ROW_STATES)[number];

/** A change of a row, under the names of the file. A value that is absent is written as `null`. */
export type RowChange = {
  readonly row: number;
  /** Absent if the row has no valid id. */
  readonly id?: string | undefined;
  /** The batch of a row from a queue. */
  readonly batch?: string | undefined;
  readonly status: RowState;
  readonly payment_id?: string | undefined;
  readonly tid_hash?: string | undefined;
  /** The exit code that `pay run` would have. */
  readonly exit?: number | undefined;
  readonly error?: unknown;
  /** The failure was no fault of the row. Not written. */
  readonly isOfAll?: boolean;
  /** The payment ended without success, and its row is not paid again under its id. Not written. */
  readonly isOver?: boolean;
  /** It ended in an earlier run, and this run did nothing for it. Not written. */
  readonly isOfEarlierRun?: boolean;
  /** The only wallet that may pay a held row. Not written. */
  readonly wallet?: string | undefined;
  /** Another process has started the row, and records its changes. Not written. */
  readonly isOfAnother?: boolean;
  /** More fields, after the others. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
};

/** The row of a change. */
export const placeOf = ({ row, id, batch }: Pick<RowChange, 'row' | 'id' | 'batch'>) => ({ row, id, batch });

/** The results file, open for appends. */
export type Results = {
  /** Resolves when the line is synced. Changes that wait at the same time share a sync. Throws `unwritable_file`. */
  readonly write: (change: RowChange) => Promise<void>;
  /** Closes the file after the last write. */
  readonly close: () => Promise<void>;
};

/** A change as a document of the file. */
export const documentOf = ({ row, id, batch, status, payment_id, tid_hash, exit, error, more }: RowChange) => {
  const known = { row, id, ...(batch !== undefined && { batch }), status, payment_id, tid_hash, exit, error };
  const values = Object.entries(known).map(([name, value]) => [name, value ?? null]);
  return { ...Object.fromEntries(values), ...more };
};

const assertUsable = async (files: Io['files'], path: string, rowsIdentity: string | undefined): Promise<void> => {
  const facts = await files.targetFacts(path);
  if (facts === undefined) return;
  const refuse = (problem: string): Failure =>
    new Failure('invalid_input', `the results file ${path} ${problem}`, {
      hint: 'Choose another path with --results.',
    });
  if (!facts.isFile) throw refuse(facts.isFolder ? 'is a folder' : 'is not a regular file');
  if (facts.identity === rowsIdentity) throw refuse('is the file with the rows');
};

const LINE_END = 0x0a;

/** The text that must stand before the next line: a crash may have left a half-written line without its end. */
const startOfLine = async (files: Io['files'], path: string): Promise<string> => {
  const { size = 0 } = (await files.targetFacts(path)) ?? {};
  const last = await files.readFrom(path, Math.max(0, size - 1));
  return size === 0 || last?.at(-1) === LINE_END ? '' : '\n';
};

/**
 * Opens the results file, one JSON object a line, and creates a missing one that only its owner can read. `rowsIdentity` is
 * the identity of the file with the rows, if they are in one. Throws `invalid_input` for that file and for a path that is no
 * regular file, and `unwritable_file`.
 */
export const openResults = async (
  { files }: Pick<Io, 'files'>,
  path: string,
  rowsIdentity?: string,
): Promise<Results> => {
  await assertUsable(files, path, rowsIdentity);
  const file = await files.openToAppend(path);
  let isTorn = true;
  const writeLines = grouped(async (lines: readonly string[]): Promise<void> => {
    const start = isTorn ? await startOfLine(files, path) : '';
    isTorn = true;
    await file.append(start + lines.join(''));
    isTorn = false;
  });
  return {
    write: (change) => writeLines.add(`${printJson(documentOf(change))}\n`),
    close: async () => {
      await writeLines.idle();
      await file.close();
    },
  };
};
