import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encryptKeystoreJsonSync, Wallet } from 'ethers';
import { SANDBOX_CONTRACTS } from '../../src/contract/chains.ts';
import { type Ask, asker } from './ask.ts';
import { type Ended, type Settings, type Started, startBursar } from './bursar.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { bodyFor, newReceiver, prepare, register } from './prepared-payment.ts';

/** A sandbox that many homes share: starting one costs more than a payment does. */
export type SharedSandbox = {
  readonly url: string;
  readonly api_key: string;
  /** A home of its own before it, with a funded key named `payer` and receivers that nobody else pays. */
  readonly newCase: (wanted?: { readonly isFunded: boolean }) => Promise<Case>;
  readonly end: () => Promise<void>;
};

/** A payment of 10 USDT that may be made, and how often it was. */
export type Case = {
  readonly home: string;
  readonly payer: string;
  readonly rpcUrl: string;
  readonly proxy: FaultProxy;
  /** Asks the service, as a tenant of its own, or its control; gives the data of the answer. */
  readonly ask: Ask;
  readonly start: (args: readonly string[], settings?: Parameters<typeof startBursar>[2]) => Started;
  readonly bursar: (args: readonly string[], settings?: Settings) => Promise<Ended>;
  readonly json: (args: readonly string[], settings?: Settings) => Promise<{ code: number | null; data: unknown }>;
  /** How many times the receivers have got their parts, read from the chain. */
  readonly timesPaid: () => Promise<number>;
  /** Registers a payment, without bursar, and creates its transaction too. */
  readonly register: () => Promise<string>;
  readonly prepare: () => Promise<{ readonly id: string; readonly signed: string }>;
  /** What is in the journal's folder, but for whole movements and the index. */
  readonly leftovers: () => Promise<readonly string[]>;
  /** The steps of the newest movement. */
  readonly steps: () => Promise<readonly string[]>;
  readonly end: () => Promise<void>;
};

const ENV = { BURSAR_PROFILE: 'sandbox', BURSAR_KEY_PASSWORD: 'pw' };

/** A key whose password is quickly tried: the cost of a good one would be most of the time of these tests. */
const writeKey = async (home: string, wallet: { address: string; privateKey: string }): Promise<void> => {
  const text = encryptKeystoreJsonSync(wallet, 'pw', { scrypt: { N: 1024 } });
  const { Crypto: crypto, ...rest } = JSON.parse(text);
  const file = { version: 3, id: rest.id, address: wallet.address.slice(2).toLowerCase(), crypto };
  await mkdir(join(home, 'keys'), { mode: 0o700 });
  await writeFile(join(home, 'keys', 'payer.json'), JSON.stringify(file), { mode: 0o600 });
};

type Sandbox = {
  readonly url: string;
  readonly api_key: string;
  readonly control_key: string;
  readonly pid: number;
  /** What it says of itself: a busy machine must not look like a sandbox that is gone. */
  readonly health: string;
};

/** Smallest units of USDT that an address has, by the chain. */
const unitsOf = async (rpcUrl: string, address: string): Promise<bigint> => {
  const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
  const params = [{ to: SANDBOX_CONTRACTS.USDT, data }, 'latest'];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params });
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return BigInt(((await answer.json()) as { result: string }).result);
};

const SHARES = [7_000_000n, 3_000_000n] as const;

const timesPaid = async (rpcUrl: string, receivers: readonly string[]): Promise<number> => {
  const units = await Promise.all(receivers.map((receiver) => unitsOf(rpcUrl, receiver)));
  const times = units.map((all, at) => Number(all) / Number(SHARES[at]));
  if (times[0] !== times[1]) throw new Error(`the receivers got different parts: ${units.join(', ')}`);
  return times[0] ?? Number.NaN;
};

const journalNames = (home: string) => readdir(join(home, 'state', 'journal')).catch((): string[] => []);

const fund = async (ask: Ask, address: string): Promise<void> => {
  const polygon = { address, chain: 'polygon' };
  await ask('POST', '/_sandbox/fund', { ...polygon, token: 'USDT', amount: '1000' });
  await ask('POST', '/_sandbox/fund', { ...polygon, amount: '10' });
};

const newCaseOf = async (shared: Sandbox, isFunded: boolean): Promise<Case> => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-crash-'));
  const { api_key } = await asker(shared)('POST', '/_sandbox/tenant', {});
  const sandbox = { ...shared, api_key: String(api_key) };
  const ask = asker(sandbox);
  const wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`);
  if (isFunded) await fund(ask, wallet.address);
  await writeKey(home, wallet);
  const proxy = await startFaultProxy(sandbox.url, { '/_sandbox/health': sandbox.health });
  await mkdir(join(home, 'sandbox'), { mode: 0o700 });
  const address = { ...sandbox, url: proxy.url };
  await writeFile(join(home, 'sandbox', 'server.json'), JSON.stringify(address), { mode: 0o600 });
  const receivers = [newReceiver(), newReceiver()];
  const body = bodyFor(receivers);
  await writeFile(join(home, 'payment.json'), JSON.stringify(body));
  const rpcUrl = `${sandbox.url}/_chain/polygon`;
  const start: Case['start'] = (args, settings = {}) =>
    startBursar(home, args, { ...settings, env: { ...ENV, ...settings.env } });
  return {
    home,
    payer: wallet.address,
    rpcUrl,
    proxy,
    ask,
    start,
    bursar: (args, settings) => start(args, settings).ended,
    json: async (args, settings) => {
      const { code, stdout, stderr } = await start([...args, '--json'], settings).ended;
      if (stdout === '') throw new Error(`${args.join(' ')} ended with ${code} and no answer: ${stderr}`);
      return { code, data: JSON.parse(stdout) };
    },
    timesPaid: () => timesPaid(rpcUrl, receivers),
    register: () => register(ask, body),
    prepare: () => prepare(ask, body, wallet),
    leftovers: async () => (await journalNames(home)).filter((name) => name !== 'index' && !name.endsWith('.ndjson')),
    steps: async () => {
      const last =
        (await journalNames(home))
          .filter((name) => name.endsWith('.ndjson'))
          .toSorted()
          .at(-1) ?? '';
      const text = await readFile(join(home, 'state', 'journal', last), 'utf8');
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).step);
    },
    end: async () => {
      proxy.close();
      await rm(home, { recursive: true, force: true });
    },
  };
};

/** Starts a sandbox for many cases. End it after the tests. */
export const startSharedSandbox = async (): Promise<SharedSandbox> => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-crash-sandbox-'));
  const started = await startBursar(home, ['sandbox', 'start', '--ephemeral', '--json'], { env: ENV }).ended;
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
      await startBursar(home, ['sandbox', 'stop'], { env: ENV }).ended;
      await rm(home, { recursive: true, force: true });
    },
  };
};
