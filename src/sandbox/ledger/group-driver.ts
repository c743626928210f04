import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { LedgerFile } from './file.ts';

/** One exclusive use of the file. `leave` ends it and may be called more than once. */
type Turn = DatabaseConnection & { isTransaction: boolean; readonly leave: () => void };

/** A queue in the order of arrival. It resolves with the function that ends the turn. */
const openQueue = (): (() => Promise<() => void>) => {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const previous = last;
    let leave: () => void = () => undefined;
    last = new Promise((resolve) => {
      leave = resolve;
    });
    await previous;
    return leave;
  };
};

/**
 * A driver for one file. Transactions that are ready at the same moment share one commit. Each transaction is a
 * savepoint, so that it succeeds or fails by itself. Its caller gets the answer when the commit is on the disk. A read
 * during an open commit also waits for the disk, so that no reader sees a state that could be lost.
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
      // The reason for the failure may be data of other transactions in this commit. So the answer waits for the
      // commit.
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
/** A longer statement inserts many rows and rarely repeats, so it is not cached. */
const MAX_CACHED_LENGTH = 4_000;

/** The statements of a file. Prepared statements are cached, because preparing takes longer than running. */
const openStatements = (file: LedgerFile) => {
  const prepare = (sql: string) => {
    const statement = file.prepare(sql);
    return { statement, isReader: statement.reader };
  };
  const cache = new Map<string, ReturnType<typeof prepare>>();
  const prepared = (sql: string) => {
    if (sql.length > MAX_CACHED_LENGTH) return prepare(sql);
    const statement = cache.get(sql) ?? prepare(sql);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(sql, statement);
    return statement;
  };
  return {
    /** Whether a statement begins with SELECT. */
    isRead: (sql: string) => /^\s*select\b/i.test(sql),
    /** Runs a statement synchronously. Returns the rows of a read, or the counts of a write. */
    run: (sql: string, parameters: readonly unknown[]): QueryResult<unknown> => {
      const { statement, isReader } = prepared(sql);
      if (isReader) return { rows: statement.all(parameters) };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    },
  };
};

/** A group of transactions that share one commit, and so one sync of the disk. */
const openGroup = () => {
  let [end, fail]: [() => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const done = new Promise<void>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  // Every member of the group gets the failure by itself.
  done.catch(() => undefined);
  return { done, end, fail };
};

/** The open commit of a file, if any. `commitSoon` schedules it after all transactions that are ready now have joined. */
const openGroups = (file: LedgerFile, runSql: (sql: string) => unknown, commitSoon: () => void) => {
  let group: ReturnType<typeof openGroup> | undefined;
  /** Fails the open commit if SQLite has undone it by itself, for example on a full disk. */
  const dropIfUndone = (): void => {
    if (!group || file.inTransaction) return;
    group.fail(new Error('the ledger could not be written'));
    group = undefined;
  };
  return {
    dropIfUndone,
    /** Resolves when the open commit is on the disk; `undefined` without one. */
    current: () => group?.done,
    /** Joins the open commit, or opens one. */
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
