import { appendFile, chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newHome } from '../../support/bursar.ts';
import { type CaseWith, type SharedSandbox, startSharedSandbox } from '../../support/crash.ts';
import { killedAt } from '../../support/kill-at.ts';
import { startPgProxy } from '../../support/pg-proxy.ts';
import {
  canRunPgbouncer,
  canRunPostgres,
  newDatabase,
  type Postgres,
  startPgbouncer,
  startPostgres,
  startStandby,
} from '../../support/postgres.ts';
import { type PostgresJournal, postgresJournal } from '../../support/test-journal.ts';

const INIT = ['journal', 'init', '--json'];
const LIST = ['pay', 'list', '--json'];
const RESUME = ['pay', 'resume', '--all', '--yes', '--json'];

const atPort = (url: string, port: number): string => url.replace(/:\d+\//, `:${port}/`);

/** A server that is stopped after the test. */
const started = async (starting: Promise<Postgres>): Promise<Postgres> => {
  const server = await starting;
  onTestFinished(() => server.stop());
  return server;
};

describe.runIf(canRunPostgres('the server of a journal'))('a server of a journal', () => {
  it('that does not sync is refused (exit 2)', async () => {
    const server = await started(startPostgres(['fsync=off']));
    const { bursar } = await newHome();
    const { code, stdout } = await bursar(INIT, { env: { BURSAR_JOURNAL: await server.database() } });
    expect([code, stdout]).toEqual([2, expect.stringContaining('fsync is off')]);
  });

  it('gets synchronous_commit = on from each session, whatever its default is', async () => {
    const server = await started(startPostgres(['synchronous_commit=off']));
    const { home, bursar } = await newHome();
    const env = { BURSAR_JOURNAL: await server.database() };
    expect((await bursar(INIT, { env })).code).toBe(0);
    expect((await bursar(LIST, { env })).code).toBe(0);
    expect(home).not.toBe('');
  });

  it('that is a standby is refused (exit 2); one with an asynchronous standby is warned about', async () => {
    const server = await started(startPostgres());
    const { bursar } = await newHome();
    const url = await server.database();
    expect((await bursar(INIT, { env: { BURSAR_JOURNAL: url } })).stderr).not.toContain('asynchronous');
    const standby = await started(startStandby(server));
    const refused = await bursar(LIST, { env: { BURSAR_JOURNAL: atPort(url, standby.port) } });
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('is a standby')]);
    const warned = await bursar(LIST, { env: { BURSAR_JOURNAL: url } });
    expect([warned.code, warned.stderr]).toEqual([0, expect.stringContaining('asynchronous')]);
    await server.query(url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await server.query(url, 'SELECT pg_reload_conf()');
    const quiet = await bursar(LIST, { env: { BURSAR_JOURNAL: url } });
    expect([quiet.code, quiet.stderr]).toEqual([0, expect.not.stringContaining('asynchronous')]);
  });

  it('that refuses the login is exit 2, and one that does not answer is exit 5; neither prints the password', async () => {
    const server = await started(startPostgres());
    const { home, bursar } = await newHome();
    const admin = await server.database();
    await server.query(admin, `CREATE ROLE clerk LOGIN PASSWORD 'right-secret'`);
    await server.query(admin, 'CREATE DATABASE shop OWNER clerk');
    await writeFile(join(server.folder, 'pg_hba.conf'), 'host all postgres 127.0.0.1/32 trust\n');
    await appendFile(join(server.folder, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
    await server.query(admin, 'SELECT pg_reload_conf()');
    const at = (login: string, port = server.port) => `postgres://${login}@127.0.0.1:${port}/shop`;
    const hint = 'The password comes from PGPASSFILE or PGPASSWORD';
    for (const [env, code, text] of [
      [{ BURSAR_JOURNAL: at('clerk:wrong-secret') }, 2, hint],
      [{ BURSAR_JOURNAL: at('clerk') }, 2, hint],
      [{ BURSAR_JOURNAL: at('clerk'), PGPASSWORD: 'wrong-secret' }, 2, hint],
      [{ BURSAR_JOURNAL: at('clerk:wrong-secret', 9) }, 5, 'cannot be reached'],
      [{ BURSAR_JOURNAL: `${at('clerk')}_`, PGPASSWORD: 'right-secret' }, 2, 'does not exist'],
      [{ BURSAR_JOURNAL: at('clerk'), PGPASSWORD: 'right-secret' }, 0, '"database"'],
    ] as const) {
      const ended = await bursar(INIT, { env });
      expect([ended.code, ended.stdout], JSON.stringify(env)).toEqual([code, expect.stringContaining(text)]);
      for (const output of [ended.stdout, ended.stderr]) expect(output).not.toMatch(/wrong-secret|right-secret/);
    }
    const file = join(home, 'pgpass');
    await writeFile(file, `127.0.0.1:${server.port}:*:clerk:right-secret\n`, { mode: 0o600 });
    const env = { BURSAR_JOURNAL: at('clerk'), PGPASSFILE: file };
    expect((await bursar(LIST, { env })).code).toBe(0);
    await chmod(file, 0o644);
    const open = await bursar(LIST, { env });
    expect([open.code, open.stdout]).toEqual([2, expect.stringContaining('can be read by other users')]);
  });
});

describe.runIf(canRunPgbouncer('PgBouncer before a journal'))('PgBouncer before a server', () => {
  const IGNORED = 'ignore_startup_parameters = options';

  it.each([
    ['one connection', ['default_pool_size = 1']],
    ['20 connections', ['default_pool_size = 20']],
    ['connections in turn', ['default_pool_size = 2', 'min_pool_size = 2', 'server_round_robin = 1']],
  ])('in transaction mode with %s is refused (exit 2)', async (_, settings) => {
    const { url, server } = await newDatabase();
    const port = await startPgbouncer(server, ['pool_mode = transaction', ...settings, IGNORED]);
    const { bursar } = await newHome();
    const { code, stdout } = await bursar(INIT, { env: { BURSAR_JOURNAL: atPort(url, port) } });
    expect([code, stdout]).toEqual([2, expect.stringContaining('a pooler in transaction mode')]);
  });

  it('in session mode is accepted, unless it refuses options or forgets synchronous_commit', async () => {
    const { url, server } = await newDatabase();
    const port = await startPgbouncer(server, ['pool_mode = session', IGNORED]);
    const { bursar } = await newHome();
    const env = { BURSAR_JOURNAL: atPort(url, port) };
    expect((await bursar(INIT, { env })).code).toBe(0);
    expect(await bursar(LIST, { env })).toMatchObject({ code: 0, stdout: '[]\n' });
    const strict = await startPgbouncer(server, ['pool_mode = session']);
    const refused = await bursar(LIST, { env: { BURSAR_JOURNAL: atPort(url, strict) } });
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('ignore_startup_parameters = options')]);
    await server.query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
    const other = await startPgbouncer(server, ['pool_mode = session', IGNORED]);
    const unsafe = await bursar(LIST, { env: { BURSAR_JOURNAL: atPort(url, other) } });
    expect([unsafe.code, unsafe.stdout]).toEqual([2, expect.stringContaining('synchronous_commit cannot be')]);
  });
});

