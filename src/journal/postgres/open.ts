import { Failure, isFailure } from '../../core/failure.ts';
import { nextStep, shellWord } from '../../core/next.ts';
import { isOpenToOthers, type Secret, secret } from '../../core/secret.ts';
import type { Io, JournalName, Places } from '../../io/io.ts';
import { addCallGuard } from '../call-guard.ts';
import type { Store } from '../store.ts';
import { checkJournalAddress, type JournalAddress } from './address.ts';
import { connect, journalUnreachable, PASSWORD_FROM, type Sql } from './connection.ts';
import { ConnectionLost, type JournalDatabase, type JournalFacts } from './database.ts';
import { isSameMac, type JournalKey, keyPath, readJournalKey } from './journal-key.ts';
import { newLeases } from './leases.ts';
import { postgresStore } from './postgres-store.ts';
import { openSeen } from './seen.ts';
import { readFacts, sqlDatabase } from './sql-database.ts';

/** A connection to the database that the user named. */
export type OpenConnection = {
  readonly sql: Sql;
  readonly where: string;
  readonly warnings: readonly string[];
};

/** The password of the environment. The library reads the file itself. Throws `bad_settings` for a file that others can read. */
const environmentPassword = async ({ env, files }: Io): Promise<Secret | undefined> => {
  const file = env['PGPASSFILE'];
  const facts = file ? await files.targetFacts(file) : undefined;
  if (file && facts && isOpenToOthers(facts))
    throw new Failure('bad_settings', `PGPASSFILE: ${file} can be read by other users`, {
      next: nextStep('file.private', '600', file),
    });
  const password = env['PGPASSWORD'];
  return password ? secret(password) : undefined;
};

/** The password from the file of PGPASSFILE, or from ~/.pgpass. Throws `bad_settings` without one. */
const passwordFromFile = async ({ host, port, user, database, where }: JournalAddress): Promise<string> => {
  const { default: find } = await import('pgpass');
  const found = await new Promise<string | undefined>((resolve) => find({ host, port, user, database }, resolve));
  if (found !== undefined) return found;
  throw new Failure('bad_settings', `there is no password for the journal ${where}`, {
    hint: `${PASSWORD_FROM} A line of that file: ${host}:${port}:${database}:${user}:PASSWORD`,
    next: nextStep('doctor'),
    isLogin: true,
  });
};

/** Connects. At a terminal it asks for the password when the server wants one. Throws `bad_settings`, `journal_unreachable`. */
export const openConnection = async (io: Io, { url, source }: JournalName): Promise<OpenConnection> => {
  const named = checkJournalAddress(url, source);
  const address = { ...named, password: named.password ?? (await environmentPassword(io)) };
  const { where } = address;
  const leftMs = (): number | undefined => io.deadline && io.deadline() - io.clock.monotonic();
  const opened = async (one: JournalAddress) => ({
    where,
    ...(await connect(io, one, () => passwordFromFile(one), leftMs())),
  });
  try {
    return await opened(address);
  } catch (error) {
    if (!isFailure(error, 'bad_settings') || error.details.isLogin !== true || !io.prompt.isPossible) throw error;
    return opened({ ...address, password: secret(await io.prompt.password(`Password of ${where}`)) });
  }
};

/** The key of a journal in this home; `undefined` without one. Throws `bad_settings` for the key of another journal. */
const ownKey = async (io: Io, { id, check }: JournalFacts, where: string): Promise<JournalKey | undefined> => {
  const key = await readJournalKey(io, id);
  if (key === undefined || isSameMac(key.check, check)) return key;
  throw new Failure('bad_settings', `${keyPath(io, id)} is not the key of the journal ${where}`, {
    hint: 'The file is damaged, or somebody changed the database. Bring the key from another home. Nothing was sent.',
    next: nextStep('journal.join'),
  });
};

/** The store of a journal in this database, for this home. Throws `bad_settings`, `journal_damaged`, `journal_unreachable`. */
export const storeOn = async (io: Io, database: JournalDatabase): Promise<Store> =>
  (await openParts(io, database)).store;

const openParts = async (io: Io, database: JournalDatabase) => {
  const facts = await database.facts();
  const key = await ownKey(io, facts, database.where);
  const leases = newLeases(io, database, facts.leaseMs);
  addCallGuard(io.places, leases.refusalOfCall);
  const seen = await openSeen(io, facts.id, database);
  return { store: postgresStore(io, { database, facts, key, leases, seen }), seen };
};

