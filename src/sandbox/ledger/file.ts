import Database from 'libsql';
import { Failure, messageOf } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Io } from '../../io/io.ts';
import { MIGRATIONS, type Step } from './migrations.ts';

/** An open ledger file. */
export type LedgerFile = InstanceType<typeof Database>;

/** The value of a pragma that returns one value. */
const pragmaValue = (file: LedgerFile, pragma: string): unknown => {
  const row = file.prepare(`PRAGMA ${pragma}`).all([])[0] as Readonly<Record<string, unknown>> | undefined;
  return Object.values(row ?? {})[0];
};

const tooNew = (path: string): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's ledger ${path} was written by a newer bursar`, {
    hint: 'Use that version, or start with an empty sandbox.',
    next: nextStep('sandbox.reset'),
  });

/** The numbers of a ledger's applied steps. The oldest versions stored only `user_version`, and no table of steps. */
const appliedSteps = (file: LedgerFile): readonly number[] => {
  const latest = Number(pragmaValue(file, 'user_version'));
  const list = file.prepare("SELECT 1 FROM sqlite_master WHERE name = 'steps'").all([]);
  const rows = list.length > 0 ? (file.prepare('SELECT number FROM steps').all([]) as { number: number }[]) : [];
  return [...(latest > 0 ? [1, latest] : []), ...rows.map(({ number }) => number)];
};

/** Checks the file and returns the missing steps. Throws for damage and for steps of a newer bursar. */
const check = (file: LedgerFile, path: string): readonly Step[] => {
  const health = pragmaValue(file, 'quick_check(1)');
  if (health !== 'ok') throw new Error(String(health));
  const applied = appliedSteps(file);
  if (applied.some((number) => MIGRATIONS.every((step) => step.number !== number))) throw tooNew(path);
  return MIGRATIONS.filter(({ number }) => !applied.includes(number));
};

/** Runs all steps in one transaction. `user_version` is for versions of bursar without the table of steps. */
const migrate = (file: LedgerFile, steps: readonly Step[]): void => {
  if (steps.length === 0) return;
  file.exec(`BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS steps (number INTEGER PRIMARY KEY) STRICT;
    ${steps.map(({ number, sql }) => `${sql}; INSERT INTO steps VALUES (${number});`).join('')}
    PRAGMA user_version = ${MIGRATIONS.at(-1)?.number ?? 0}; COMMIT`);
};

const damaged = (path: string, cause: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's ledger ${path} is damaged: ${messageOf(cause)}`, {
    hint: 'Nothing was changed in it. Keep a copy if you need it, then start with an empty sandbox.',
    next: nextStep('sandbox.reset'),
    cause,
  });

const prepare = (file: LedgerFile, path: string): LedgerFile => {
  // The check comes first, because a damaged file must not change.
  const steps = check(file, path);
  file.prepare('PRAGMA journal_mode = WAL').all([]);
  file.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  migrate(file, steps);
  return file;
};

/**
 * Opens the ledger, runs its missing migrations and makes every commit durable. Without a path it is in memory. Throws
 * `sandbox_unavailable` with the path for a damaged file or one of a newer bursar. Such a file does not change.
 */
export const openLedgerFile = async (io: Io, path: string | undefined): Promise<LedgerFile> => {
  if (path) await io.files.createPrivate(path, '');
  const file = new Database(path ?? ':memory:');
  try {
    return prepare(file, path ?? 'in memory');
  } catch (error) {
    file.close();
    throw error instanceof Failure ? error : damaged(path ?? 'in memory', error);
  }
};

/** Closes the ledger: undoes an open transaction, and moves the content of the write-ahead log into the file. */
export const closeLedgerFile = (file: LedgerFile): void => {
  if (file.inTransaction) file.exec('ROLLBACK');
  file.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  file.close();
};
