import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

const FOLDER = '/usr/lib/postgresql';

/** The folder of PostgreSQL's programs: of the newest version of Debian's packages. */
const binaries = async (): Promise<string | undefined> => {
  const versions = existsSync(FOLDER) ? await readdir(FOLDER) : [];
  const [newest] = versions.toSorted((one, other) => Number(other) - Number(one));
  return newest === undefined ? undefined : join(FOLDER, newest, 'bin');
};

/** Whether the machine can run PostgreSQL. */
const hasPostgres = (await binaries()) !== undefined;

/** Whether the machine can run PostgreSQL. `subject` names the tests that need it. Without it this prints them; in CI it throws. */
export const canRunPostgres = (subject: string): boolean => {
  if (hasPostgres) return true;
  if (process.env['CI']) throw new Error(`CI needs PostgreSQL for ${subject}: apt-get install postgresql`);
  process.stderr.write(`Skipped: ${subject}; PostgreSQL is missing (apt-get install postgresql).\n`);
  return false;
};

/** Whether PgBouncer is installed. `subject` names the tests that need it; without it this prints them. */
export const canRunPgbouncer = (subject: string): boolean => {
  if (spawnSync('pgbouncer', ['--version']).status === 0) return canRunPostgres(subject);
  process.stderr.write(`Skipped: ${subject}; PgBouncer is missing (apt-get install pgbouncer).\n`);
  return false;
};

/** PostgreSQL refuses to run as root. */
const asPostgres = (program: string, args: readonly string[]): readonly [string, readonly string[]] =>
  process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, args];

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** A server of PostgreSQL. */
export type Postgres = {
  readonly port: number;
  readonly folder: string;
  /** Makes an empty database, and returns its address. */
  readonly database: () => Promise<string>;
  /** Runs statements as the administrator. */
  readonly query: (
    url: string,
    text: string,
    values?: readonly unknown[],
  ) => Promise<readonly Record<string, unknown>[]>;
  /** Ends it as a crash does. */
  readonly crash: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const PATIENCE_MS = 20_000;

/** Repeats work until it succeeds. */
const untilReady = async (work: () => Promise<unknown>): Promise<void> => {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await setTimeout(50);
    }
  }
};

/** The options of a server for tests: durable, on one port of this machine. */
const OPTIONS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'shared_buffers=16MB',
  'max_connections=400',
];

/** Starts a server on a folder that has a cluster. */
export const postgresOn = async (folder: string, options: readonly string[] = []): Promise<Postgres> => {
  const programs = (await binaries()) ?? '';
  const port = await freePort();
  const address = (name: string): string => `postgres://postgres@127.0.0.1:${port}/${name}`;
  const query: Postgres['query'] = async (url, text, values = []) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  const mode = (signal: string): string => `kill -${signal} "$(head -1 ${folder}/postmaster.pid)"`;
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const flags = [...OPTIONS, `port=${port}`, ...options].flatMap((each) => ['-c', each]);
    const [program, words] = asPostgres(join(programs, 'postgres'), ['-D', folder, ...flags]);
    // The server ends with the process of the tests, whose end closes the pipe.
    const script = `"$@" >${folder}/log 2>&1 & cat >/dev/null; ${mode('QUIT')}; wait; rm -rf ${folder}`;
    server = spawn('sh', ['-c', script, 'sh', program, ...words], { stdio: ['pipe', 'ignore', 'ignore'] });
    await untilReady(() => query(address('postgres'), 'SELECT 1'));
  };
  await start();
  let databases = 0;
  return {
    port,
    folder,
    query,
    start,
    database: async () => {
      databases += 1;
      const name = `journal_${databases}`;
      await query(address('postgres'), `CREATE DATABASE ${name}`);
      return address(name);
    },
    crash: async () => {
      await run('sh', ['-c', mode('QUIT')]);
      await untilReady(async () => {
        if (existsSync(join(folder, 'postmaster.pid'))) throw new Error('it still runs');
      });
    },
    stop: async () => {
      const ended = server && once(server, 'exit');
      server?.stdin?.end();
      await ended;
    },
  };
};

/** A folder that belongs to the user of the server. */
const serverFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  if (process.getuid?.() === 0) await run('chown', ['postgres', folder]);
  await chmod(folder, 0o700);
  return folder;
};

/** A standby that follows a server. The caller stops it. */
export const startStandby = async ({ port }: Postgres): Promise<Postgres> => {
  const folder = await serverFolder();
  const [program, words] = asPostgres(join((await binaries()) ?? '', 'pg_basebackup'), [
    ...['-D', folder, '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-R', '-X', 'stream', '-c', 'fast'],
  ]);
  await run(program, [...words]);
  return postgresOn(folder);
};

/** Starts PgBouncer before a server, until the end of the test. Returns its port. */
export const startPgbouncer = async ({ port }: Postgres, settings: readonly string[]): Promise<number> => {
  const folder = await serverFolder();
  const own = await freePort();
  const lines = ['[databases]', `* = host=127.0.0.1 port=${port} user=postgres`, '[pgbouncer]', 'auth_type = any'];
  const place = ['listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', `logfile = ${folder}/log`];
  await writeFile(join(folder, 'pgbouncer.ini'), [...lines, ...place, ...settings, ''].join('\n'));
  const [program, words] = asPostgres('pgbouncer', [join(folder, 'pgbouncer.ini')]);
  const script = '"$@" >/dev/null 2>&1 & cat >/dev/null; kill $!; wait; rm -rf "$0"';
  const child = spawn('sh', ['-c', script, folder, program, ...words], { stdio: ['pipe', 'ignore', 'ignore'] });
  const { onTestFinished } = await import('vitest');
  onTestFinished(() => void child.stdin?.end());
  await untilReady(
    () =>
      new Promise((resolve, reject) => {
        const socket = connect(own, '127.0.0.1', () => resolve(socket.destroy())).on('error', reject);
      }),
  );
  return own;
};

/** A new server with an empty cluster. The caller stops it. */
export const startPostgres = async (options: readonly string[] = []): Promise<Postgres> => {
  const folder = await serverFolder();
  const [program, words] = asPostgres(join((await binaries()) ?? '', 'initdb'), [
    ...['-D', folder, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
  ]);
  await run(program, [...words]);
  return postgresOn(folder, options);
};

let shared: Promise<Postgres> | undefined;

/** An empty database, on the one server of this test file. */
export const newDatabase = async (): Promise<{ readonly url: string; readonly server: Postgres }> => {
  shared ??= startPostgres();
  const server = await shared;
  return { url: await server.database(), server };
};
