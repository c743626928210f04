import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectTo } from './connection.mjs';
import { median } from './measure.mjs';
import { fundedPayer, pay } from './payments.mjs';
import { childrenOf, memoryOf, processorOf, startIn } from './running.mjs';

const CLIENTS = 16;
const WINDOWS = 20;
const PAYMENTS_PER_WINDOW = 1_000;
/** Payments before the first window. After them the code is compiled and both heaps have their usual size. */
const WARM = 2_000;
/** The first payments. One of them is read again after all others and after each restart. */
const FIRST = 100;

/** A payer. `calls.longest` is the duration of the longest call of all payers. */
const openPayer = async (address, calls) => {
  const connection = connectTo(address);
  const ask = async (...call) => {
    const start = performance.now();
    const data = await connection.ask(...call);
    calls.longest = Math.max(calls.longest, performance.now() - start);
    return data;
  };
  return { ask, wallet: await fundedPayer(connection), close: connection.close };
};

/** Makes payments with all payers. Returns the duration of each, in ms. */
const makePayments = async (payers, count) => {
  let left = count;
  const durations = [];
  const work = async ({ ask, wallet }) => {
    while (left > 0) {
      left -= 1;
      const start = performance.now();
      await pay({ ask }, wallet);
      durations.push(performance.now() - start);
    }
  };
  await Promise.all(payers.map(work));
  return durations;
};

const percentile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)];

const sumOf = (pids, measure) => pids.reduce((sum, pid) => sum + measure(pid), 0);

const SAMPLE_MS = 250;

/** Samples the memory of both processes until the returned function is called, which returns the medians. */
const watchMemory = (pid, nodes) => {
  const samples = { memory: [], node: [] };
  const sample = () => {
    samples.memory.push(memoryOf(pid));
    samples.node.push(sumOf(nodes, memoryOf));
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return { memory: median(samples.memory), node: median(samples.node) };
  };
};

/**
 * One window: its payments and their rate per second; in ms the median, the 99th percentile, the longest call, and the
 * processor time of one payment. Of both processes it has the median memory in MB.
 */
const measureWindow = async ({ pid, payers, calls }, payments) => {
  const nodes = childrenOf(pid);
  calls.longest = 0;
  const used = [processorOf(pid), sumOf(nodes, processorOf)];
  const endWatch = watchMemory(pid, nodes);
  const start = performance.now();
  const durations = await makePayments(payers, payments);
  const rate = (payments / (performance.now() - start)) * 1000;
  return {
    payments,
    rate,
    median: median(durations),
    p99: percentile(durations, 0.99),
    longest: calls.longest,
    ...endWatch(),
    processor: (processorOf(pid) - used[0]) / payments,
    nodeProcessor: (sumOf(nodes, processorOf) - used[1]) / payments,
  };
};

const askChain = async ({ call }, method, ...params) => {
  const { text } = await call('POST', '/_chain/polygon', { jsonrpc: '2.0', id: 1, method, params });
  if (!JSON.parse(text).result) throw new Error(`${method}: ${text}`);
  return text;
};

/** The chain's answers for a transaction, its receipt, its block and the logs of the block, as text. */
const readPast = async (connection, { hash, block }) => [
  await askChain(connection, 'eth_getTransactionByHash', hash),
  await askChain(connection, 'eth_getTransactionReceipt', hash),
  await askChain(connection, 'eth_getBlockByNumber', block, true),
  await askChain(connection, 'eth_getLogs', { fromBlock: block, toBlock: block }),
];

/** Reads a random payment. Returns a function that throws if the chain later answers otherwise for the same payment. */
const readRandomPayment = async (address) => {
  const connection = connectTo(address);
  const height = Number(JSON.parse(await askChain(connection, 'eth_blockNumber')).result);
  const paid = { hash: undefined, block: undefined };
  while (paid.hash === undefined) {
    paid.block = `0x${Math.ceil(Math.random() * height).toString(16)}`;
    paid.hash = JSON.parse(
      await askChain(connection, 'eth_getBlockByNumber', paid.block, false),
    ).result.transactions[0];
  }
  const before = await readPast(connection, paid);
  connection.close();
  return async (now) => {
    const again = await readPast(now, paid);
    if (JSON.stringify(again) !== JSON.stringify(before))
      throw new Error(`block ${paid.block} differs from the first read: ${again}`);
  };
};

