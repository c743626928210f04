import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getAddress } from 'ethers';
import { newEvmKey } from './cheap-key.ts';
import { type Journey, type Meddler, startJourney } from './journey.ts';

/** The answer of a service that refuses a call. */
export const REFUSED = '{"success":false,"status":"validation_error","statusCode":400,"message":"no","data":null}';

/** A module that makes the disk of a command full. */
export const FULL_DISK = new URL('full-disk.mjs', import.meta.url).href;

export const HEADER = 'id,amount_from,from_currency_symbol,to_currency_symbol,to_chain,split,payer_email';
export const TENANT = ['--profile', 'sandbox'];

/** A row of a CSV file with `HEADER`. */
export type TestRow = { readonly id: string; readonly amount: string; readonly to: string; readonly more?: string };

export const newReceiver = (): string => getAddress(`0x${randomBytes(20).toString('hex')}`);

export const lineOf = ({ id, amount, to, more = '' }: TestRow): string =>
  `${id},${amount},USDT,USDT,polygon,${to}=100,payer@example.com${more}`;

export const rowsTo = (prefix: string, to: string, amounts: readonly string[]): readonly TestRow[] =>
  amounts.map((amount, at) => ({ id: `${prefix}-${at + 1}`, amount, to }));

/** So many rows that pay 1 each. */
export const onesTo = (prefix: string, to: string, count: number): readonly TestRow[] =>
  rowsTo(prefix, to, Array<string>(count).fill('1'));

/** A line of the results. */
export type Change = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string };

/** A journey with the keys `payer` and `second`, and a profile with what each row needs. */
export const startBulkJourney = async (): Promise<Journey> => {
  const journey = await startJourney();
  const { home, address, ask, bursar } = journey;
  const second = await newEvmKey(home, 'second');
  await ask('POST', '/_sandbox/fund', { address: second.address, chain: 'polygon' });
  await ask('POST', '/_sandbox/fund', { address, chain: 'polygon', token: 'USDT', amount: '1000' });
  const settings = [`public_client_id=client_${'0'.repeat(32)}`, 'webhook_url=https://shop.example/hook'];
  const { code, stderr } = await bursar(['profile', 'set', 'sandbox', ...settings]);
  if (code !== 0) throw new Error(stderr);
  return journey;
};

export const changesIn = (stdout: string): readonly Change[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{"row"'))
    .map((line) => JSON.parse(line));

export const lastOf = (changes: readonly Change[], id: string): Change | undefined =>
  changes.findLast((change) => change.id === id);

/** What tests of `pay bulk` do in a journey that `startBulkJourney` starts later. */
export const bulkIn = (journey: () => Journey) => {
  let files = 0;
  /** Writes a file of rows. Returns its path. */
  const fileOf = async (lines: readonly string[], extension = 'csv', lineEnd = '\n'): Promise<string> => {
    files += 1;
    const path = join(journey().home, `rows-${files}.${extension}`);
    await writeFile(path, lines.map((line) => line + lineEnd).join(''));
    return path;
  };
  const csvOf = (rows: readonly TestRow[]): Promise<string> => fileOf([HEADER, ...rows.map(lineOf)]);
  /** Runs `pay bulk` with the key `payer`, and a limit that all tests stay below. */
  const bulk = async (path: string, ...options: readonly string[]) => {
    const limit = options.includes('--max-total') || options.includes('--check') ? [] : ['--max-total', '900=USDT'];
    const yes = options.includes('--check') ? [] : ['--yes'];
    const keys = options.includes('--key') ? [] : ['--key', 'payer'];
    const ended = await journey().bursar([...TENANT, 'pay', 'bulk', path, ...keys, ...yes, ...limit, ...options]);
    const changes = changesIn(ended.stdout);
    return { ...ended, changes, statuses: changes.map(({ id, status }) => `${id} ${status}`).toSorted() };
  };
  return { fileOf, csvOf, bulk };
};

export const isExecute = (path: string): boolean => path.includes('/execute/');

/** Answers execute with an error of the gateway for calls that `isMeant`, without the sandbox. */
export const refusingExecute =
  (isMeant: (body: string) => boolean, onCall: () => void = () => undefined): Meddler =>
  async ({ path, body }, forward) => {
    if (!isExecute(path) || !isMeant(body)) return forward();
    onCall();
    return { status: 502, body: 'bad gateway' };
  };
