import { join } from 'node:path';
import * as z from 'zod';
import { Failure, messageOf } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Files } from '../../io/files/files.ts';
import { type Made, madeSchema } from './changes.ts';

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
  let state: string | undefined;
  let changes: readonly Made[] = [];
  return {
    load: async () => ({ state, changes, isTorn: false }),
    append: async (made) => {
      changes = [...changes, ...made];
    },
    replace: async (dumped) => {
      state = dumped;
      changes = [];
    },
    clear: async () => {
      state = undefined;
      changes = [];
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