/** Milliseconds from the start of the process until its chain answers. */
const restartTime = async (home, assertSame) => {
  const { address, began, end } = await startIn(home);
  const connection = connectTo(address);
  await askChain(connection, 'eth_blockNumber');
  const duration = performance.now() - began;
  await assertSame(connection);
  connection.close();
  await end('SIGTERM');
  return duration;
};

/**
 * Makes payments in windows, then kills the sandbox and starts it twice: after the kill, and after an orderly end. Calls
 * `onWindow` after each window.
 */
export const measureFlat = async ({ windows = WINDOWS, payments = PAYMENTS_PER_WINDOW, onWindow } = {}) => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-bench-flat-'));
  try {
    const { pid, address, end } = await startIn(home);
    const calls = { longest: 0 };
    const all = [];
    let assertSame;
    try {
      const payers = [];
      for (let count = 0; count < CLIENTS; count += 1) payers.push(await openPayer(address, calls));
      await makePayments(payers, FIRST);
      assertSame = await readRandomPayment(address);
      await makePayments(payers, WARM - FIRST);
      for (let window = 0; window < windows; window += 1) {
        all.push(await measureWindow({ pid, payers, calls }, payments));
        onWindow?.(all.at(-1));
      }
      for (const { close } of payers) close();
      const connection = connectTo(address);
      await assertSame(connection);
      connection.close();
    } finally {
      await end('SIGKILL');
    }
    return { windows: all, killed: await restartTime(home, assertSame), ended: await restartTime(home, assertSame) };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
};

const growth = (first, last) => last / first;

/** The rows of the table, and for the plot each window with the number of payments at its end. */
export const benchFlat = async (options) => {
  const { windows, killed, ended } = await measureFlat(options);
  const [first, last] = [windows[0], windows.at(-1)];
  const total = windows.reduce((sum, { payments }) => sum + payments, 0);
  const against = `the first ${first.payments} of ${total} payments`;
  const row = (label, name, unit, budget) => ({
    label,
    against,
    own: `${Math.round(last[name])} ${unit}`,
    other: `${Math.round(first[name])} ${unit}`,
    value: growth(first[name], last[name]),
    budget,
  });
  const longest = Math.max(...windows.map((window) => window.longest));
  const rows = [
    row(`median of a payment, the last ${last.payments}`, 'median', 'ms', 1.1),
    row('– 99th percentile', 'p99', 'ms', 1.25),
    row('– memory of the sandbox', 'memory', 'MB', 1.1),
    row('– memory of its anvil', 'node', 'MB', 1.1),
    { label: `longest call of ${total} payments`, value: longest, unit: 'ms', budget: 300 },
    {
      label: `from a start to an answer of the chain, after kill -9 at ${total} payments`,
      value: killed,
      unit: 'ms',
      other: `after an orderly end: ${Math.round(ended)} ms`,
      budget: 10_000,
    },
  ];
  let payments = 0;
  const numbered = windows.map((window) => {
    payments += window.payments;
    return { ...window, payments };
  });
  return { rows, windows: numbered };
};

/** `node flat.mjs [windows]` prints every window. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const windows = Number(process.argv[2] ?? WINDOWS);
  const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
  const round = (window) =>
    Object.fromEntries(
      Object.entries(window).map(([name, value]) => [name, Number(value.toFixed(value < 10 ? 2 : 0))]),
    );
  const { rows } = await benchFlat({ windows, onWindow: (window) => print(round(window)) });
  for (const { value, ...row } of rows) print({ ...row, value: Number(value.toFixed(2)) });
}
