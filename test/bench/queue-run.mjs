import { spawn } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { putKeys } from './bulk-run.mjs';
import { loadBundle } from './bundle.mjs';
import { heapHook, noteHeap } from './heap.mjs';
import { cleanEnv, PROGRAM } from './measure.mjs';
import { childrenOf, processorOf } from './running.mjs';

const POLL_MS = 100;
/** More than the rows of a run pay. */
const NO_LIMIT = ['--max-total', '1000000000=USDT', '--yes'];

/** Waits until something is true. */
export const until = async (isTrue) => {
  while (!(await isTrue())) await setTimeout(POLL_MS);
};

/** Starts a server of PostgreSQL for the bench. */
export const startDatabase = async (folder) => {
  const { startPostgres } = await loadBundle(folder, 'postgres', `export * from './test/support/postgres.ts';`);
  return startPostgres([
    'shared_buffers=256MB',
    'max_connections=200',
    ...(process.env.PGSS ? ['shared_preload_libraries=pg_stat_statements'] : []),
  ]);
};

/** Runs `bursar` to its end, and returns its standard output. Throws with stderr unless the exit code is 0. */
const runBursar = (env, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: cleanEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.once('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`bursar ${args.join(' ')} ended with ${code}: ${stderr}`));
    });
  });

/**
 * Makes a journal in a new database, and a home with keys and their policies. `homes` are copies for workers, as on machines
 * of their own. `leaseS` is the lease of the journal.
 */
export const newQueue = async (folder, { server, url, keys, workers, leaseS = 30 }) => {
  const journal = await server.database();
  const envOf = (home) => ({
    BURSAR_HOME: home,
    BURSAR_BASE_URL: url,
    BURSAR_JOURNAL: journal,
    BURSAR_API_KEY: 'bench',
    BURSAR_KEY_PASSWORD: 'pw',
  });
  const home = join(folder, 'put');
  await mkdir(home, { recursive: true });
  const env = envOf(home);
  await putKeys(home, keys);
  await runBursar(env, ['journal', 'init', '--lease', String(leaseS)]);
  for (const name of keys)
    await runBursar(env, ['key', 'policy', 'set', name, 'most_per_transaction.USDT=100', '--yes']);
  const homes = Array.from({ length: workers }, (_, at) => join(folder, `worker-${at + 1}`));
  for (const each of homes) await cp(home, each, { recursive: true });
  return {
    ...{ journal, env, envOf, homes },
    /** Puts the rows of a file into the queue. Any of the keys may pay each row. */
    put: (path, batch) =>
      runBursar(env, ['pay', 'bulk', path, '--queue', journal, '--batch', batch, '--key', keys.join(','), ...NO_LIMIT]),
    /** Where a batch stands. */
    statusOf: async (batch) => JSON.parse(await runBursar(env, ['pay', 'bulk-status', batch, '--json'])),
  };
};

/**
 * Starts `worker`. Its `paid` is the number of rows that it has paid, and `onPaid` is called with the worker for each. `ended`
 * resolves with the exit code and the end of stderr. `heap` is as in `heap.mjs`.
 */
export const startWorker = (env, keys, { options = [], heap, onPaid = () => undefined } = {}) => {
  const hook = heapHook(heap);
  const args = [...hook.flags, PROGRAM, 'worker', '--key', keys.join(','), ...NO_LIMIT, '--until-empty', ...options];
  const child = spawn(process.execPath, args, {
    env: cleanEnv({ ...env, ...hook.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const worker = { pid: child.pid, paid: 0, signal: (name) => child.kill(name) };
  let stderr = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.includes('"status":"paid"')) return;
    worker.paid += 1;
    noteHeap(heap, child, worker.paid);
    onPaid(worker);
  });
  child.stderr.on('data', (chunk) => {
    stderr = `${stderr}${chunk}`.slice(-2_000);
  });
  worker.ended = new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
  return worker;
};

const TABLES = `
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname LIKE 'bursar%'`;

const DONE = `
SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits, wal_bytes AS logged,
  (${TABLES}) AS stored FROM pg_stat_wal`;

/** The work of a database so far: commits, bytes of its log and of its tables, and milliseconds of processor. */
export const workOf = async (server, journal) => {
  const [row] = await server.query(journal, DONE);
  const [postmaster] = (await readFile(join(server.folder, 'postmaster.pid'), 'utf8')).split('\n');
  const processor = [postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + processorOf(pid), 0);
  return { commits: Number(row.commits), logged: Number(row.logged), stored: Number(row.stored), processor };
};
