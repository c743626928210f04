import { join } from 'node:path';
import * as z from 'zod';
import { type EvmChain, SANDBOX_CONTRACTS } from '../../contract/chains.ts';
import { Failure, messageOf } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import { isSameText } from '../../core/text.ts';
import type { Files } from '../../io/files/files.ts';
import { applyChanges, DEPLOYER, type Made, madeSchema, mineOwn, setBaseFee } from './mine.ts';
import { ask, type Rpc, toHex } from './rpc.ts';

/** What is kept of a chain: its whole state at some moment, and each change made since then, in order. */
export type Kept = {
  /** A state as anvil dumps it, in hex; without one the changes begin at a new chain. */
  readonly state: string | undefined;
  readonly changes: readonly Made[];
  /** The last writer ended in the middle of a change, which was therefore never answered for. */
  readonly isTorn: boolean;
};

/** Where a chain is kept. */
export type Store = {
  /** Throws `sandbox_unavailable` naming the file when something is damaged; nothing is changed then. */
  readonly load: () => Promise<Kept>;
  readonly append: (changes: readonly Made[]) => Promise<void>;
  /** Replaces the state and forgets the changes, which it contains, in one step. */
  readonly replace: (state: string) => Promise<void>;
  /** Forgets the chain. */
  readonly clear: () => Promise<void>;
  /** For messages: the file that holds the state. */
  readonly place: string;
};

/** Keeps a chain in memory: it outlives its node, not the server. */
export const memoryStore = (): Store => {
  const empty: Kept = { state: undefined, changes: [], isTorn: false };
  let kept = empty;
  return {
    load: async () => kept,
    append: async (made) => {
      kept = { ...kept, changes: [...kept.changes, ...made] };
    },
    replace: async (state) => {
      kept = { ...empty, state };
    },
    clear: async () => {
      kept = empty;
    },
    place: 'in memory',
  };
};

const stateSchema = z.object({
  version: z.literal(1),
  /** The changes since this state are in the log of this number. */
  generation: z.int().min(1),
  state: z.string().regex(/^0x[0-9a-f]+$/),
});

/** A file of the chains is not what was written. */
export const damagedFile = (path: string, cause: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's file ${path} is damaged: ${messageOf(cause)}`, {
    hint: 'Nothing was changed in it. Keep a copy if you need it, then start with an empty sandbox.',
    next: nextStep('sandbox.reset'),
    cause,
  });

const parsed = <T>(path: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw damagedFile(path, error instanceof z.ZodError ? z.prettifyError(error) : error);
  }
};

const readText = async (files: Files, path: string): Promise<string | undefined> => {
  const bytes = await files.read(path);
  return bytes && new TextDecoder().decode(bytes);
};

const readState = async (files: Files, path: string): Promise<{ generation: number; state: string | undefined }> => {
  const text = await readText(files, path);
  return text === undefined
    ? { generation: 0, state: undefined }
    : parsed(path, () => stateSchema.parse(JSON.parse(text)));
};

/** Every line ends with a newline: what follows the last one was cut off while it was written. */
const readLog = async (files: Files, path: string): Promise<Pick<Kept, 'changes' | 'isTorn'>> => {
  const lines = ((await readText(files, path)) ?? '').split('\n');
  const isTorn = lines.pop() !== '';
  const changes = lines.map((line, index) =>
    parsed(`${path}, line ${index + 1}`, () => madeSchema.parse(JSON.parse(line))),
  );
  return { changes, isTorn };
};

/** Numbers of the logs of a chain that are there, and names of what a killed writer left behind. */
const sortFiles = async (files: Files, folder: string, chain: string) => {
  const own = (await files.list(folder)).filter((name) => name.startsWith(`${chain}.`));
  const logs = own.map((name) => /^[^.]+\.(\d+)\.log$/.exec(name)?.[1]).filter((number) => number !== undefined);
  return { own, logs: logs.map(Number), leftovers: own.filter((name) => name.endsWith('.tmp')) };
};

/**
 * Keeps a chain in a folder: `<chain>.json` is a state with its generation, `<chain>.<generation>.log` has one
 * line for each change since. A new state begins a new log, so that one rename puts both in place at once.
 */
