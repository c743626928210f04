import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { Failure, isFailure, messageOf, TLS_ERROR } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { inSentence } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import type { JournalAddress } from './address.ts';
import { ConnectionLost } from './database.ts';

/** Above any pause of a healthy server. A call waits for its entry, so the user waits no longer than this. */
const STATEMENT_MS = 15_000;
const CONNECT_MS = 10_000;
const CONNECTIONS = 8;
const LOOKS = 4;
const LARGEST_CA = 1024 * 1024;

/** The classes of SQLSTATE in which the statement ran and failed; in all others the connection or the server did. */
const RAN = /^(?:2|3|4|BU|P0|0[A-Z])/;

/** Statements that fail in a way that the caller expects: a missing table, a second row of a key, a lease that is over. */
const EXPECTED = /^(?:42P01|3F000|23505|BU00[1-3])$/;

/** The value of a column: text, because numbers of the server may be larger than those of JavaScript. */
type Row = Readonly<Record<string, unknown>>;

/** Texts, each with its values. */
type Statements = readonly (readonly [string, (readonly unknown[])?])[];

/** Runs statements of the journal. */
export type Sql = {
  /** Rows of one statement, which is one transaction. Throws `ConnectionLost`, and `DatabaseError` of pg. */
  readonly query: (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /** Works in one transaction, under a lock by name that ends with it. Throws as `query`, and what the work throws. */
  readonly locked: (lock: string, work: (query: Sql['query']) => Promise<void>) => Promise<void>;
  /** Statements in one transaction. Throws as `query`. */
  readonly transaction: (texts: Statements) => Promise<void>;
  readonly end: () => Promise<void>;
};

const orLost = <T>(where: string, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    const { code } = error as { readonly code?: unknown };
    if (isFailure(error)) throw error;
    const state = typeof code === 'string' && code.length === 5 ? code : '';
    if (EXPECTED.test(state)) throw error;
    if (/^(?:26000|42P05)$/.test(state)) throw refused(where, POOLED, OWN_SESSION);
    if (state === NO_RIGHT)
      throw new Failure(
        'bad_settings',
        `the journal ${where}: its user lacks a right: ${inSentence(messageOf(error))}`,
        {
          hint: 'It needs the right to create a schema for journal init and journal upgrade, and otherwise all rights on the tables of the schema bursar. Nothing is sent without a record of it.',
          cause: error,
        },
      );
    if (!RAN.test(state)) throw new ConnectionLost(messageOf(error), { cause: error });
    // The statement was refused: nothing was committed.
    throw new Failure('journal_unwritable', `the journal ${where} refuses an entry: ${inSentence(messageOf(error))}`, {
      hint: 'Nothing is sent without a record of it. Repair the database, then run the command again.',
      cause: error,
    });
  });

const NO_RIGHT = '42501';
/** A login that the server refused. */
const REFUSED_LOGIN = ['28P01', '28000', NO_RIGHT];

/** Where a password comes from, as a hint. */
export const PASSWORD_FROM = 'The password comes from PGPASSFILE or PGPASSWORD. Nothing was sent.';

/** A statement with values is planned once on a connection. Statements without values may be several in one text. */
const prepared = (text: string, values: readonly unknown[]) =>
  values.length === 0 ? { text } : { name: nameOfStatement(text), text, values: [...values] };

/** The server cuts names after 63 bytes. */
const nameOfStatement = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The failure of a first connection. The message of the server is shown escaped. */
const cannotConnect = (where: string, error: unknown): Failure => {
  const why = inSentence(messageOf(error));
  if (/no encryption|does not support SSL/.test(why))
    return refused(where, why, `Change sslmode in its address: ${/no enc/.test(why) ? 'verify-full' : 'disable'}.`);
  const { code = '' } = error as { readonly code?: string };
  if (TLS_ERROR.test(code))
    return refused(where, `its certificate is not accepted: ${why}`, 'Name its authority: sslrootcert=FILE.');
  if (code === '3D000') return refused(where, why, 'Create the database first, or correct the name.');
  if (REFUSED_LOGIN.includes(code))
    return new Failure('bad_settings', `the journal ${where} refuses the login: ${why}`, {
      hint: PASSWORD_FROM,
      next: nextStep('doctor'),
      isLogin: true,
      cause: error,
    });
  if (/unsupported startup parameter/.test(why))
    return refused(where, 'a pooler in between refuses options', 'Set ignore_startup_parameters = options there.');
  return journalUnreachable(where, error);
};

/** The failure without an answer of the database. */
export const journalUnreachable = (where: string, error: unknown): Failure =>
  new Failure('journal_unreachable', `the journal ${where} cannot be reached: ${inSentence(messageOf(error))}`, {
    hint: 'Nothing is sent without a record of it. Run the command again when the database answers.',
    cause: error,
  });

const refused = (where: string, why: string, hint: string): Failure =>
  new Failure('bad_settings', `the journal ${where} is refused: ${why}`, {
    hint: `${hint} Nothing was sent.`,
    next: nextStep('doctor'),
  });

const SERVER = `
SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
  pg_is_in_recovery() AS is_standby, current_setting('session_replication_role') AS role, current_setting('server_version_num')::int AS version,
  current_setting('synchronous_standby_names') AS synchronous_names, (SELECT count(*)::int FROM pg_stat_replication) AS standbys`;

/** The oldest server with \`xid8\` (13). */
const OLDEST = 130_000;

