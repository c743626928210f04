import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { costOfRows, payAll, putKeys, receiverOf, startBulk, startService, writeRows } from './bulk-run.mjs';
import { heapRows } from './heap.mjs';
import { median } from './measure.mjs';

/** Calls a second that the service allows. */
const LIMIT = 300;
/** Rows of the run at the limit, by default and with `--long`. */
const ROWS = [2_000, 10_000];
/** Rows of the run that is killed at each of these counts. */
const KILLED = { rows: 600, at: [200, 400] };
/** Ended payments in the journals that are compared, and how often each is measured. */
const JOURNALS = [500, 10_000, 50_000];
const ROUNDS = 3;
/** The processor time of a row is measured between these rows of a run: before, code is compiled. */
const MEASURED = [250, 450];
const ROWS_MEASURED = 500;

const newHome = async (folder, name) => {
  const home = join(folder, name);
  await putKeys(home);
  return home;
};

/** A run at the limit of the service: the part of the limit that it used, and the growth of its heap. */
const benchLimit = async (folder, rows) => {
  const home = await newHome(folder, 'limit');
  const service = await startService(LIMIT);
  const path = await writeRows(home, 1, rows);
  const heap = { path: join(folder, 'heap'), at: [rows / 4, Math.round(rows * 0.95)] };
  await payAll(home, service.url, path, { heap, options: ['--rate', String(LIMIT)] });
  const { calls, refused, firstAt, lastAt } = await service.counts();
  service.end();
  const perSecond = calls / ((lastAt - firstAt) / 1000);
  return [
    {
      label: `calls a second, ${rows} rows`,
      against: `the limit of the service`,
      own: `${Math.round(perSecond)} /s`,
      other: `${LIMIT} /s`,
      value: perSecond / LIMIT,
      minimum: 0.95,
    },
    { label: '– answered 429', value: refused, unit: 'calls' },
    ...(await heapRows(heap)),
  ];
};

/** A run that is killed twice and started again. Throws unless the service executed each row once. */
const benchKilled = async (folder) => {
  const home = await newHome(folder, 'killed');
  const service = await startService(1_000_000);
  const path = await writeRows(home, 2, KILLED.rows);
  let before = 0;
  for (const at of KILLED.at) {
    const run = startBulk(home, service.url, path, {
      onPaid: (paid) => {
        if (before + paid === at) run.kill();
      },
    });
    await run.ended;
    before = at;
  }
  await payAll(home, service.url, path);
  const { paid, twice } = await service.counts();
  service.end();
  if (twice > 0) throw new Error(`${twice} rows were executed twice`);
  return [
    {
      label: `rows executed once, killed ${KILLED.at.length} times with SIGKILL`,
      against: 'the rows of the file',
      own: String(paid),
      other: String(KILLED.rows),
      value: paid / KILLED.rows,
      minimum: 1,
    },
  ];
};

/** Writes copies of an ended row into the journal of a home. Each has ids, times, a name and a receiver of its own. */
const fillJournal = async (from, to, count) => {
  const names = (await readdir(from)).filter((name) => name.endsWith('.ndjson'));
  const text = await readFile(join(from, names[0]), 'utf8');
  const id = names[0].slice(0, -'.ndjson'.length);
  const [payment] = /pay_\d{32}/.exec(text);
  const [, hash] = /"hash":"(0x[0-9a-f]{64})"/.exec(text);
  const [name] = /row-\d+-\d+/.exec(text);
  const receiver = new RegExp(receiverOf(3, Number(name.split('-')[2])).slice(2), 'gi');
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (let at = 1; at <= count; at += 1) {
    const time = new Date(Date.now() - 1_000 * (count + 1 - at)).toISOString();
    const hex = at.toString(16).padStart(8, '0');
    const own = `${time.replaceAll(/[-:]|\.\d+/g, '')}-${hex}`;
    const copy = text
      .replaceAll(id, own)
      .replaceAll(payment, `pay_${at.toString().padStart(31, '0')}x`)
      .replaceAll(hash, `0x${hex.repeat(8)}`)
      .replaceAll(name, `old-${at}`)
      .replaceAll(receiver, receiverOf(9, at).slice(2))
      .replaceAll(/"at":"[^"]*"/g, `"at":"${time}"`);
    await writeFile(join(to, `${own}.ndjson`), copy, { mode: 0o600 });
  }
};

const journalOf = (home) => join(home, 'state', 'journal');

/** The processor time of a row, in journals with few and with many ended payments, measured in turn. */
const benchJournals = async (folder) => {
  const service = await startService(1_000_000);
  const template = await newHome(folder, 'template');
  await payAll(template, service.url, await writeRows(template, 3, 1));
  const homes = [];
  for (const count of JOURNALS) {
    const home = await newHome(folder, `journal-${count}`);
    await fillJournal(journalOf(template), journalOf(home), count);
    // The first run writes the index.
    await payAll(home, service.url, await writeRows(home, 4, 1));
    homes.push(home);
  }
  const costs = JOURNALS.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, home] of homes.entries()) {
      const path = await writeRows(home, 100 + round, ROWS_MEASURED);
      costs[at].push(await costOfRows(home, service.url, path, MEASURED));
    }
  }
  service.end();
  const medians = costs.map(median);
  const [few, many] = [medians[0], medians.at(-1)];
  const rows = [
    {
      label: `processor of a row, ${JOURNALS.at(-1)} ended payments`,
      against: `${JOURNALS[0]} ended payments`,
      own: `${many.toFixed(1)} ms`,
      other: `${few.toFixed(1)} ms`,
      value: many / few,
      budget: 1.1,
    },
    { label: '– a row, on all threads', value: few, unit: 'ms', budget: 12 },
  ];
  return { rows, rowCosts: JOURNALS.map((count, at) => ({ rows: count, cost: medians[at] })) };
};

/** Bulk payments against a mock service. `isLong`: five times as many rows at the limit. */
export const benchBulk = async (folder, { isLong = false } = {}) => {
  const limit = await benchLimit(folder, ROWS[isLong ? 1 : 0]);
  const killed = await benchKilled(folder);
  const { rows, rowCosts } = await benchJournals(folder);
  return { rows: [...limit, ...killed, ...rows], rowCosts };
};
