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
import { SCHEMA_VERSION } from './src/journal/postgres/schema.ts';
import { APPEND } from './src/journal/postgres/statements.ts';
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
  const lease = (operation) =>
    bare.query("INSERT INTO bursar.leases VALUES ('operation/' || $1, 1, 'bench', now() + interval '1 hour', now())", [operation]);
  const append = ({ operation, seq, id, line, keys }) =>
    bare.query({ name: 'append', text: APPEND, values: [operation, seq, 1, id, line, 'm'.repeat(64), false, 'h'.repeat(400), keys, [], [], null, false, SCHEMA_VERSION] });
  const end = async () => { await bare.end(); await server.stop(); };
  return { begin, lease, append, insert: (id, line) => bare.query({ name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2)', values: [id, line] }), end };
};
`;

const STEP = { step: 'creating', payment_id: `pay_${'0'.repeat(32)}` };

/** An operation is found by about as many keys. */
const KEYS = Array.from({ length: 6 }, (_, at) => `${at}`.repeat(64));

/** A step of a journal in PostgreSQL, and its statement alone, against a committed insert of as many bytes. */
export const benchSharedJournal = async (home) => {
  const folder = join(home, 'state');
  await mkdir(folder, { recursive: true });
  const { openShared } = await loadBundle(home, 'shared-journal', SOURCE);
  const { begin, lease, append, insert, end } = await openShared(folder);
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
  // The statement of a step without what a home does: its hashes, its seals and its note of the last entry.
  let written = { operation: '', seq: STEPS_OF_ONE };
  const statement = timed(() =>
    append({ ...written, id: randomUUID(), line, keys: written.seq === 1 ? written.keys : [] }),
  );
  const nextStatement = async () => {
    if (written.seq < STEPS_OF_ONE) {
      written = { ...written, seq: written.seq + 1 };
      return;
    }
    const name = randomUUID();
    written = { operation: name, seq: 1, keys: KEYS.map((key) => `${name}${key}`) };
    await lease(name);
  };
  const [own, alone, bare] = await inTurn(
    STEPS,
    async () => {
      await next();
      return measured();
    },
    async () => {
      await nextStatement();
      return statement();
    },
    timed(() => insert(randomUUID(), line)),
  );
  await operation.close();
  await end();
  const against = 'a committed insert of its line';
  return [
    ratioRow('the statement of a step in PostgreSQL, over one connection', against, [alone, bare], 1.5),
    ratioRow('a step of a journal in PostgreSQL', against, [own, bare], 1.5),
  ];
};