/** Refuses a server that may lose what it has committed. Returns what the user should know. */
const checkServer = async (client: PoolClient, where: string): Promise<readonly string[]> => {
  const { rows } = await client.query<Row>(SERVER);
  const server = rows[0] ?? {};
  if (Number(server['version']) < OLDEST)
    throw refused(where, 'the server is older than PostgreSQL 13', 'Use a newer one.');
  if (server['fsync'] !== 'on')
    throw refused(where, 'fsync is off, so that it loses entries in a crash', 'Set fsync = on on the server.');
  if (!['on', 'remote_apply'].includes(String(server['synchronous_commit'])))
    throw refused(where, 'synchronous_commit cannot be switched on', 'Let this user set synchronous_commit.');
  if (server['is_standby'] === true)
    throw refused(where, 'the server is a standby, which takes no entries', 'Name the primary server.');
  if (server['role'] !== 'origin')
    throw refused(where, 'session_replication_role switches its triggers off', 'Set it to origin for this user.');
  const isAsynchronous = Number(server['standbys']) > 0 && server['synchronous_names'] === '';
  return isAsynchronous
    ? ['The standby of the journal is asynchronous: a failover may lose the last entries, and pay twice.']
    : [];
};

const POOLED = 'a pooler in transaction mode is in between';
const OWN_SESSION = 'Connect to the server itself, or set pool_mode = session.';

/** A pooler that changes the connection between two transactions shows the setting of one client to another. */
const assertOwnSession = async (pool: Pool, client: PoolClient, where: string, token: string): Promise<void> => {
  const { rows } = await client.query<Row>('SELECT pg_backend_pid() AS pid');
  if (rows[0]?.['pid'] === (client as { readonly processID?: unknown }).processID) return;
  const other = await pool.connect();
  const seenBy = async (one: PoolClient): Promise<unknown> =>
    (await one.query<Row>("SELECT current_setting('bursar.session', true) AS token")).rows[0]?.['token'];
  try {
    await client.query("SELECT set_config('bursar.session', $1, false)", [token]);
    // A pooler that uses its connections in turn shows another one within a few looks.
    for (let look = 0; look < LOOKS; look += 1)
      if ((await seenBy(client)) !== token) throw refused(where, POOLED, OWN_SESSION);
    await other.query('BEGIN');
    // A pooler with one connection to the server has given it to the other client, and has none for this one.
    const isShared = (await seenBy(other)) === token;
    const isOwn = !isShared && (await seenBy(client)) === token;
    await other.query('ROLLBACK');
    if (isOwn) return;
  } finally {
    other.release(true);
  }
  throw refused(where, POOLED, OWN_SESSION);
};

/**
 * Connects to a database and checks its server. `findPassword` is called when the server asks for a password and the address has
 * none. `firstMs`: how long the first connection may take, at most 10 s. Throws `bad_settings` and `journal_unreachable`.
 */
export const connect = async (
  io: Pick<Io, 'random' | 'files'>,
  address: JournalAddress,
  findPassword?: () => Promise<string>,
  firstMs = CONNECT_MS,
): Promise<{ readonly sql: Sql; readonly warnings: readonly string[] }> => {
  const { default: pg } = await import('pg');
  const { where, tls, host, port, user, database, password } = address;
  const ca = tls?.ca === undefined ? undefined : await io.files.readUserFile(tls.ca, LARGEST_CA);
  if (tls?.ca !== undefined && ca === undefined)
    throw refused(where, `there is no file ${tls.ca}`, 'Name the file with the authorities in sslrootcert.');
  let warnings: readonly string[] = [];
  // Each new connection may be to another server: one that took over.
  const verify = (client: PoolClient, done: (error?: Error) => void): void =>
    void checkServer(client, where).then((found) => {
      warnings = found;
      done();
    }, done);
  const pool = new pg.Pool({
    verify,
    ...{ host, port, user, database, password: password?.reveal() ?? findPassword },
    // Each field is given, so that no variable of the environment changes the connection.
    ssl: tls ? { rejectUnauthorized: true, ...(ca && { ca: Buffer.from(ca) }) } : false,
    max: CONNECTIONS,
    connectionTimeoutMillis: Math.max(1, Math.min(CONNECT_MS, firstMs)),
    query_timeout: STATEMENT_MS,
    allowExitOnIdle: true,
    application_name: 'bursar',
    options: '-c synchronous_commit=on -c idle_in_transaction_session_timeout=10000 -c lock_timeout=10000',
  });
  // An idle connection that breaks is replaced when it is needed.
  pool.on('error', () => undefined);
  try {
    const client = await pool.connect();
    try {
      await assertOwnSession(pool, client, where, Buffer.from(io.random.bytes(8)).toString('hex'));
    } finally {
      client.release();
    }
    // A lost connection is made again also at the end of --timeout: an entry may have to follow a call.
    pool.options.connectionTimeoutMillis = CONNECT_MS;
  } catch (error) {
    await pool.end().catch(() => undefined);
    throw isFailure(error) ? error : cannotConnect(where, error);
  }
  const queryOn =
    (on: Pool | PoolClient): Sql['query'] =>
    async (text, values = []) =>
      (await orLost(where, on.query<Row>(prepared(text, values)))).rows;
  const transaction = async (work: (run: Sql['query']) => Promise<void>): Promise<void> => {
    const client = await orLost(where, pool.connect());
    const run = queryOn(client);
    try {
      await run('BEGIN');
      await work(run);
      await run('COMMIT');
      client.release();
    } catch (error) {
      // The server ends the transaction with the connection.
      client.release(true);
      throw error;
    }
  };
  return {
    warnings,
    sql: {
      query: queryOn(pool),
      transaction: (texts) =>
        transaction(async (run) => {
          for (const [text, values] of texts) await run(text, values);
        }),
      locked: (lock, work) =>
        transaction(async (run) => {
          await run('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
          await work(run);
        }),
      end: () => pool.end(),
    },
  };
};
