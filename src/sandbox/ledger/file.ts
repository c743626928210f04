import Database from 'libsql';
import { Failure, messageOf } from '../../core/failure.ts';
import type { Io } from '../../io/io.ts';
import { MIGRATIONS } from './migrations.ts';

/** An open ledger file. `libsql` declares its types for a class whose calls are untyped: these are the ones used. */
export type LedgerFile = InstanceType<typeof Database>;

const only = (file: LedgerFile, pragma: string): unknown => {
  const row = file.prepare(`PRAGMA ${pragma}`).all([])[0] as Readonly<Record<string, unknown>> | undefined;
  return Object.values(row ?? {})[0];
};

const check = (file: LedgerFile, path: string): number => {
  const health = only(file, 'quick_check(1)');
  if (health !== 'ok') throw new Error(String(health));
  const version = Number(only(file, 'user_version'));
  if (version <= MIGRATIONS.length) return version;
  throw new Failure('sandbox_unavailable', `the sandbox's ledger ${path} was written by a newer bursar`, {
    next: 'Use that version, or start afresh with bursar sandbox reset.',
  });
};

const migrate = (file: LedgerFile, from: number): void => {
  for (const [index, step] of MIGRATIONS.slice(from).entries()) {
    file.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${from + index + 1}; COMMIT`);
  }
};

const damaged = (path: string, cause: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's ledger ${path} is damaged: ${messageOf(cause)}`, {
    hint: 'Nothing was changed in it.',
    next: 'Keep a copy if it matters, then start afresh with bursar sandbox reset.',
    cause,
  });

const prepare = (file: LedgerFile, path: string): LedgerFile => {
  // The check comes first: a damaged file must be left exactly as it was found.
  const version = check(file, path);
  file.prepare('PRAGMA journal_mode = WAL').all([]);
  file.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  migrate(file, version);
  return file;
};

/**
 * Opens the ledger, brings it up to date and makes every commit durable. Without a path it is kept in memory.
 * Throws `sandbox_unavailable` naming the file when it is damaged; then nothing in it is changed.
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

/** Closes the ledger; what the log beside it holds is moved into the file itself. */
export const closeLedgerFile = (file: LedgerFile): void => {
  file.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  file.close();
};
