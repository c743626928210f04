import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ask, asker } from './ask.ts';
import { type Ended, type Settings, type Started, startBursar } from './bursar.ts';
import { SANDBOX_ENV } from './cheap-key.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { runInProcess } from './in-process.ts';
import { newPayer, type Payer } from './payer.ts';

/** A sandbox that many homes share: starting one costs more than a payment does. */
export type SharedSandbox = {
  readonly url: string;
  readonly api_key: string;
  /** A home of its own before it, with a funded key named `payer`. */
  readonly newCase: (wanted?: { readonly isFunded: boolean }) => Promise<Case>;
  readonly end: () => Promise<void>;
};

/** A home with a payer, a tenant of its own and a proxy that can break its calls. */
export type Case = Omit<Payer, 'name' | 'address'> & {
  readonly home: string;
  readonly payer: string;
  readonly rpcUrl: string;
  readonly proxy: FaultProxy;
  readonly apiKey: string;
  /** Asks the service, as a tenant of its own, or its control; gives the data of the answer. */
  readonly ask: Ask;
  /** Another payer in the same home. */
  readonly another: () => Promise<Payer>;
  readonly start: (args: readonly string[], settings?: Parameters<typeof startBursar>[2]) => Started;
  readonly bursar: (args: readonly string[], settings?: Settings) => Promise<Ended>;
  readonly json: (args: readonly string[], settings?: Settings) => Promise<{ code: number | null; data: unknown }>;
  /** The same in this process, for what is neither killed nor one of several: much cheaper. */
  readonly jsonInProcess: (args: readonly string[]) => Promise<{ code: number | null; data: unknown }>;
  /** What is in the journal's folder, but for whole movements and the index. */
  readonly leftovers: () => Promise<readonly string[]>;
  /** The steps of the newest movement. */
  readonly steps: () => Promise<readonly string[]>;
  readonly end: () => Promise<void>;
};

type Sandbox = {
  readonly url: string;
  readonly api_key: string;
  readonly control_key: string;
  readonly pid: number;
  /** What it says of itself: a busy machine must not look like a sandbox that is gone. */
  readonly health: string;
};

const journalNames = (home: string) => readdir(join(home, 'state', 'journal')).catch((): string[] => []);

/** What a journal's folder has beside whole movements and the index. */
export const leftoversIn = async (home: string): Promise<readonly string[]> =>
  (await journalNames(home)).filter((name) => name !== 'index' && !name.endsWith('.ndjson'));

const newestSteps = async (home: string): Promise<readonly string[]> => {
  const names = (await journalNames(home)).filter((name) => name.endsWith('.ndjson'));
  const text = await readFile(join(home, 'state', 'journal', names.toSorted().at(-1) ?? ''), 'utf8');
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).step);
};

const answerOf = (args: readonly string[], { code, stdout, stderr }: Ended) => {
  if (stdout === '') throw new Error(`${args.join(' ')} ended with ${code} and no answer: ${stderr}`);
  return { code, data: JSON.parse(stdout) };
};

/** A tenant of its own, in a home that knows the sandbox by a proxy before it. */
const settle = async (shared: Sandbox, home: string) => {
  const { api_key } = await asker(shared)('POST', '/_sandbox/tenant', {});
  const sandbox = { ...shared, api_key: String(api_key) };
  const proxy = await startFaultProxy(sandbox.url, { '/_sandbox/health': sandbox.health });
  await mkdir(join(home, 'sandbox'), { mode: 0o700 });
  const address = { ...sandbox, url: proxy.url };
  await writeFile(join(home, 'sandbox', 'server.json'), JSON.stringify(address), { mode: 0o600 });
  return { ask: asker(sandbox), proxy, apiKey: sandbox.api_key };
};

const newCaseOf = async (shared: Sandbox, isFunded: boolean): Promise<Case> => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-crash-'));
  const { ask, proxy, apiKey } = await settle(shared, home);
  const rpcUrl = `${shared.url}/_chain/polygon`;
  const place = { home, ask, rpcUrl };
  const {
    name: _,
    address: payer,
    ...first
  } = await newPayer(place, { name: 'payer', file: 'payment.json', isFunded });
  let payers = 1;
  const start: Case['start'] = (args, settings = {}) =>
    startBursar(home, args, { ...settings, env: { ...SANDBOX_ENV, ...settings.env } });
  return {
    ...first,
    ...place,
    payer,
    proxy,
    apiKey,
    another: () => {
      payers += 1;
      const name = `payer${payers}`;
      return newPayer(place, { name, file: `${name}-payment.json`, isFunded });
    },
    start,
    bursar: (args, settings) => start(args, settings).ended,
    json: async (args, settings) => answerOf(args, await start([...args, '--json'], settings).ended),
    // Cases run at once, and a process stands in one folder: the files of a command line are named in full.
    jsonInProcess: async (args) =>
      answerOf(args, await runInProcess(home, [...args, '--json'], { env: SANDBOX_ENV, cwd: tmpdir() })),
    leftovers: () => leftoversIn(home),
    steps: () => newestSteps(home),
    end: async () => {
      proxy.close();
      await rm(home, { recursive: true, force: true });
    },
  };
};

/** Starts a sandbox for many cases. End it after the tests. */
export const startSharedSandbox = async (): Promise<SharedSandbox> => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-crash-sandbox-'));
  const started = await startBursar(home, ['sandbox', 'start', '--ephemeral', '--json'], { env: SANDBOX_ENV }).ended;
  const address: Omit<Sandbox, 'health'> = JSON.parse(started.stdout);
  const headers = { 'x-control-key': address.control_key };
  const health = await (await fetch(`${address.url}/_sandbox/health`, { headers })).text();
  const sandbox: Sandbox = { ...address, health };
  // Tests that run at once share their hooks: what is to be removed is removed after all of them.
  const cases: Case[] = [];
  return {
    ...sandbox,
    newCase: async ({ isFunded } = { isFunded: true }) => {
      const one = await newCaseOf(sandbox, isFunded);
      cases.push(one);
      return one;
    },
    end: async () => {
      for (const one of cases) await one.end();
      await startBursar(home, ['sandbox', 'stop'], { env: SANDBOX_ENV }).ended;
      await rm(home, { recursive: true, force: true });
    },
  };
};
