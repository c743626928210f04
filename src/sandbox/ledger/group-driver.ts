import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { LedgerFile } from './file.ts';

/** A turn at the file; `leave` may be called more than once. */
type Turn = DatabaseConnection & { isTransaction: boolean; readonly leave: () => void };

/** First come, first served. The value ends the turn. */
const openQueue = (): (() => Promise<() => void>) => {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const before = last;
    let leave: () => void = () => undefined;
    last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  };
};

/**
 * A driver for one file. Transactions that are ready at the same moment share one commit. Each is a savepoint: it takes
 * effect or is undone by itself. Its caller is answered when the commit is on the disk. A read during a commit is
 * answered after it, so that no reader sees a state that could be lost.
 */
export const groupDriver = (file: LedgerFile): Driver => {
  const statements = openStatements(file);
  const takeTurn = openQueue();
  const runSql = (sql: string) => statements.run(sql, []);
  const commitSoon = () => setImmediate(() => void takeTurn().then((leave) => [groups.commit(), leave()]));
  const groups = openGroups(file, runSql, commitSoon);

  const executeIn = async (turn: Turn, { sql, parameters }: CompiledQuery): Promise<QueryResult<never>> => {
    if (!turn.isTransaction && !statements.isRead(sql)) groups.join();
    const done = statements.run(sql, parameters) as QueryResult<never>;
    const committed = groups.current();
    if (turn.isTransaction || !committed) return done;
    turn.leave();
    await committed;
    return done;
  };
  const openTurn = (leave: () => void): Turn => {
    const turn: Turn = {
      isTransaction: false,
      leave,
      executeQuery: (query) => executeIn(turn, query),
      streamQuery: () => {
        throw new Error('the ledger reads whole answers');
      },
    };
    return turn;
  };

  return {
    init: async () => undefined,
    acquireConnection: async () => openTurn(await takeTurn()),
    beginTransaction: async (connection) => {
      groups.join();
      runSql('savepoint step');
      (connection as Turn).isTransaction = true;
    },
    commitTransaction: async (connection) => {
      const turn = connection as Turn;
      runSql('release step');
      turn.isTransaction = false;
      const committed = groups.current();
      turn.leave();
      await committed;
    },
    rollbackTransaction: async (connection) => {
      const turn = connection as Turn;
      if (!turn.isTransaction) return;
      turn.isTransaction = false;
      if (!file.inTransaction) return groups.dropIfUndone();
      runSql('rollback to step');
      runSql('release step');
      // Why it failed may be something that it read in the others.
      const committed = groups.current();
      turn.leave();
      await committed?.catch(() => undefined);
    },
    releaseConnection: async (connection) => (connection as Turn).leave(),
    destroy: async () => {
      await takeTurn();
      groups.commit();
    },
  };
};

const MAX_CACHED = 200;
/** A longer text is an insert of many rows, and rarely the same twice. */
const MAX_CACHED_LENGTH = 4_000;

/** The statements of a file; prepared ones are cached, since preparing takes longer than running. */
const openStatements = (file: LedgerFile) => {
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
    /** Whether a text begins with SELECT. */
    isRead: (sql: string) => /^\s*select\b/i.test(sql),
    /** Runs a statement at once: rows of a read, counts of a write. */
    run: (sql: string, parameters: readonly unknown[]): QueryResult<unknown> => {
      const { statement, isReader } = prepared(sql);
      if (isReader) return { rows: statement.all(parameters) };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
  };
};

/** Transactions that share one commit, and so one sync of the disk. */
const openGroup = () => {
  let [end, fail]: [() => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const done = new Promise<void>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  // Every member of the group gets the failure.
  done.catch(() => undefined);
  return { done, end, fail };
};

/** The commit that is open for a file, if one is. `commitSoon` makes it when everything that is ready now has joined. */
const openGroups = (file: LedgerFile, runSql: (sql: string) => unknown, commitSoon: () => void) => {
  let group: ReturnType<typeof openGroup> | undefined;
  /** Fails it if SQLite has undone it by itself, as some faults such as a full disk make it. */
  const dropIfUndone = (): void => {
    if (!group || file.inTransaction) return;
    group.fail(new Error('the ledger could not be written'));
    group = undefined;
  };
  return {
    dropIfUndone,
    /** Resolves when it is on the disk; `undefined` where none is open. */
    current: () => group?.done,
    /** Joins it, or opens one. */
    join: () => {
      dropIfUndone();
      if (group) return;
      runSql('begin');
      group = openGroup();
      commitSoon();
    },
    commit: () => {
      const open = group;
      group = undefined;
      if (!open) return;
      try {
        runSql('commit');
        open.end();
      } catch (error) {
        if (file.open && file.inTransaction) runSql('rollback');
        open.fail(error);
      }
    },
  };
};
