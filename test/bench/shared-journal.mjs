import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadBundle } from './bundle.mjs';
import { inTurn, ratioRow, timed } from './measure.mjs';

const STEPS = 240;
/** An operation of a payment has about as many. */
const STEPS_OF_ONE = 8;

/** Opens operations of a journal in PostgreSQL, and a bare connection to it. */
const SOURCE = `
import { hostname } from 'node:os';
import pg from 'pg';
import { systemFiles } from './src/io/files/files.ts';
import { clockFrom } from './src/io/system.ts';
import { systemProcesses } from './src/io/processes.ts';
import { beginOperation } from './src/journal/operation.ts';
import { initJournal } from './src/journal/postgres/setup.ts';
import { startPostgres } from './test/support/postgres.ts';
const ioOf = (home, url) => ({
  env: { BURSAR_JOURNAL: url },
  files: systemFiles,
  places: { state: home, cache: home },
  clock: clockFrom(Date.now, () => performance.now()),
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)), fraction: Math.random },
  processes: systemProcesses({ pid: process.pid, host: hostname(), env: {} }, process.kill.bind(process)),
  prompt: { isPossible: false },
  spin: (_, work) => work,
  interrupted: new AbortController().signal,
});
export const openShared = async (home) => {
  const server = await startPostgres();
  const url = await server.database();
  const io = ioOf(home, url);
  await initJournal(io, { url, source: 'bench' }, 30_000);
  const bare = new pg.Client({ connectionString: url, options: '-c synchronous_commit=on' });
  await bare.connect();
  await bare.query('CREATE TABLE bare (id uuid PRIMARY KEY, line text)');
  const begin = () =>
    beginOperation(io, { profile: 'bench', kind: 'sandbox', baseUrl: 'http://127.0.0.1:1', intent: { operation: 'sign', chain: 'c', wallet: 'w' } });
  const end = async () => { await bare.end(); await server.stop(); };
  return { begin, insert: (id, line) => bare.query({ name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2)', values: [id, line] }), end };
};
`;

const STEP = { step: 'creating', payment_id: `pay_${'0'.repeat(32)}` };

/** A step of a journal in PostgreSQL, against a committed insert of as many bytes. */
export const benchSharedJournal = async (home) => {
  const folder = join(home, 'state');
  await mkdir(folder, { recursive: true });
  const { openShared } = await loadBundle(home, 'shared-journal', SOURCE);
  const { begin, insert, end } = await openShared(folder);
  let operation = await begin();
  let steps = 0;
  const step = async () => {
    await operation.record(STEP);
    steps += 1;
  };
  const next = async () => {
    if (steps < STEPS_OF_ONE) return;
    await operation.close();
    operation = await begin();
    steps = 0;
  };
  const line = JSON.stringify({ v: 2, at: new Date().toISOString(), movement: operation.id, ...STEP });
  const measured = timed(step);
  const [own, bare] = await inTurn(
    STEPS,
    async () => {
      await next();
      return measured();
    },
    timed(() => insert(randomUUID(), line)),
  );
  await operation.close();
  await end();
  return [ratioRow('a step of a journal in PostgreSQL', 'a committed insert of its line', [own, bare], 1.5)];
};
