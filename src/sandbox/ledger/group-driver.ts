import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { LedgerFile } from './file.ts';
import { openStatements } from './statements.ts';

/** Transactions that share one commit, and so one sync of the disk. */
type Group = {
  readonly done: Promise<void>;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
};

/** Who may use the file now; `leave` may be called more than once. */
type Turn = DatabaseConnection & { isTransaction: boolean; readonly leave: () => void };

const openGroup = (): Group => {
  let [end, fail]: [() => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const done = new Promise<void>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  // Whoever is in the group sees the failure.
  done.catch(() => undefined);
  return { done, end, fail };
};

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
  let group: Group | undefined;

  const say = (sql: string) => statements.run(sql, []);
  const commit = (): void => {
    const open = group;
    group = undefined;
    if (!open) return;
    try {
      say('commit');
      open.end();
    } catch (error) {
      if (file.open && file.inTransaction) say('rollback');
      open.fail(error);
    }
  };
  /** Some faults, such as a full disk, make SQLite undo the whole: what comes later has no part in it. */
  const dropIfUndone = (): void => {
    if (!group || file.inTransaction) return;
    group.fail(new Error('the ledger could not be written'));
    group = undefined;
  };
  /** The commit comes when everything that is ready now has joined. */
  const join = (): Group => {
    dropIfUndone();
    if (group) return group;
    say('begin');
    group = openGroup();
    setImmediate(() => void takeTurn().then((leave) => [commit(), leave()]));
    return group;
  };
  const executeIn = async (turn: Turn, { sql, parameters }: CompiledQuery): Promise<QueryResult<never>> => {
    if (!turn.isTransaction && !statements.isRead(sql)) join();
    const done = statements.run(sql, parameters) as QueryResult<never>;
    if (turn.isTransaction || !group) return done;
    const { done: committed } = group;
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
      join();
      say('savepoint step');
      (connection as Turn).isTransaction = true;
    },
    commitTransaction: async (connection) => {
      const turn = connection as Turn;
      say('release step');
      turn.isTransaction = false;
      const committed = group?.done;
      turn.leave();
      await committed;
    },
    rollbackTransaction: async (connection) => {
      const turn = connection as Turn;
      if (!turn.isTransaction) return;
      turn.isTransaction = false;
      if (!file.inTransaction) return dropIfUndone();
      say('rollback to step');
      say('release step');
      // Why it failed may be something that it read in the others.
      const committed = group?.done;
      turn.leave();
      await committed?.catch(() => undefined);
    },
    releaseConnection: async (connection) => (connection as Turn).leave(),
    destroy: async () => {
      await takeTurn();
      commit();
    },
  };
};
