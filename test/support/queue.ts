import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getAddress } from 'ethers';
import { expect } from 'vitest';
import { SANDBOX_CONTRACTS } from '../../src/contract/chains.ts';
import type { Ended, Settings, Started } from './bursar.ts';
import type { SharedSandbox } from './crash.ts';
import { type SecondHome, secondHome } from './second-home.ts';
import { postgresJournal } from './test-journal.ts';

const COLUMNS = [
  ...['id', 'amount_from', 'from_currency_symbol', 'to_currency_symbol', 'to_chain'],
  ...['split', 'payer_email'],
];

/** A row of a test: 1 USDT to a receiver of its own by default. */
export type TestRow = { readonly id: string; readonly to: string; readonly amount?: string; readonly email?: string };

/** Rows with these ids, each to a receiver of its own. */
export const newRows = (prefix: string, count: number): readonly TestRow[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${prefix}-${at + 1}`,
    to: getAddress(`0x${randomBytes(20).toString('hex')}`),
  }));

const lineOf = ({ id, to, amount = '1', email = 'payer@example.com' }: TestRow): string =>
  `${id},${amount},USDT,USDT,polygon,${to}=100,${email}`;

/** A worker that runs. `until` resolves when its output shows a text. */
const watched = ({ child, ended }: Started) => {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: string) => {
      output += text;
    });
  return {
    ...{ child, ended },
    until: async (text: RegExp): Promise<void> => {
      for (let tries = 0; tries < 1_200; tries += 1) {
        if (text.test(output)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`no ${text} in: ${output}`);
    },
  };
};

/** The lines of JSON in an output. */
export const documentsIn = (stdout: string): readonly Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** A home with a queue: several wallets with policies, and a journal that other homes join. */
export const newQueue = async (sandbox: SharedSandbox, { lease = 3, wallets = 1 } = {}) => {
  const testCase = await sandbox.newCase({ makeJournal: (home) => postgresJournal(home, lease) });
  const { home, journal, rpcUrl } = testCase;
  const names = ['payer'];
  while (names.length < wallets) names.push((await testCase.another()).name);
  const limit = (run: SecondHome['bursar'], name: string, ...settings: readonly string[]) =>
    run(['key', 'policy', 'set', name, ...settings]);
  for (const name of names) expect((await limit(testCase.bursar, name, 'most_per_transaction.USDT=100')).code).toBe(0);
  const settings = [`public_client_id=client_${'0'.repeat(32)}`, 'webhook_url=https://shop.example/hook'];
  expect((await testCase.bursar(['profile', 'set', 'sandbox', ...settings])).code).toBe(0);
  let files = 0;
  /** Writes a file of rows. Returns its path. */
  const fileOf = async (rows: readonly TestRow[]): Promise<string> => {
    files += 1;
    const path = join(home, `queued-${files}.csv`);
    await writeFile(path, [COLUMNS.join(), ...rows.map(lineOf), ''].join('\n'));
    return path;
  };
  const put = async (batch: string, rows: readonly TestRow[], ...options: readonly string[]): Promise<Ended> => {
    const keys = options.includes('--key') ? [] : ['--key', names.join()];
    const to = ['--queue', journal.url, '--batch', batch, '--max-total', '900=USDT', '--yes', '--json'];
    return testCase.bursar(['pay', 'bulk', await fileOf(rows), ...to, ...keys, ...options]);
  };
  const workerArgs = (...options: readonly string[]): readonly string[] => {
    const keys = options.includes('--key') ? [] : ['--key', names.join()];
    const limits = options.includes('--max-total') ? [] : ['--max-total', '900=USDT'];
    return ['worker', ...keys, ...limits, '--yes', ...options];
  };
  const status = async (batch: string, settings?: Settings): Promise<Record<string, unknown>> => {
    const { stdout, stderr } = await testCase.bursar(['pay', 'bulk-status', batch, '--json'], settings);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  /** How much USDT a receiver got, read from the chain. */
  const received = async ({ to }: TestRow): Promise<number> => {
    const data = `0x70a08231${to.slice(2).padStart(64, '0')}`;
    const params = [{ to: SANDBOX_CONTRACTS.USDT, data }, 'latest'];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params });
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return Number(BigInt(((await answer.json()) as { result: string }).result)) / 1e6;
  };
  return {
    ...{ testCase, journal, names, put, fileOf, status },
    /** What each row got. */
    receivedBy: (rows: readonly TestRow[]) => Promise.all(rows.map(received)),
    /** Another machine, with the same keys and policies of its own. */
    machine: async (): Promise<SecondHome> => {
      const other = await secondHome(testCase, journal);
      for (const name of names) await limit(other.bursar, name, 'most_per_transaction.USDT=100');
      return other;
    },
    start: (on: Pick<SecondHome, 'start'>, options: readonly string[] = [], settings?: Settings) =>
      watched(on.start(workerArgs(...options), settings)),
    /** Runs a worker until the queue is empty. */
    work: (options: readonly string[] = [], settings?: Settings): Promise<Ended> =>
      testCase.bursar(workerArgs('--until-empty', ...options), settings),
  };
};
