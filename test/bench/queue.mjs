import { join } from 'node:path';
import { startService, writeRows } from './bulk-run.mjs';
import { median } from './measure.mjs';
import { benchKilledWorkers } from './queue-killed.mjs';
import { newQueue, startDatabase, startWorker, until, workOf } from './queue-run.mjs';
import { processorOf } from './running.mjs';

/** Milliseconds that each call takes, and the calls that a worker has on their way at a time. */
const LATENCY_MS = 200;
const CONCURRENCY = 4;
/** With calls that take longer, the processor does less in a second. */
const LONG_LATENCY_MS = 800;
/** The numbers of workers that are compared, and how often each is measured. */
const WORKERS = [1, 2, 3, 4];
const ROUNDS = 1;
const WALLETS_OF_WORKER = 4;
/**
 * Rows of a run for each worker. Rates are measured after each worker has paid the `first`, because code is compiled before, and
 * until the `last` rows of all are left, because workers run out of rows then.
 */
const ROWS = { all: 180, first: 90, last: 20 };
const FEWER_ROWS = { all: 60, first: 12, last: 20 };

const MOST = Math.max(...WORKERS);
const KEYS = Array.from({ length: WALLETS_OF_WORKER * MOST }, (_, at) => `k${at + 1}`);
/** The keys of each worker. */
const OWN_KEYS = Array.from({ length: MOST }, (_, at) =>
  KEYS.slice(at * WALLETS_OF_WORKER, (at + 1) * WALLETS_OF_WORKER),
);

const checkEnd = async ({ ended }) => {
  const { code, stderr } = await ended;
  if (code !== 0) throw new Error(`worker ended with ${code}: ${stderr}`);
};

/** Pays rows with a worker for each list of keys, and measures while all of them work. */
const measureWorkers = async ({ folder, server, queue, service }, series, keyLists, sizes) => {
  const [rows, last] = [sizes.all * keyLists.length, sizes.last * keyLists.length];
  await queue.put(await writeRows(folder, series, rows), `series-${series}`);
  const { paid: before } = await service.counts();
  const options = ['--concurrency', String(CONCURRENCY)];
  const workers = keyLists.map((keys, at) => startWorker(queue.envOf(queue.homes[at]), keys, { options }));
  const moment = async () => {
    const { paid, now } = await service.counts();
    const processor = workers.reduce((sum, { pid }) => sum + processorOf(pid), 0);
    return { paid, now, processor, database: await workOf(server, queue.journal) };
  };
  await until(() => workers.every(({ paid }) => paid >= sizes.first));
  const from = await moment();
  await until(async () => (await service.counts()).paid - before >= rows - last);
  const to = await moment();
  await Promise.all(workers.map(checkEnd));
  const paid = to.paid - from.paid;
  const ofRow = (read) => (read(to) - read(from)) / paid;
  return {
    rate: paid / ((to.now - from.now) / 1000),
    processor: ofRow(({ processor }) => processor),
    commits: ofRow(({ database }) => database.commits),
    logged: ofRow(({ database }) => database.logged),
    stored: ofRow(({ database }) => database.stored),
    database: ofRow(({ database }) => database.processor),
  };
};

const inRows = (value) => `${value.toFixed(1)} /s`;

const speedUp = (label, [one, many], more = {}) => ({
  label,
  against: 'one worker',
  own: inRows(many),
  other: inRows(one),
  value: many / one,
  ...more,
});

const middle = (results, field) => median(results.map((result) => result[field]));

/** A service and a queue, and a function that measures workers with them. */
const openRuns = async (folder, server, latencyMs) => {
  const service = await startService(1_000_000, latencyMs);
  const own = join(folder, `latency-${latencyMs}`);
  const queue = await newQueue(own, { server, url: service.url, keys: KEYS, workers: MOST });
  let series = 0;
  const measure = (keyLists, sizes) => {
    series += 1;
    return measureWorkers({ folder: own, server, queue, service }, series, keyLists, sizes);
  };
  return { measure, end: service.end };
};

/** Rows a second of one to four workers, each with the same number of wallets of its own. */
const benchNumbers = async (folder, server) => {
  const { measure, end } = await openRuns(folder, server, LATENCY_MS);
  const results = WORKERS.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, count] of WORKERS.entries()) results[at].push(await measure(OWN_KEYS.slice(0, count), ROWS));
  const withAll = await measure([KEYS], ROWS);
  end();
  const rates = results.map((each) => middle(each, 'rate'));
  const ofOne = (field) => middle(results[0], field);
  const several = WORKERS.map((count, at) => ({ count, rate: rates[at] })).filter(({ count }) => count > 1);
  const rows = [
    ...several.toReversed().map(({ count, rate }) => {
      const label = `rows a second of ${count} workers, ${WALLETS_OF_WORKER} wallets each`;
      return count === MOST
        ? speedUp(label, [rates[0], rate], { minimum: 3.5 })
        : speedUp(`– of ${count}`, [rates[0], rate]);
    }),
    speedUp(`– of one worker with all ${KEYS.length} wallets`, [rates[0], withAll.rate]),
    { label: '– processor of a row, the worker', value: ofOne('processor'), unit: 'ms' },
    { label: '– processor of a row, the database', value: ofOne('database'), unit: 'ms' },
    { label: '– commits of a row', value: ofOne('commits'), unit: 'commits' },
    { label: '– a row in the log of the database', value: ofOne('logged') / 1024, unit: 'KB' },
    { label: '– a row in the tables', value: ofOne('stored') / 1024, unit: 'KB' },
  ];
  const workerRates = WORKERS.map((count, at) => ({ workers: count, measured: rates[at], ideal: count * rates[0] }));
  return { rows, workerRates };
};

/** The same with calls that take longer: then the processors of the machine are no limit. */
const benchLongCalls = async (folder, server) => {
  const { measure, end } = await openRuns(folder, server, LONG_LATENCY_MS);
  const [one, many] = [await measure(OWN_KEYS.slice(0, 1), FEWER_ROWS), await measure(OWN_KEYS, FEWER_ROWS)];
  end();
  return speedUp(`– of ${MOST}, with ${LONG_LATENCY_MS} ms a call`, [one.rate, many.rate]);
};

/** Rows that workers pay from a queue. `isLong`: more rows in the run that is killed. */
export const benchQueue = async (folder, options = {}) => {
  const server = await startDatabase(folder);
  const { rows, workerRates } = await benchNumbers(folder, server);
  const longCalls = await benchLongCalls(folder, server);
  const killed = await benchKilledWorkers(folder, server, options);
  await server.stop();
  const at = WORKERS.length - 1;
  return { rows: [...rows.slice(0, at), longCalls, ...rows.slice(at), ...killed], workerRates };
};
