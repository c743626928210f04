import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ask, asker } from './ask.ts';
import { type Ended, type Settings, type Started, startBursar } from './bursar.ts';
import { SANDBOX_ENV } from './cheap-key.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { runInProcess } from './in-process.ts';
import { newPayer, type Payer } from './payer.ts';
import { type TestJournal, testJournal } from './test-journal.ts';

/** A sandbox that many homes share, because a start takes longer than a payment. */
export type SharedSandbox = {
  readonly url: string;
  readonly api_key: string;
  /** Makes a home that uses the sandbox, with a key named `payer`, funded by default. */
  readonly newCase: <J extends TestJournal = TestJournal>(options?: CaseOptions<J>) => Promise<CaseWith<J>>;
  readonly end: () => Promise<void>;
};

/** By default the payer is funded, and the journal is that of the crash tests. */
type CaseOptions<J extends TestJournal> = {
  readonly isFunded?: boolean;
  readonly makeJournal?: ((home: string) => Promise<J>) | undefined;
};

/** A case with a journal of some kind. */
export type CaseWith<J extends TestJournal> = Omit<Case, 'journal'> & { readonly journal: J };

/** A home with a payer, its own tenant, and a proxy that can break its calls. */
export type Case = Omit<Payer, 'name' | 'address'> & {
  readonly home: string;
  readonly journal: TestJournal;
  readonly payer: string;
  readonly rpcUrl: string;
  readonly proxy: FaultProxy;
  readonly apiKey: string;
  /** Calls the service as the tenant of this home, or its control. Returns the data. */
  readonly ask: Ask;
  /** Adds another payer to the home. */
  readonly another: () => Promise<Payer>;
  readonly start: (args: readonly string[], settings?: Parameters<typeof startBursar>[2]) => Started;
  readonly bursar: (args: readonly string[], settings?: Settings) => Promise<Ended>;
  readonly json: (args: readonly string[], settings?: Settings) => Promise<{ code: number | null; data: unknown }>;
  /** The same in the process of the test, which is much faster. For a command that is not killed and runs alone. */
  readonly jsonInProcess: (args: readonly string[]) => Promise<{ code: number | null; data: unknown }>;
  /** What killed processes left in the journal. */
  readonly leftovers: () => Promise<readonly string[]>;
  /** The steps of the newest operation. */
  readonly steps: () => Promise<readonly string[]>;
  readonly end: () => Promise<void>;
};

type Sandbox = {
  readonly url: string;
  readonly api_key: string;
  readonly control_key: string;
  readonly pid: number;
  /** Its health, which the proxy returns itself: a slow machine must not look like a stopped sandbox. */
  readonly health: string;
};

const newestSteps = async (journal: TestJournal): Promise<readonly string[]> => {
  const lines = [...(await journal.lines()).values()].at(-1) ?? [];
  return lines.map((line) => JSON.parse(line).step);
};

const parseResult = (args: readonly string[], { code, stdout, stderr }: Ended) => {
  if (stdout === '') throw new Error(`${args.join(' ')} ended with ${code} and printed nothing: ${stderr}`);
  return { code, data: JSON.parse(stdout) };
};

/** Creates a tenant, and a proxy through which the home calls the sandbox. */
const connectHome = async (shared: Sandbox, home: string) => {
  const { api_key } = await asker(shared)('POST', '/_sandbox/tenant', {});
  const sandbox = { ...shared, api_key: String(api_key) };
  const proxy = await startFaultProxy(sandbox.url, { '/_sandbox/health': sandbox.health });
  await mkdir(join(home, 'sandbox'), { mode: 0o700 });
  const address = { ...sandbox, url: proxy.url };
  await writeFile(join(home, 'sandbox', 'server.json'), JSON.stringify(address), { mode: 0o600 });
  return { ask: asker(sandbox), proxy, apiKey: sandbox.api_key };
};

const newCaseOf = async <J extends TestJournal>(
  shared: Sandbox,
  { isFunded = true, makeJournal }: CaseOptions<J>,
): Promise<CaseWith<J>> => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-crash-'));
  const { ask, proxy, apiKey } = await connectHome(shared, home);
  const rpcUrl = `${shared.url}/_chain/polygon`;
  const journal = (await (makeJournal ?? testJournal)(home)) as J;
  const place = { home, ask, rpcUrl };
  const {
    name: _,
    address: payer,
    ...first
  } = await newPayer(place, { name: 'payer', file: 'payment.json', isFunded });
  let payers = 1;
  const start: Case['start'] = (args, settings = {}) =>
    startBursar(home, args, { ...settings, env: { ...SANDBOX_ENV, ...journal.env, ...settings.env } });
  return {
    ...first,
    ...place,
    journal,
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
    json: async (args, settings) => parseResult(args, await start([...args, '--json'], settings).ended),
    // Cases run at once and share the folder of the process, so their command lines have absolute paths.
    jsonInProcess: async (args) =>
      parseResult(
        args,
        await runInProcess(home, [...args, '--json'], { env: { ...SANDBOX_ENV, ...journal.env }, cwd: tmpdir() }),
      ),
    leftovers: journal.leftovers,
    steps: () => newestSteps(journal),
    end: async () => {
      proxy.close();
      await rm(home, { recursive: true, force: true });
    },
  };
};

/** Starts a sandbox for many cases. Call `end` after the tests. */
export const startSharedSandbox = async (): Promise<SharedSandbox> => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-crash-sandbox-'));
  const started = await startBursar(home, ['sandbox', 'start', '--ephemeral', '--json'], { env: SANDBOX_ENV }).ended;
  const address: Omit<Sandbox, 'health'> = JSON.parse(started.stdout);
  const headers = { 'x-control-key': address.control_key };
  const health = await (await fetch(`${address.url}/_sandbox/health`, { headers })).text();
  const sandbox: Sandbox = { ...address, health };
  // Tests that run at once share their hooks, so all cases are removed after all tests.
  const cases: Case[] = [];
  return {
    ...sandbox,
    newCase: async (options = {}) => {
      const added = await newCaseOf(sandbox, options);
      cases.push(added);
      return added;
    },
    end: async () => {
      for (const each of cases) await each.end();
      await startBursar(home, ['sandbox', 'stop'], { env: SANDBOX_ENV }).ended;
      await rm(home, { recursive: true, force: true });
    },
  };
};
