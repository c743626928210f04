import type { LedgerFile } from './file.ts';

/** What a statement did. `libsql` gives rows for what reads, and counts for what writes. */
export type Done = {
  readonly rows: unknown[];
  readonly numAffectedRows?: bigint;
  readonly insertId?: bigint;
};

/** Runs a statement now; `isRead` says whether it only reads, as its text tells. */
export type Statements = {
  readonly run: (sql: string, parameters: readonly unknown[]) => Done;
  readonly isRead: (sql: string) => boolean;
};

const MOST_KEPT = 200;
/** A list of many rows is another text each time. */
const LONGEST_KEPT = 4_000;

/** Statements of a file, kept once they are prepared: to prepare takes longer than to run. */
export const openStatements = (file: LedgerFile): Statements => {
  const prepare = (sql: string) => {
    const statement = file.prepare(sql);
    return { statement, isReader: statement.reader };
  };
  const kept = new Map<string, ReturnType<typeof prepare>>();
  const prepared = (sql: string) => {
    if (sql.length > LONGEST_KEPT) return prepare(sql);
    const known = kept.get(sql) ?? prepare(sql);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(sql, known);
    return known;
  };
  return {
    isRead: (sql) => /^\s*select\b/i.test(sql),
    run: (sql, parameters) => {
      const { statement, isReader } = prepared(sql);
      if (isReader) return { rows: statement.all(parameters) };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
  };
};
