import type { LedgerFile } from './file.ts';

/** Transactions that share one commit, and so one sync of the disk. */
type Group = {
  readonly done: Promise<void>;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
};

/** The commit that is open for a file, if one is. */
export type Groups = {
  /** Joins it, or opens one. */
  readonly join: () => void;
  /** Resolves when it is on the disk; `undefined` where none is open. */
  readonly current: () => Promise<void> | undefined;
  /** Fails it if SQLite has undone it by itself, as some faults such as a full disk make it. */
  readonly dropIfUndone: () => void;
  readonly commit: () => void;
};

const openGroup = (): Group => {
  let [end, fail]: [() => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const done = new Promise<void>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  // Whoever is in the group sees the failure.
  done.catch(() => undefined);
  return { done, end, fail };
};

/** `commitSoon` has the commit made when everything that is ready now has joined. */
export const openGroups = (file: LedgerFile, say: (sql: string) => unknown, commitSoon: () => void): Groups => {
  let group: Group | undefined;
  const dropIfUndone = (): void => {
    if (!group || file.inTransaction) return;
    group.fail(new Error('the ledger could not be written'));
    group = undefined;
  };
  return {
    dropIfUndone,
    current: () => group?.done,
    join: () => {
      dropIfUndone();
      if (group) return;
      say('begin');
      group = openGroup();
      commitSoon();
    },
    commit: () => {
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
    },
  };
};
