import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { cleanEnv, inTurn, median, timeOf } from './measure.mjs';

const PROGRAM = fileURLToPath(new URL('../../bin/bursar.js', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STEPS = 200;
const OPERATIONS = 10_000;

/** The journal of the sources, with the files of this machine. */
const SOURCE = `
import { hostname } from 'node:os';
import { systemFiles } from './src/io/files/files.ts';
import { clockFrom } from './src/io/system.ts';
import { systemProcesses } from './src/io/processes.ts';
import { beginOperation } from './src/journal/operation.ts';
export const begin = (state) => beginOperation({
  files: systemFiles,
  places: { state, cache: state },
  clock: clockFrom(Date.now, () => performance.now()),
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)), fraction: Math.random },
  processes: systemProcesses({ pid: process.pid, host: hostname(), env: {} }, process.kill.bind(process)),
  interrupted: new AbortController().signal,
}, { profile: 'bench', kind: 'sandbox', baseUrl: 'http://127.0.0.1:1', intent: { operation: 'sign', chain: 'c', wallet: 'w' } });
`;

const loadJournal = async (folder) => {
  const outfile = join(folder, 'journal.mjs');
  const stdin = { contents: SOURCE, resolveDir: ROOT, loader: 'ts' };
  await build({ stdin, bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'silent' });
  return import(outfile);
};

const STEP = { step: 'executing', payment_id: `pay_${'0'.repeat(32)}`, hash: `0x${'a'.repeat(64)}` };

/** One step of the journal, against an append and a sync of as many bytes. */
const stepRows = async (folder) => {
  const { begin } = await loadJournal(folder);
  const operation = await begin(join(folder, 'state'));
  const bytes = `${JSON.stringify({ v: 1, at: new Date().toISOString(), movement: operation.id, ...STEP })}\n`;
  const path = join(folder, 'bare');
  const timed = async (work) => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  const bareAppend = async () => {
    const handle = await open(path, 'a');
    await handle.appendFile(bytes);
    await handle.sync();
    await handle.close();
  };
  const [own, bare] = await inTurn(
    STEPS,
    () => timed(() => operation.record(STEP)),
    () => timed(bareAppend),
  );
  await operation.close();
  const other = `append and fsync of ${bytes.length} bytes: ${bare.toFixed(2)} ms`;
  return [
    { what: 'a step of the journal', own: `${own.toFixed(2)} ms`, other, value: own / bare, budget: 2 },
    {
      what: 'a step of the journal beside the disk',
      other: 'without the sync',
      value: own - bare,
      unit: 'ms',
      budget: 2,
    },
  ];
};

const operationText = (id) => {
  const entry = (rest) => `${JSON.stringify({ v: 1, at: '2026-01-15T09:30:00.000Z', movement: id, ...rest })}\n`;
  const intent = { amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', receivers: [], payer: '0x2' };
  return (
    entry({ step: 'begun', profile: 'main', kind: 'live', base_url: 'https://pay.example', intent }) +
    entry({ step: 'ended', payment_id: 'pay_1', status: 'success' })
  );
};

/** Listing many operations that are over, as the second list does it. */
const listRow = async (folder) => {
  const journal = join(folder, 'home', 'state', 'journal');
  await mkdir(journal, { recursive: true, mode: 0o700 });
  for (let at = 0; at < OPERATIONS; at += 1) {
    const id = `20260115T093000Z-${at.toString(16).padStart(8, '0')}`;
    await writeFile(join(journal, `${id}.ndjson`), operationText(id), { mode: 0o600 });
  }
  const env = cleanEnv({ BURSAR_HOME: join(folder, 'home') });
  const list = () => timeOf(process.execPath, [PROGRAM, 'pay', 'list', '--quiet'], env);
  const first = await list();
  const times = [];
  for (let run = 0; run < 9; run += 1) times.push(await list());
  const other = `the first, without the index: ${Math.round(first)} ms`;
  return { what: `pay list of ${OPERATIONS} operations`, other, value: median(times), unit: 'ms', budget: 300 };
};

/** What being careful costs: a step of the journal, and a list of a long one. */
export const benchJournal = async (home) => {
  const folder = join(home, 'journal-bench');
  await mkdir(folder);
  return [...(await stepRows(folder)), await listRow(folder)];
};
