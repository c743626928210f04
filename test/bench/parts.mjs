import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * 20,000 payments in windows of 1,000. Each window has `payments` (the number at its end), `median` and `p99` in milliseconds.
 * The part is left out while the file is not there.
 */
const FLAT = './flat.mjs';

const load = async (file, name) => (await import(new URL(file, import.meta.url).href))[name];

/** Each part, with the functions that measure it. They are loaded on the Node that is measured. */
export const PARTS = {
  'start-up': [async () => (await import('./start-up.mjs')).benchStartUp],
  pay: [async () => (await import('./pay.mjs')).benchPay],
  warm: [
    async () => (await import('./keys.mjs')).benchKeys,
    async () => (await import('./reviews.mjs')).benchReviews,
    async () => (await import('./journal.mjs')).benchJournal,
  ],
  sandbox: [
    async () => (await import('./sandbox.mjs')).benchMock,
    async () => (await import('./payments.mjs')).benchPayments,
    async () => (await import('./deposits.mjs')).benchDeposits,
  ],
  webhooks: [async () => (await import('./webhooks.mjs')).benchWebhooks],
  'shared-journal': [async () => (await import('./shared-journal.mjs')).benchSharedJournal],
  queue: [async () => (await import('./queue.mjs')).benchQueue],
  bulk: [async () => (await import('./bulk.mjs')).benchBulk],
  ...(existsSync(new URL(FLAT, import.meta.url)) && { flat: [() => load(FLAT, 'benchFlat')] }),
};

/**
 * Measures a part on the Node of this process. A function returns rows, or `{ rows }` with the data of a plot: `bars`,
 * `windows`, `rowCosts` or `workerRates`.
 */
const measure = async (part, options) => {
  const measured = { rows: [] };
  for (const loadBench of PARTS[part]) {
    const home = await mkdtemp(join(tmpdir(), 'bursar-bench-'));
    try {
      const bench = await loadBench();
      const result = await bench(home, options);
      const { rows, ...plotted } = Array.isArray(result) ? { rows: result } : result;
      measured.rows.push(...rows);
      Object.assign(measured, plotted);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }
  return measured;
};

/** Run by a parent process on each Node: `node parts.mjs PART` sends what it measured. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.send(await measure(process.argv[2], { isLong: process.argv.includes('--long') }), () => process.exit());
}
