import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { encryptKeystoreJsonSync, Wallet } from 'ethers';
import { heapHook, noteHeap } from './heap.mjs';
import { cleanEnv, PROGRAM } from './measure.mjs';
import { processorOf } from './running.mjs';

const SERVICE = fileURLToPath(new URL('bulk-service.mjs', import.meta.url));

/** Keys of a run. Payments of one wallet wait for each other, so one key would be the limit. */
const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/**
 * Starts a mock service that allows `limit` calls a second, each of `latencyMs`. It executes every `losesEvery`th payment without
 * an answer. `counts` asks it for its counts.
 */
export const startService = async (limit, latencyMs = 0, losesEvery = Number.POSITIVE_INFINITY) => {
  const args = [limit, latencyMs, losesEvery].map(String);
  const child = spawn(process.execPath, [SERVICE, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { value: url } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const counts = async () => (await (await fetch(`${url}/_counts`)).json()).data;
  return { url, counts, end: () => child.kill() };
};

/** Puts new keys into a home. Their scrypt cost is low: unlocking is measured elsewhere. */
export const putKeys = async (home, names = KEYS) => {
  await mkdir(join(home, 'keys'), { mode: 0o700, recursive: true });
  for (const name of names) {
    const wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`);
    const { Crypto: crypto, id } = JSON.parse(encryptKeystoreJsonSync(wallet, 'pw', { scrypt: { N: 2 } }));
    const file = { version: 3, id, address: wallet.address.slice(2).toLowerCase(), crypto };
    await writeFile(join(home, 'keys', `${name}.json`), JSON.stringify(file), { mode: 0o600 });
  }
};

const HEADER =
  'id,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email,public_client_id,webhook_url';

/** The receiver of a row: each row of a series has its own. */
export const receiverOf = (series, row) =>
  `0x${series.toString(16).padStart(8, '7')}${row.toString(16).padStart(32, '0')}`;

/** Writes a file of rows. `series` keeps its ids and receivers apart from those of others. */
export const writeRows = async (home, series, count) => {
  const line = (row) =>
    `row-${series}-${row},1,USDT,USDT,polygon,${receiverOf(series, row)}=100,payer@example.com,client_${'0'.repeat(32)},https://shop.example/hook`;
  const path = join(home, `rows-${series}.csv`);
  await writeFile(path, `${[HEADER, ...Array.from({ length: count }, (_, at) => line(at + 1))].join('\n')}\n`);
  return path;
};

/**
 * Starts `pay bulk` with a file of rows. `onPaid` is called with the number of rows paid so far. `ended` resolves with the
 * exit code and the end of stderr. `heap` is as in `heap.mjs`.
 */
export const startBulk = (home, url, path, { options = [], heap, onPaid = () => undefined } = {}) => {
  const args = [
    PROGRAM,
    'pay',
    'bulk',
    path,
    '--key',
    KEYS.join(','),
    '--yes',
    '--max-total',
    '1000000000=USDT',
    ...options,
  ];
  const hook = heapHook(heap);
  const env = {
    BURSAR_HOME: home,
    BURSAR_BASE_URL: url,
    BURSAR_API_KEY: 'bench',
    BURSAR_KEY_PASSWORD: 'pw',
    ...hook.env,
  };
  const child = spawn(process.execPath, [...hook.flags, ...args], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [paid, stderr] = [0, ''];
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.includes('"status":"paid"')) return;
    paid += 1;
    noteHeap(heap, child, paid);
    onPaid(paid);
  });
  child.stderr.on('data', (chunk) => {
    stderr = `${stderr}${chunk}`.slice(-2_000);
  });
  const ended = new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
  return { pid: child.pid, kill: () => child.kill('SIGKILL'), ended };
};

/** Pays all rows of a file. Throws unless each is paid. */
export const payAll = async (home, url, path, settings) => {
  const { code, stderr } = await startBulk(home, url, path, settings).ended;
  if (code !== 0) throw new Error(`pay bulk ended with ${code}: ${stderr}`);
};

/** Milliseconds of processor time of a row, from row `from` to row `to` of a file. */
export const costOfRows = async (home, url, path, [from, to]) => {
  const used = [];
  const run = startBulk(home, url, path, {
    onPaid: (paid) => {
      if (paid === from || paid === to) used.push(processorOf(run.pid));
    },
  });
  const { code, stderr } = await run.ended;
  if (code !== 0 || used.length < 2) throw new Error(`pay bulk ended with ${code}: ${stderr}`);
  return (used[1] - used[0]) / (to - from);
};
