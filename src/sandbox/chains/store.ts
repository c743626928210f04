import { join } from 'node:path';
import * as z from 'zod';
import { Failure, messageOf } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';
import type { Files } from '../../io/files/files.ts';
import { type History, openHistory } from './history.ts';
import { type AppliedChange, appliedChangeSchema } from './mine.ts';

/** The stored data of a chain: a state, the changes since that state in their order, and the past blocks. */
export type StoredChain = {
  /** A dump of anvil, in hex; if `undefined`, the changes start at a new chain. */
  readonly state: string | undefined;
  readonly history: History;
  readonly changes: readonly AppliedChange[];
  /** The last line of the log is incomplete: its writer was killed. No caller got an answer for that change. */
  readonly isTorn: boolean;
};

/** The storage of a chain. */
export type Store = {
  /** Throws `sandbox_unavailable` with the file's name if a file is damaged. Damaged files are not changed. */
  readonly load: () => Promise<StoredChain>;
  /** Whether the chain never started. Such a chain has no files. */
  readonly isEmpty: () => Promise<boolean>;
  readonly append: (changes: readonly AppliedChange[]) => Promise<void>;
  /** Stores a new state and removes the changes, which it contains, in one step. The history must have its blocks. */
  readonly replace: (state: string) => Promise<void>;
  /** Removes the chain. */
  readonly clear: () => Promise<void>;
  /** Closes the history; `load` opens it again. */
  readonly close: () => void;
  /** The paths of the state and of the history, for messages. */
  readonly place: string;
  readonly historyPlace: string;
};

/** Stores a chain in memory: the chain survives the end of its node, but not of the server. */
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
    isEmpty: async () => state === undefined,
    append: async (added) => {
      changes.push(...added);
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

/** Fields of all versions. The log with the same generation has the changes since the state. */
const common = { generation: z.int().min(1), state: z.string().regex(/^0x[0-9a-f]+$/) };

/** Version 1 has all past blocks in the state. In version 2 the history has them, up to block `history`. */
const stateSchema = z.discriminatedUnion('version', [
  z.object({ version: z.literal(1), ...common }),
  z.object({ version: z.literal(2), ...common, history: z.int().min(0) }),
]);

/** The failure for a damaged file of a chain. */
export const damagedFile = (path: string, cause: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's file ${path} is damaged: ${messageOf(cause)}`, {
    hint: 'Nothing was changed in it. Keep a copy if you need it, then start with an empty sandbox.',
    next: nextStep('sandbox.reset'),
    cause,
  });

const parseFile = <T>(path: string, read: () => T): T => {
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
  const read = parseFile(path, () => stateSchema.parse(JSON.parse(text)));
  return { generation: read.generation, state: read.state, history: read.version === 1 ? -1 : read.history };
};

/** Every complete line ends with a newline. Text after the last newline is from a writer that was killed. */
const readLog = async (files: Files, path: string): Promise<Pick<StoredChain, 'changes' | 'isTorn'>> => {
  const lines = ((await readText(files, path)) ?? '').split('\n');
  const isTorn = lines.pop() !== '';
  const changes = lines.map((line, index) =>
    parseFile(`${path}, line ${index + 1}`, () => appliedChangeSchema.parse(JSON.parse(line))),
  );
  return { changes, isTorn };
};

/** Lists all files of a chain, the generations of its logs, and the temporary files of killed writers. */
const listFiles = async (files: Files, folder: string, chain: string) => {
  const own = (await files.list(folder)).filter((name) => name.startsWith(`${chain}.`));
  const logs = own.map((name) => /^[^.]+\.(\d+)\.log$/.exec(name)?.[1]).filter((number) => number !== undefined);
  return { own, logs: logs.map(Number), leftovers: own.filter((name) => name.endsWith('.tmp')) };
};

/**
 * Stores a chain in a folder. `<chain>.json` has a state and its generation. `<chain>.<generation>.log` has one line for
 * each change since that state. `<chain>.history.db` has the past blocks. A new state starts a new log, so one rename of the
 * state's file switches both.
 */
export const fileStore = (files: Files, folder: string, chain: string): Store => {
  const statePath = join(folder, `${chain}.json`);
  const logPath = (number: number) => join(folder, `${chain}.${number}.log`);
  const historyPath = join(folder, `${chain}.history.db`);
  let generation = 0;
  let history: History | undefined;

  const loadHistory = async (newest: number): Promise<History> => {
    await files.createPrivate(historyPath, '');
    history ??= parseFile(historyPath, () => openHistory(historyPath));
    // Without a state that names them, the blocks belong to a first start that was killed.
    if (newest < 0) history.clear();
    if (history.newest() >= newest) return history;
    throw damagedFile(historyPath, `block ${history.newest() + 1} is missing`);
  };
  const load = async (): Promise<StoredChain> => {
    const stored = await readState(files, statePath);
    const { logs, leftovers } = await listFiles(files, folder, chain);
    const newer = logs.find((number) => number > stored.generation);
    if (newer !== undefined) throw damagedFile(statePath, `${logPath(newer)} belongs to a later state`);
    const log = await readLog(files, logPath(stored.generation));
    generation = stored.generation;
    for (const number of logs) if (number < generation) await files.remove(logPath(number));
    for (const name of leftovers) await files.remove(join(folder, name));
    return { state: stored.state, history: await loadHistory(stored.history), ...log };
  };

  const append = (changes: readonly AppliedChange[]): Promise<void> =>
    files.appendDurably(logPath(generation), changes.map((each) => `${JSON.stringify(each)}\n`).join(''));

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

  /** Windows cannot remove a database while this process has prepared statements for it. Then only its rows are removed. */
  const removeHistory = async (): Promise<boolean> => {
    try {
      await files.remove(historyPath);
      return true;
    } catch {
      const remaining = openHistory(historyPath);
      remaining.clear();
      remaining.close();
      return false;
    }
  };

  const clear = async (): Promise<void> => {
    close();
    const isRemoved = await removeHistory();
    const { own } = await listFiles(files, folder, chain);
    const isLeft = (name: string) => !isRemoved && join(folder, name).startsWith(historyPath);
    for (const name of own) if (!isLeft(name)) await files.remove(join(folder, name));
    generation = 0;
  };

  const isEmpty = async (): Promise<boolean> => (await files.facts(statePath)) === undefined;

  return { load, isEmpty, append, replace, clear, close, place: statePath, historyPlace: historyPath };
};
