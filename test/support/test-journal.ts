import { readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemProcesses } from '../../src/io/processes.ts';
import { recordLater } from '../../src/journal/amend.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { runInProcess } from './in-process.ts';
import { ioAt } from './io.ts';
import { newDatabase } from './postgres.ts';

/** The journal of a home of a test: the folder, or a database. */
export type TestJournal = {
  /** What names the journal to the program. */
  readonly env: Readonly<Record<string, string>>;
  /** All lines of its operations, as they are stored, by operation id in the order of their starts. */
  readonly lines: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** What a process has left behind. */
  readonly leftovers: () => Promise<readonly string[]>;
  /** The wallets whose turn a process has, or had when it was killed. */
  readonly turns: () => Promise<readonly string[]>;
  /** Takes all claims from their processes. */
  readonly dropClaims: () => Promise<void>;
  /** Everything that it stores, as text. */
  readonly text: () => Promise<string>;
};

const folderOf = (home: string): string => join(home, 'state', 'journal');

const turnsOf = (home: string): string => join(home, 'state', 'turns');

const namesInFolder = (folder: string) => readdir(folder).catch((): string[] => []);

const namesIn = (home: string) => namesInFolder(folderOf(home));

const SUFFIX = '.ndjson';

/** The folder of a home. */
export const folderJournal = (home: string): TestJournal => {
  const read = async (name: string) => (await readFile(join(folderOf(home), name), 'utf8')).trimEnd().split('\n');
  const lines: TestJournal['lines'] = async () => {
    const names = (await namesIn(home)).filter((name) => name.endsWith(SUFFIX)).toSorted();
    const all = await Promise.all(names.map(async (name) => [name.replace(SUFFIX, ''), await read(name)] as const));
    return new Map(all);
  };
  return {
    env: {},
    lines,
    leftovers: async () =>
      (await namesIn(home)).filter((name) => !['index', '.changes'].includes(name) && !name.endsWith(SUFFIX)),
    turns: () => namesInFolder(turnsOf(home)),
    dropClaims: async () => {
      for (const folder of [folderOf(home), turnsOf(home)])
        for (const name of await namesInFolder(folder)) if (name.includes('.claim-')) await rm(join(folder, name));
    },
    text: async () => [...(await lines()).values()].flat().join('\n'),
  };
};

const TABLES = ['journal', 'leases', 'operations', 'entries', 'keys', 'names', 'inputs'] as const;

/**
 * The lease of a killed process stays: the next process takes it. So do inputs of an operation that never began, for an hour:
 * another machine may be about to begin it.
 */
const LEFTOVERS = `
SELECT 'inputs of ' || i.operation AS name FROM bursar.inputs i JOIN bursar.operations o ON o.id = i.operation
WHERE o.has_ended`;

const TURNS = "SELECT subject FROM bursar.leases WHERE subject LIKE 'wallet/%' AND owner IS NOT NULL";

/** A journal in a database. */
export type PostgresJournal = TestJournal & {
  readonly url: string;
  /** Runs a statement as the administrator. */
  readonly sql: (text: string, ...values: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
  /** Adds another home, which has the key. */
  readonly join: (home: string) => Promise<void>;
};

/** Makes a journal in a new database, with its key in this home. By default it is on the one server of this test file. */
export const postgresJournal = async (
  home: string,
  leaseSeconds = 30,
  place?: Awaited<ReturnType<typeof newDatabase>>,
): Promise<PostgresJournal> => {
  const { url, server } = place ?? (await newDatabase());
  const env = { BURSAR_JOURNAL: url };
  const made = await runInProcess(home, ['journal', 'init', '--lease', String(leaseSeconds), '--json'], {
    env,
    cwd: tmpdir(),
  });
  if (made.code !== 0) throw new Error(made.stderr + made.stdout);
  const { key_file: keyFile } = JSON.parse(made.stdout) as { readonly key_file: string };
  const sql: PostgresJournal['sql'] = (text, ...values) => server.query(url, text, values);
  return {
    ...{ url, env, sql },
    join: async (other) => {
      const stdin = await readFile(keyFile, 'utf8');
      const { code, stderr } = await runInProcess(other, ['journal', 'join', '--key-stdin'], {
        env,
        stdin,
        cwd: tmpdir(),
      });
      if (code !== 0) throw new Error(stderr);
    },
    lines: async () => {
      const found = new Map<string, string[]>();
      for (const { operation, line } of await sql('SELECT operation, line FROM bursar.entries ORDER BY operation, seq'))
        found.set(String(operation), [...(found.get(String(operation)) ?? []), String(line)]);
      return found;
    },
    leftovers: async () => (await sql(LEFTOVERS)).map(({ name }) => String(name)),
    turns: async () => (await sql(TURNS)).map(({ subject }) => String(subject)),
    dropClaims: async () => void (await sql('UPDATE bursar.leases SET owner = NULL WHERE owner IS NOT NULL')),
    text: async () => {
      const tables = await Promise.all(TABLES.map((name) => sql(`SELECT * FROM bursar.${name}`)));
      return tables.flat().flatMap(Object.values).map(String).join('\n');
    },
  };
};

/** Where the crash tests keep the journals of their homes. */
export const journalOfTests = process.env['BURSAR_TEST_JOURNAL'] === 'postgres' ? 'postgres' : 'folder';

/** The journal of a home of the crash tests: its folder, or a database of its own with BURSAR_TEST_JOURNAL=postgres. */
export const testJournal = async (home: string): Promise<TestJournal> =>
  journalOfTests === 'postgres' ? postgresJournal(home) : folderJournal(home);

/** An Io of this process for the journal of a home. */
export const journalIo = (home: string, env: Readonly<Record<string, string>> = {}) => {
  const self = { pid: process.pid, host: hostname(), node: process.execPath, program: '', env: {} };
  const processes = systemProcesses(self, process.kill.bind(process));
  const { io } = ioAt(home, { env, io: { processes } });
  return { ...io, random: { ...io.random, fraction: Math.random } };
};

/** Adds findings to an operation, as another process would. */
export const addEvents = (
  { home, journal }: { readonly home: string; readonly journal: TestJournal },
  id: string,
  ...events: readonly OperationEvent[]
): Promise<void> => recordLater(journalIo(home, journal.env), id, ...events);
