import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { LedgerFile } from './file.ts';
import { openGroups } from './groups.ts';
import { openStatements } from './statements.ts';

/** Who may use the file now; `leave` may be called more than once. */
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
 * A driver for one file whose transactions of a moment share a commit: each is a savepoint in it, takes effect or is
 * undone by itself, and is answered for when the whole is on the disk. What is read while a commit is open is told
 * after it, so that nobody learns what could still be lost.
 */
export const groupDriver = (file: LedgerFile): Driver => {
  const statements = openStatements(file);
  const takeTurn = openQueue();
  const say = (sql: string) => statements.run(sql, []);
  const commitSoon = () => setImmediate(() => void takeTurn().then((leave) => [groups.commit(), leave()]));
  const groups = openGroups(file, say, commitSoon);

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
      say('savepoint step');
      (connection as Turn).isTransaction = true;
    },
    commitTransaction: async (connection) => {
      const turn = connection as Turn;
      say('release step');
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
      say('rollback to step');
      say('release step');
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
