import { join } from 'node:path';
import * as z from 'zod';
import { Failure, messageOf } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Files } from '../../io/files/files.ts';
import { type History, openHistory } from './history.ts';
import { type AppliedChange, madeSchema } from './mine.ts';

/** What is kept of a chain: its state at some moment, each change made since then, in order, and its past blocks. */
export type Kept = {
  /** A state as anvil dumps it, in hex; without one the changes begin at a new chain. */
  readonly state: string | undefined;
  readonly history: History;
  readonly changes: readonly AppliedChange[];
  /** The last writer ended in the middle of a change, which was therefore never answered for. */
  readonly isTorn: boolean;
};

/** Where a chain is kept. */
export type Store = {
  /** Throws `sandbox_unavailable` naming the file when something is damaged; nothing is changed then. */
  readonly load: () => Promise<Kept>;
  readonly append: (changes: readonly AppliedChange[]) => Promise<void>;
  /** Replaces the state and forgets the changes, which it contains, in one step. The history must have its blocks. */
  readonly replace: (state: string) => Promise<void>;
  /** Forgets the chain. */
  readonly clear: () => Promise<void>;
  /** Closes the history; `load` opens it again. */
  readonly close: () => void;
  /** For messages: the files that hold the state and the history. */
  readonly place: string;
  readonly historyPlace: string;
};

/** Keeps a chain in memory: it outlives its node, not the server. */
export const memoryStore = (): Store => {
  let history: History | undefined;
  let state: string | undefined;
  let changes: AppliedChange[] = [];
  const close = () => {
    history?.close();
    [history, state, changes] = [undefined, undefined, []];
  };
  return {
    load: async () => {
      history ??= openHistory(undefined);
      if (state === undefined) history.clear();
      return { state, history, changes: [...changes], isTorn: false };
    },
    append: async (made) => {
      changes.push(...made);
    },
    replace: async (next) => {
      [state, changes] = [next, []];
    },
    clear: async () => close(),
    close,
    place: 'in memory',
    historyPlace: 'in memory',
  };
};

/** The changes since a state are in the log of its generation. */
const common = { generation: z.int().min(1), state: z.string().regex(/^0x[0-9a-f]+$/) };

/** Version 1 has all past blocks in the state. Since version 2 they are in the history, up to block `history`. */
const stateSchema = z.discriminatedUnion('version', [
  z.object({ version: z.literal(1), ...common }),
  z.object({ version: z.literal(2), ...common, history: z.int().min(0) }),
]);

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

const readState = async (files: Files, path: string) => {
  const text = await readText(files, path);
  if (text === undefined) return { generation: 0, state: undefined, history: -1 };
  const read = parsed(path, () => stateSchema.parse(JSON.parse(text)));
  return { generation: read.generation, state: read.state, history: read.version === 1 ? -1 : read.history };
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
 * line for each change since, `<chain>.history.db` has the past blocks. A new state begins a new log, so that one rename
 * puts both in place at once.
 */
export const fileStore = (files: Files, folder: string, chain: string): Store => {
  const statePath = join(folder, `${chain}.json`);
  const logPath = (number: number) => join(folder, `${chain}.${number}.log`);
  const historyPath = join(folder, `${chain}.history.db`);
  let generation = 0;
  let history: History | undefined;

  const loadHistory = async (newest: number): Promise<History> => {
    await files.createPrivate(historyPath, '');
    history ??= parsed(historyPath, () => openHistory(historyPath));
    // Without such a state nothing refers to its blocks: the start that stored them did not come to its end.
    if (newest < 0) history.clear();
    if (history.newest() >= newest) return history;
    throw damagedFile(historyPath, `block ${history.newest() + 1} is missing`);
  };
  const load = async (): Promise<Kept> => {
    const kept = await readState(files, statePath);
    const { logs, leftovers } = await sortFiles(files, folder, chain);
    const newer = logs.find((number) => number > kept.generation);
    if (newer !== undefined) throw damagedFile(statePath, `${logPath(newer)} belongs to a later state`);
    const log = await readLog(files, logPath(kept.generation));
    generation = kept.generation;
    for (const number of logs) if (number < generation) await files.remove(logPath(number));
    for (const name of leftovers) await files.remove(join(folder, name));
    return { state: kept.state, history: await loadHistory(kept.history), ...log };
  };

  const append = (made: readonly AppliedChange[]): Promise<void> =>
    files.appendDurably(logPath(generation), made.map((each) => `${JSON.stringify(each)}\n`).join(''));

  const replace = async (state: string): Promise<void> => {
    const next = { version: 2, generation: generation + 1, history: history?.newest() ?? -1, state };
    await files.replacePrivate(statePath, JSON.stringify(next));
    await files.remove(logPath(generation));
    generation += 1;
  };

  const close = (): void => {
    history?.close();
    history = undefined;
  };

  /** Windows cannot remove a database while this process still has statements of it. */
  const removeHistory = async (): Promise<boolean> => {
    try {
      await files.remove(historyPath);
      return true;
    } catch {
      const left = openHistory(historyPath);
      left.clear();
      left.close();
      return false;
    }
  };

  const clear = async (): Promise<void> => {
    close();
    const isRemoved = await removeHistory();
    const { own } = await sortFiles(files, folder, chain);
    const isLeft = (name: string) => !isRemoved && join(folder, name).startsWith(historyPath);
    for (const name of own) if (!isLeft(name)) await files.remove(join(folder, name));
    generation = 0;
  };

  return { load, append, replace, clear, close, place: statePath, historyPlace: historyPath };
};
