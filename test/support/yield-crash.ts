import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ed25519PublicKey, signEd25519 } from '../../src/core/ed25519.ts';
import { digitsOf } from '../../src/core/json.ts';
import { asker } from './ask.ts';
import { type Ended, runBursar, type Settings, type Started, startBursar } from './bursar.ts';
import { newSolanaKey, SANDBOX_ENV } from './cheap-key.ts';
import { runInProcess } from './in-process.ts';
import { type TestJournal, testJournal } from './test-journal.ts';
import { startYieldFaults, type YieldFaults } from './yield-faults.ts';

const signed = (transaction: string, seed: Uint8Array): string => {
  const bytes = Buffer.from(transaction, 'base64');
  const message = bytes.subarray(1 + 64 * (bytes[0] ?? 0));
  bytes.set(signEd25519(message, seed), 1);
  return bytes.toString('base64');
};

/** A wallet with its own key and money of each token, and with the deposits that the test requested. */
export type Saver = {
  readonly name: string;
  readonly wallet: string;
  readonly publicKey: Uint8Array;
  readonly seed: Uint8Array;
};

/** One sandbox and one home for many wallets, with a proxy between them that can break calls. */
export type CrashYard = {
  readonly home: string;
  readonly journal: TestJournal;
  readonly faults: YieldFaults;
  readonly rpcUrl: string;
  /** Builds a deposit of a saver and signs it, without bursar. */
  readonly signedDeposit: (saver: Saver, amount: string) => Promise<string>;
  /** Adds a saver with deposits at provider_a. */
  readonly saver: (deposits?: readonly (readonly [asset: string, amount: string])[]) => Promise<Saver>;
  readonly bursar: (args: readonly string[], settings?: Settings) => Promise<Ended>;
  readonly json: (
    args: readonly string[],
    settings?: Settings,
  ) => Promise<{ readonly code: number | null; readonly data: Record<string, never> }>;
  /** The same in the process of the test, which is much faster. For a command that is not killed and runs alone. */
  readonly jsonInProcess: CrashYard['json'];
  readonly start: (args: readonly string[], env?: Settings['env']) => Started;
  /** The position of a saver with a provider, with three decimals. */
  readonly position: (saver: Saver, provider: string, asset?: string) => Promise<string>;
  readonly end: () => Promise<void>;
};

type Sandbox = { readonly url: string; readonly api_key: string; readonly control_key: string };

/** Starts a sandbox, and a home that calls it through a proxy. Call `end` after the tests. */
export const startCrashYard = async (): Promise<CrashYard> => {
  const home = await mkdtemp(join(tmpdir(), 'bursar-yield-crash-'));
  const journal = await testJournal(home);
  const ownEnv = { ...SANDBOX_ENV, ...journal.env };
  const bursar: CrashYard['bursar'] = (args, settings = {}) =>
    runBursar(home, args, { ...settings, env: { ...ownEnv, ...settings.env } });
  const json: CrashYard['json'] = async (args, settings) => {
    const { code, stdout } = await bursar([...args, '--json'], settings);
    return { code, data: JSON.parse(stdout) };
  };
  const jsonInProcess: CrashYard['json'] = async (args, { env } = {}) => {
    const { code, stdout } = await runInProcess(home, [...args, '--json'], { env: { ...ownEnv, ...env } });
    return { code, data: JSON.parse(stdout) };
  };
  const sandbox = (await json(['sandbox', 'start', '--ephemeral'])).data as unknown as Sandbox;
  const rpcUrl = String((await json(['sandbox', 'chain', 'solana'])).data['rpc_url']);
  const serverFile = join(home, 'sandbox', 'server.json');
  const original = await readFile(serverFile, 'utf8');
  const faults = await startYieldFaults(sandbox.url, rpcUrl);
  await writeFile(serverFile, original.replace(sandbox.url, faults.url));
  const ask = asker(sandbox);
  let count = 0;
  const signedDeposit = async ({ wallet, seed }: Saver, amount: string, asset = 'USDC'): Promise<string> => {
    const body = { provider: 'provider_a', chain_name: 'solana', asset, wallet, amount };
    const { transaction } = await ask('POST', '/yield/deposit', body);
    return signed(String(transaction), seed);
  };
  return {
    signedDeposit,
    home,
    journal,
    faults,
    rpcUrl: faults.rpcUrl,
    bursar,
    json,
    jsonInProcess,
    saver: async (deposits = []) => {
      count += 1;
      const name = `saver${count}`;
      const { address: wallet, seed } = await newSolanaKey(home, name);
      await ask('POST', '/_sandbox/fund', { address: wallet, chain: 'solana' });
      const saver = { name, wallet, seed, publicKey: ed25519PublicKey(seed) };
      for (const [asset, amount] of deposits) {
        const op_signed = await signedDeposit(saver, amount, asset);
        await ask('POST', '/yield/broadcast', { chain_name: 'solana', op_signed });
      }
      return saver;
    },
    start: (args, env = {}) => startBursar(home, args, { env: { ...ownEnv, ...env } }),
    position: async ({ wallet }, provider, asset = 'USDC') => {
      const query = new URLSearchParams({ wallet, asset, provider, chain_name: 'solana' });
      const { earnings } = (await ask('GET', `/yield/earnings?${query}`)) as unknown as {
        earnings: { position_on_protocol: unknown }[];
      };
      // The interest of a few minutes is smaller than three decimals show.
      return Number(digitsOf(earnings[0]?.position_on_protocol)).toFixed(3);
    },
    end: async () => {
      await writeFile(serverFile, original);
      await bursar(['sandbox', 'stop']);
      faults.end();
      await rm(home, { recursive: true, force: true });
    },
  };
};

const LEGS = {
  deposit: ['--provider', 'provider_a'],
  withdraw: ['--provider', 'provider_a'],
  rebalance: ['--provider-out', 'provider_a', '--provider-in', 'provider_b'],
} as const;

/** The command line of an operation of a saver that is broadcast without a question. */
export const moving = (
  operation: keyof typeof LEGS,
  { name }: Saver,
  amount = '4',
  asset = 'USDC',
): readonly string[] => [
  ...['yield', operation, '--chain-name', 'solana', '--asset', asset, '--amount', amount, '--key', name],
  ...LEGS[operation],
  ...['--broadcast', '--yes', '--json'],
];