let sandbox: SharedSandbox;

const canFailOver = canRunPostgres('the failover of a journal');

beforeAll(async () => {
  if (canFailOver) sandbox = await startSharedSandbox();
});

afterAll(() => sandbox?.end());

/** A journal on a primary with a standby, behind an address that can move. */
const replicated = async (isSynchronous: boolean) => {
  const primary = await started(startPostgres());
  const standby = await started(startStandby(primary));
  const address = await startPgProxy(primary.port);
  const url = await primary.database();
  if (isSynchronous) {
    await primary.query(url, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await primary.query(url, 'SELECT pg_reload_conf()');
  }
  const testCase: CaseWith<PostgresJournal> = await sandbox.newCase({
    makeJournal: (home) => postgresJournal(home, 30, { url, server: primary }),
  });
  const env = { BURSAR_JOURNAL: address.through(url) };
  const promote = async (): Promise<string> => {
    const own = atPort(url, standby.port);
    await standby.query(own, 'SELECT pg_promote()');
    address.moveTo(standby.port);
    return own;
  };
  return { primary, standby, testCase, env, promote };
};

const COUNT = 'SELECT count(*)::int AS count FROM bursar.entries';

describe.runIf(canFailOver)('a failover', () => {
  it('to a synchronous standby keeps every entry, and a killed payment is resumed', async () => {
    const { primary, standby, testCase, env, promote } = await replicated(true);
    const killed = killedAt('journal:executing:synced').env;
    expect((await testCase.bursar(testCase.run, { env: { ...killed, ...env } })).code).toBeNull();
    const [before] = await testCase.journal.sql(COUNT);
    await primary.crash();
    const own = await promote();
    expect(await standby.query(own, COUNT)).toEqual([before]);
    const { code, stdout } = await testCase.bursar(RESUME, { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('"success"')]);
    expect(await testCase.timesPaid()).toBe(1);
  });

  it('to a synchronous standby in the middle of a payment does not stop it', async () => {
    const { primary, testCase, env, promote } = await replicated(true);
    let isMoved = false;
    testCase.proxy.set({
      onRequest: async ({ path }) => {
        if (isMoved || !path.includes('create-transaction')) return;
        isMoved = true;
        await primary.crash();
        await promote();
      },
    });
    const { code, stdout } = await testCase.bursar([...testCase.run, '--json'], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('"success"')]);
    expect([isMoved, await testCase.timesPaid()]).toEqual([true, 1]);
  });

  it('to a standby that has lost entries is refused (exit 2), and nothing is sent', async () => {
    const { primary, standby, testCase, env, promote } = await replicated(false);
    await standby.crash();
    const killed = killedAt('journal:executing:synced').env;
    expect((await testCase.bursar(testCase.run, { env: { ...killed, ...env } })).code).toBeNull();
    await primary.crash();
    await standby.start();
    await promote();
    for (const args of [RESUME, [...testCase.run, '--json'], LIST]) {
      const { code, stdout } = await testCase.bursar(args, { env });
      expect([code, stdout]).toEqual([2, expect.stringContaining('has lost entries')]);
    }
    expect(await testCase.timesPaid()).toBe(0);
  });
});
