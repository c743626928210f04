import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asker } from '../support/ask.ts';
import { type Ended, runBursar, startBursar } from '../support/bursar.ts';
import { SANDBOX_ENV } from '../support/cheap-key.ts';
import { runInProcess } from '../support/in-process.ts';
import { inEvents } from './disk.ts';
import { EVM_ADDRESS, keyFile, PASSWORD } from './home.ts';
import type { CommandEnd, LifeResult, Script } from './judged.ts';

const SIMULATE = fileURLToPath(new URL('simulate.mjs', import.meta.url));

/** Options of each command that signs. */
export const SIGNING = ['--yes', '--json', '--password-file', 'HOME/password'] as const;

/** A payment of USDT on polygon to one receiver, as a body. */
export const bodyOf = (amount: string, receiver: string): string =>
  JSON.stringify({
    tenant_data: { public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/hook' },
    payment_method_allowed: { pixcrypto: false, cardcrypto: false, cardfiat: false, cryptopix: false, crypto: true },
    split_payment_config: [{ receiver_wallet: receiver, receiver_percent: 100 }],
    ...{ from_currency_symbol: 'USDT', amount_from: amount, to_currency_symbol: 'USDT', to_chain: 'polygon' },
    payer_email: 'payer@example.com',
  });

/** The files of a script's home: the key, its password, and bodies by file name. */
export const filesWith = (bodies: Readonly<Record<string, string>>): Script['files'] => ({
  'keys/payer.json': keyFile(),
  password: `${PASSWORD}\n`,
  ...bodies,
});

/** One operation of a journal: its steps in order. `torn` is a line without an end. */
export type Operation = { readonly amount: string; readonly steps: readonly string[] };

const operationIn = (text: string): Operation => {
  const lines = text.split('\n');
  const torn = lines.pop();
  const events = lines.map((line) => JSON.parse(line) as { step: string; intent?: { amount?: string } });
  const steps = events.map(({ step }) => step);
  return { amount: events[0]?.intent?.amount ?? '', steps: torn ? [...steps, 'torn'] : steps };
};

/** The operations of a journal in a fixed order, because ids of the same second have no order. */
export const operationsIn = (journal: readonly string[]): readonly Operation[] =>
  journal.map(operationIn).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

/** The files of a home, with names that are equal in two runs. */
export const fileNamesIn = (files: readonly string[]): readonly string[] =>
  files.map((path) => inEvents(path).replace(/P\d+-\d+\.tmp$/, 'tmp')).toSorted();

type Address = { readonly url: string; readonly api_key: string; readonly control_key: string; readonly pid: number };

const journalOf = async (home: string): Promise<readonly string[]> => {
  const folder = join(home, 'state', 'journal');
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => name.endsWith('.ndjson'));
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
};

const filesOf = async (home: string): Promise<readonly string[]> => {
  const found = await readdir(home, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replace(home, 'HOME'));
};

/** A home on the real disk that uses the shared sandbox. */
const newRealHome = async (address: Address, files: Script['files']) => {
  const above = await mkdtemp(join(tmpdir(), 'bursar-judged-'));
  const home = join(above, '.bursar');
  for (const [path, text] of Object.entries({ ...files, 'sandbox/server.json': JSON.stringify(address) })) {
    await mkdir(dirname(join(home, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(home, path), text, { mode: 0o600 });
  }
  const env = { BURSAR_PROFILE: 'sandbox' };
  const filled = (args: readonly string[]): readonly string[] =>
    args.map((text) => text.replaceAll('HOME', home).replaceAll('SERVICE', address.url));
  const endOf = async ({ code, stdout }: Ended): Promise<CommandEnd> => ({
    code,
    stdout: stdout.replaceAll(home, 'HOME').replaceAll(address.url, 'SERVICE'),
    journal: await journalOf(home),
    files: await filesOf(home),
  });
  return {
    /** The folder that has the home. */
    above,
    home,
    run: async (args: readonly string[]): Promise<CommandEnd> => endOf(await runInProcess(home, filled(args), { env })),
    /** Runs the command in a new process, under another program. One thread makes all disk calls. */
    runUnder: async (under: readonly string[], args: readonly string[]): Promise<CommandEnd> => {
      const settings = { under, env: { ...env, UV_THREADPOOL_SIZE: '1' } };
      return endOf(await startBursar(home, filled(args), settings).ended);
    },
    remove: () => rm(above, { recursive: true, force: true }),
  };
};

export type RealHome = Awaited<ReturnType<typeof newRealHome>>;

/** Opens a sandbox and the simulator, which both run the same scripts. */
export const openComparison = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bursar-judge-'));
  const started = await runBursar(folder, ['sandbox', 'start', '--ephemeral', '--json'], { env: SANDBOX_ENV });
  const address = JSON.parse(started.stdout) as Address;
  const ask = asker(address);
  await ask('POST', '/_sandbox/fund', { address: EVM_ADDRESS, chain: 'polygon', token: 'USDT', amount: '1000000' });
  await ask('POST', '/_sandbox/fund', { address: EVM_ADDRESS, chain: 'polygon', amount: '1000' });
  const headers = { 'x-control-key': address.control_key };
  const health = await (await fetch(`${address.url}/_sandbox/health`, { headers })).text();
  const homes: RealHome[] = [];
  return {
    newHome: async (files: Script['files']): Promise<RealHome> => {
      const home = await newRealHome(address, files);
      homes.push(home);
      return home;
    },
    /** Runs scripts in the simulator, in a new process because the simulator closes the globals of Node. */
    simulate: async (lives: readonly Script[]): Promise<readonly LifeResult[]> => {
      const path = join(folder, 'scripts.json');
      await writeFile(path, JSON.stringify({ lives, pid: address.pid, health }));
      const { stdout } = await promisify(execFile)(process.execPath, [SIMULATE, '--scripts', path], {
        maxBuffer: 2 ** 28,
      });
      return JSON.parse(stdout) as readonly LifeResult[];
    },
    end: async (): Promise<void> => {
      await runBursar(folder, ['sandbox', 'stop'], { env: SANDBOX_ENV });
      // A failed test leaves its home.
      for (const home of homes) await home.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export type Comparison = Awaited<ReturnType<typeof openComparison>>;
