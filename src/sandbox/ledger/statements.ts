import type { LedgerFile } from './file.ts';

/** The result of a statement: rows of a read, counts of a write. */
export type Done = {
  readonly rows: unknown[];
  readonly numAffectedRows?: bigint;
  readonly insertId?: bigint;
};

/** `run` runs a statement at once; `isRead` is true for a text that begins with SELECT. */
export type Statements = {
  readonly run: (sql: string, parameters: readonly unknown[]) => Done;
  readonly isRead: (sql: string) => boolean;
};

const MAX_CACHED = 200;
/** A longer text is an insert of many rows, and rarely the same twice. */
const MAX_CACHED_LENGTH = 4_000;

/** The statements of a file; prepared ones are cached, since preparing takes longer than running. */
export const openStatements = (file: LedgerFile): Statements => {
  const prepare = (sql: string) => {
    const statement = file.prepare(sql);
    return { statement, isReader: statement.reader };
  };
  const kept = new Map<string, ReturnType<typeof prepare>>();
  const prepared = (sql: string) => {
    if (sql.length > MAX_CACHED_LENGTH) return prepare(sql);
    const known = kept.get(sql) ?? prepare(sql);
    if (kept.size >= MAX_CACHED) kept.clear();
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