export const fileStore = (files: Files, folder: string, chain: string): Store => {
  const statePath = join(folder, `${chain}.json`);
  const logPath = (number: number) => join(folder, `${chain}.${number}.log`);
  let generation = 0;

  const load = async (): Promise<Kept> => {
    const kept = await readState(files, statePath);
    const { logs, leftovers } = await sortFiles(files, folder, chain);
    const newer = logs.find((number) => number > kept.generation);
    if (newer !== undefined) throw damagedFile(statePath, `${logPath(newer)} belongs to a later state`);
    const log = await readLog(files, logPath(kept.generation));
    generation = kept.generation;
    for (const number of logs) if (number < generation) await files.remove(logPath(number));
    for (const name of leftovers) await files.remove(join(folder, name));
    return { state: kept.state, ...log };
  };

  const append = (made: readonly Made[]): Promise<void> =>
    files.appendDurably(logPath(generation), made.map((each) => `${JSON.stringify(each)}\n`).join(''));

  const replace = async (state: string): Promise<void> => {
    const next = { version: 1, generation: generation + 1, state };
    await files.replacePrivate(statePath, JSON.stringify(next));
    await files.remove(logPath(generation));
    generation += 1;
  };

  const clear = async (): Promise<void> => {
    const { own } = await sortFiles(files, folder, chain);
    for (const name of own) await files.remove(join(folder, name));
    generation = 0;
  };

  return { load, append, replace, clear, place: statePath };
};

/** Enough for the gas of every mint to come. */
const DEPLOYER_WEI = 10n ** 27n;

/** The whole state of a chain, past transactions and receipts included, in hex. */
export const dumpState = async (rpc: Rpc): Promise<string> => String(await ask(rpc, 'anvil_dumpState'));

/** Changes that shared a block, by block. */
const blocksOf = (changes: readonly Made[]): readonly (readonly Made[])[] => {
  const blocks: Made[][] = [];
  for (const made of changes) {
    if (made.joined && blocks.length > 0) blocks.at(-1)?.push(made);
    else blocks.push([made]);
  }
  return blocks;
};

/** A change has the same outcome as when it was first made, or the file is not what was written. */
const repeat = async (rpc: Rpc, block: readonly Made[], place: string): Promise<void> => {
  const changes = block.map(({ change }) => change);
  const { applied } = await applyChanges(rpc, changes);
  for (const [at, { hash }] of block.entries()) {
    const now = applied[at];
    if (!now?.ok) throw damagedFile(place, `a change of its log is refused now: ${now?.message}`);
    if (now.mined?.hash === hash) continue;
    throw damagedFile(place, `a change of its log is now ${now.mined?.hash}, and was ${hash}`);
  }
};

/** Brings a node that has just started with the kept state to where its chain was, or makes a new chain. */
export const restore = async (rpc: Rpc, chain: EvmChain, kept: Kept, store: Store): Promise<void> => {
  await ask(rpc, 'anvil_setLoggingEnabled', [false]);
  await ask(rpc, 'anvil_impersonateAccount', [DEPLOYER]);
  if (kept.state === undefined) await ask(rpc, 'anvil_setBalance', [DEPLOYER, toHex(DEPLOYER_WEI)]);
  await setBaseFee(rpc);
  if (kept.state === undefined) await deployContracts(rpc, chain);
  for (const block of blocksOf(kept.changes)) await repeat(rpc, block, store.place);
  // A new state, and with it a new log: the next change is not written behind half a line.
  if (kept.changes.length > 0 || kept.isTorn) await store.replace(await dumpState(rpc));
};

type Created = { readonly status: string; readonly contractAddress: string };

const deploy = async (rpc: Rpc, data: string, expected: string): Promise<void> => {
  const mined = await mineOwn(rpc, { data });
  if (!mined.ok) throw new Failure('internal', `a contract of the sandbox was refused: ${mined.message}`);
  const created = (await ask(rpc, 'eth_getTransactionReceipt', [mined.hash])) as Created;
  if (created.status === '0x1' && isSameText(created.contractAddress, expected)) return;
  throw new Failure('internal', `a contract of the sandbox could not be deployed at ${expected}`);
};

/** Deploys the splitter and the tokens to a new chain, in the order that gives them their addresses. */
const deployContracts = async (rpc: Rpc, { tokens }: EvmChain): Promise<void> => {
  const { encodeSplitterDeployment, encodeTokenDeployment } = await import('./contracts/encode.ts');
  await deploy(rpc, encodeSplitterDeployment(), SANDBOX_CONTRACTS.splitter);
  await deploy(rpc, encodeTokenDeployment('Tether USD', 'USDT', tokens.USDT.decimals), SANDBOX_CONTRACTS.USDT);
  await deploy(rpc, encodeTokenDeployment('USD Coin', 'USDC', tokens.USDC.decimals), SANDBOX_CONTRACTS.USDC);
};
