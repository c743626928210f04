import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { startService, writeRows } from './bulk-run.mjs';
import { heapRows } from './heap.mjs';
import { cleanEnv, PROGRAM } from './measure.mjs';
import { newQueue, startWorker, until } from './queue-run.mjs';

/** Calls a second that the service allows. It executes every so many payments without an answer. */
const LIMIT = 300;
const LOSES_EVERY = 97;
/** Rows of the run, by default and with `--long`. */
const ROWS = [600, 10_000];
/** The lease of the journal, and for how long a worker is stopped. */
const LEASE_S = 3;
const STOPPED_MS = 8_000;
/** After which part of the rows the worker that pays is stopped, or killed. */
const EVENTS = [
  { at: 0.1, isStop: true },
  { at: 0.2, isStop: false },
  { at: 0.35, isStop: false },
];
/** The second worker takes the wallets of the first over. */
const KEYS = [
  ['k1', 'k2', 'k3', 'k4'],
  ['k5', 'k6', 'k7', 'k8', 'k1', 'k2', 'k3', 'k4'],
];
const BATCH = 'killed';
/** The exit codes of a worker at the end: 8 if it gave rows back that another one paid. */
const ENDS = [0, 8];

/** Reads where the batch stands, until its end. `doubtful` are the numbers of the rows that were ever listed as in doubt. */
const watchDoubts = (env) => {
  const doubtful = new Set();
  const child = spawn(process.execPath, [PROGRAM, 'pay', 'bulk-status', BATCH, '--watch', '--timeout', '7200'], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    for (const { row } of JSON.parse(line).doubtful ?? []) doubtful.add(row);
  });
  return { doubtful, ended: new Promise((resolve) => child.once('close', resolve)) };
};

/** Starts workers, and starts each again that ended before its rows did. */
const keepWorkers = async (folder, queue, { isOver, heapAt }) => {
  const running = [];
  const processes = [];
  let last;
  const start = async (at) => {
    const heap = { path: join(folder, `heap-${processes.length}`), at: heapAt };
    const onPaid = (worker) => {
      last = worker;
    };
    const worker = Object.assign(startWorker(queue.envOf(queue.homes[at]), KEYS[at], { heap, onPaid }), { heap });
    processes.push(worker);
    running[at] = worker.ended.then(async (ended) => {
      worker.code = ended.code;
      if (!(await isOver())) await start(at);
      else if (!ENDS.includes(ended.code)) throw new Error(`worker ended with ${ended.code}: ${ended.stderr}`);
    });
    await until(() => worker.paid > 0 || worker.code !== undefined || processes.length > KEYS.length);
  };
  for (const at of KEYS.keys()) await start(at);
  return {
    processes,
    paying: () => last,
    ended: async () => {
      // A worker that ended may have been started again.
      for (let all; all?.some((each, at) => each !== running[at]) ?? true; ) {
        all = [...running];
        await Promise.all(all);
      }
    },
  };
};

const disturb = async (service, rows, workers) => {
  for (const { at, isStop } of EVENTS) {
    await until(async () => (await service.counts()).paid >= at * rows);
    const worker = workers.paying();
    if (!isStop) {
      worker.signal('SIGKILL');
      continue;
    }
    worker.signal('SIGSTOP');
    await setTimeout(STOPPED_MS);
    worker.signal('SIGCONT');
  }
};

/**
 * Two workers pay rows. One is stopped for longer than its lease, and one is killed twice. Throws unless the service executed
 * each row once.
 */
export const benchKilledWorkers = async (folder, server, { isLong = false } = {}) => {
  const rows = ROWS[isLong ? 1 : 0];
  const service = await startService(LIMIT, 0, LOSES_EVERY);
  const keys = KEYS[1];
  const queue = await newQueue(join(folder, 'killed'), { server, url: service.url, keys, leaseS: LEASE_S, workers: 2 });
  await queue.put(await writeRows(folder, 8, rows), BATCH);
  const status = watchDoubts(queue.env);
  const isOver = async () => (await service.counts()).paid >= rows;
  const workers = await keepWorkers(folder, queue, { isOver, heapAt: [rows / 10, rows / 2] });
  await disturb(service, rows, workers);
  await workers.ended();
  await status.ended;
  const { paid, twice, lost, calls, firstAt, lastAt } = await service.counts();
  const standing = await queue.statusOf(BATCH);
  service.end();
  if (twice > 0) throw new Error(`${twice} rows were executed twice`);
  // A row is skipped if its worker was stopped after the payment and before the note.
  const shown = standing.paid + standing.skipped;
  if (shown !== rows) throw new Error(`bulk-status shows ${shown} of ${rows} rows as paid or skipped`);
  const listed = lost.filter((to) => status.doubtful.has(Number.parseInt(to.slice(-8), 16))).length;
  const longest = workers.processes.toSorted((one, other) => other.paid - one.paid)[0];
  return [
    {
      label: 'rows executed once, workers killed 2 times and stopped once',
      against: 'the rows of the batch',
      own: String(paid),
      other: String(rows),
      value: paid / rows,
      minimum: 1,
    },
    {
      label: '– in doubt, listed by bulk-status',
      against: 'rows executed without an answer',
      own: String(listed),
      other: String(lost.length),
      value: listed / lost.length,
    },
    { label: '– calls a second of 2 workers', value: calls / ((lastAt - firstAt) / 1000), unit: '/s' },
    ...(await heapRows(longest.heap)),
  ];
};