/** A journal in a database, with the key that this home has of it. */
export type OwnJournal = {
  readonly sql: Sql;
  readonly where: string;
  readonly key: JournalKey;
  readonly store: Store;
  /** Notes the newest entry as seen, after others than the store wrote. */
  readonly noteNewest: () => Promise<void>;
};

/** The failure of a database whose journal was not made yet. */
export const noJournal = (where: string): Failure =>
  new Failure('bad_settings', `the database ${where} has no journal`, { next: nextStep('journal.init') });

/** Works on a connection, which ends when the work fails. Throws `journal_unreachable`, and as `openConnection`. */
export const onConnection = async <T>(
  io: Io,
  name: JournalName,
  work: (open: OpenConnection, end: () => Promise<void>) => Promise<T>,
): Promise<T> => {
  const open = await openConnection(io, name);
  const end = (): Promise<void> => open.sql.end().catch(() => undefined);
  try {
    return await work(open, end);
  } catch (error) {
    await end();
    throw error instanceof ConnectionLost ? journalUnreachable(open.where, error) : error;
  }
};

/** A connection to a journal, with the key that this home has of it. */
export type KeyedJournal = Pick<OwnJournal, 'sql' | 'where' | 'key'> & { readonly facts: JournalFacts };

const keyedOn = async (io: Io, { sql, where, warnings }: OpenConnection): Promise<KeyedJournal> => {
  const facts = await readFacts(sql, where, warnings);
  const key = facts && (await ownKey(io, facts, where));
  if (facts && key) return { sql, where, key, facts };
  const why = facts ? 'has a journal whose key is not in this home' : 'has no journal';
  const command = facts ? 'journal join --key-stdin < FILE' : 'journal init';
  throw new Failure('bad_settings', `the database ${where} ${why}`, {
    hint: `Nothing was sent. With BURSAR_JOURNAL=${shellWord(where)}, first run: bursar ${command}`,
    next: facts ? nextStep('journal.join') : nextStep('journal.init'),
  });
};

/** Connects to a journal that this home has joined. Throws `bad_settings` without its key, and as `onConnection`. */
export const openKeyed = (io: Io, name: JournalName): Promise<KeyedJournal> =>
  onConnection(io, name, (open) => keyedOn(io, open));

/** The same with its store. Throws as `openStore` too. */
export const openOwn = (io: Io, name: JournalName): Promise<OwnJournal> =>
  onConnection(io, name, async (open) => {
    const { sql, where, key, facts } = await keyedOn(io, open);
    const { store, seen } = await openParts(io, sqlDatabase(sql, where, facts));
    return { sql, where, key, store, noteNewest: seen.noteNewest };
  });

/** A database, and the end of its connections after a failure. */
type OpenDatabase = { readonly database: JournalDatabase; readonly end: () => Promise<void> };

const given = new WeakMap<Places, JournalDatabase>();

/** Makes a home use this database for every address: the injection point for a model of it. */
export const useDatabase = (places: Places, database: JournalDatabase): void => void given.set(places, database);

const openDatabase = async (io: Io, name: JournalName): Promise<OpenDatabase> => {
  const injected = given.get(io.places);
  if (injected) return { database: injected, end: async () => undefined };
  return onConnection(io, name, async ({ sql, where, warnings }, end) => {
    const facts = await readFacts(sql, where, warnings);
    if (facts === undefined) throw noJournal(where);
    return { database: sqlDatabase(sql, where, facts), end };
  });
};

const open = async (io: Io, name: JournalName): Promise<Store> => {
  const { database, end } = await openDatabase(io, name);
  try {
    for (const warning of (await database.facts()).warnings) await io.stderr.write(`warning: ${warning}\n`);
    return await storeOn(io, database);
  } catch (error) {
    await end();
    throw error instanceof ConnectionLost ? journalUnreachable(database.where, error) : error;
  }
};

const stores = new WeakMap<Places, Map<string, Promise<Store>>>();

/** The store of the journal that the user named: one for a home and an address in a process. Throws as `storeOn`. */
export const openStore = (io: Io, name: JournalName): Promise<Store> => {
  const ofHome = stores.get(io.places) ?? new Map<string, Promise<Store>>();
  stores.set(io.places, ofHome);
  const found = ofHome.get(name.url);
  if (found) return found;
  const opening = open(io, name);
  ofHome.set(name.url, opening);
  opening.catch(() => ofHome.delete(name.url));
  return opening;
};
