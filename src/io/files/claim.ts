import { basename, dirname, join } from 'node:path';
import { undefinedOn } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import type { Io } from '../io.ts';
import type { ProcessName } from '../processes.ts';

/** A path that one process holds until it releases the path or ends. */
export type Claim = {
  /** False after another program has removed the claim file. */
  readonly isHeld: () => Promise<boolean>;
  /** Never throws: a file that cannot be removed stops no claim of this process, and no other when this process has ended. */
  readonly release: () => Promise<void>;
};

/**
 * The holder of a claim. `process` is `undefined` if it cannot be read. `isRunningHere`: it is known to run; a process of
 * another machine or container cannot be checked. `advice`: where the claim is and how it ends, as whole sentences.
 */
export type ClaimHolder = {
  readonly process: ProcessName | undefined;
  readonly isRunningHere: boolean;
  readonly advice: string;
};

/** The result of an attempt: the claim, or its present holder. */
export type ClaimResult = { readonly claim: Claim } | { readonly holder: ClaimHolder };

const parseName = (bytes: Uint8Array): ProcessName | undefined =>
  undefinedOn(() => parseJson(new TextDecoder().decode(bytes)) as ProcessName);

/** The place of a claim file, with advice if its holder cannot be checked. */
const adviceFor = (file: string, process: ProcessName | undefined, isRunningHere: boolean): string => {
  if (isRunningHere) return `Its claim file is ${file}.`;
  const owner = process ? `a process of ${process.host}` : 'an unknown process';
  return `Its claim file is ${file}, of ${owner}, which cannot be checked from here. If it has ended, remove the file.`;
};

const CLAIM = '.claim-';

/** The name of the path of a claim file; `undefined` for another file. */
export const claimedName = (name: string): string | undefined => {
  const at = name.endsWith('.tmp') ? -1 : name.indexOf(CLAIM);
  return at < 0 ? undefined : name.slice(0, at);
};

/** Whether a name in the folder of a path is that of a claim on the path. */
export const isClaimOn = (path: string, name: string): boolean =>
  name.startsWith(`${basename(path)}${CLAIM}`) && !name.endsWith('.tmp');

/** Claim files that this process has released and could not remove, for each `Files` of it. */
const left = new WeakMap<Io['files'], Set<string>>();

const leave = ({ files }: Io, file: string): void => void left.set(files, (left.get(files) ?? new Set()).add(file));

const isLeft = ({ files }: Io, file: string): boolean => left.get(files)?.has(file) === true;

/**
 * Removes the claim of an ended process. What that process wrote last to the claimed path may not be on the disk yet, and
 * the next process relies on it.
 */
const removeDead = async ({ files }: Io, file: string): Promise<void> => {
  await files.sync(file.slice(0, file.lastIndexOf(CLAIM)));
  await files.remove(file);
};

/**
 * How the claimants of a path find each other. By default each lists the folder. Another board must return each claim
 * file whose `announce` has resolved, unless the file was removed.
 */
export type ClaimBoard = {
  readonly filesOn: (path: string) => Promise<readonly string[]>;
  /** After the claim file was written, and before anything relies on it. */
  readonly announce: (file: string) => Promise<void>;
  /** Before its process removes a claim file. */
  readonly withdraw: (file: string) => Promise<void>;
  /** A claim file is gone: another process removed it, or this one because its process has ended. */
  readonly noteGone: (file: string) => void;
};

const nothing = async (): Promise<void> => undefined;

const folderBoard = ({ files }: Io): ClaimBoard => ({
  filesOn: async (path) => {
    const folder = dirname(path);
    return (await files.list(folder)).filter((name) => isClaimOn(path, name)).map((name) => join(folder, name));
  },
  announce: nothing,
  withdraw: nothing,
  noteGone: () => undefined,
});

/** Another holder that may still run. Removes the claims of ended processes. */
const findHolder = async (io: Io, board: ClaimBoard, path: string, own: string): Promise<ClaimHolder | undefined> => {
  const files = await board.filesOn(path);
  for (const file of files.filter((each) => each !== own && !isLeft(io, each))) {
    const bytes = await io.files.read(file);
    const process = bytes && parseName(bytes);
    const liveness = process ? await io.processes.liveness(process) : 'unknown';
    if (liveness === 'dead') await removeDead(io, file);
    else if (bytes) {
      const isRunningHere = liveness === 'alive';
      return { process, isRunningHere, advice: adviceFor(file, process, isRunningHere) };
    }
    board.noteGone(file);
  }
  return undefined;
};

/**
 * Claims a path for this process, or returns the holder. Each claimant writes a file of its own, then looks for other
 * files. So of two simultaneous claimants at least one finds the other: never both succeed, and perhaps neither does.
 */
export const claim = async (io: Io, path: string, board = folderBoard(io)): Promise<ClaimResult> => {
  const own = `${path}${CLAIM}${Buffer.from(io.random.bytes(8)).toString('hex')}`;
  const release = async () => {
    await board.withdraw(own).catch(nothing);
    await io.files.remove(own).catch(() => leave(io, own));
  };
  try {
    await io.files.createPrivate(own, JSON.stringify(await io.processes.self()));
    await board.announce(own);
    const holder = await findHolder(io, board, path, own);
    if (holder === undefined) {
      return { claim: { isHeld: async () => (await io.files.facts(own)) !== undefined, release } };
    }
    await release();
    return { holder };
  } catch (error) {
    await release();
    throw error;
  }
};

/** Removes the claims of ended processes in a folder: no later claimant may look at those paths. */
export const removeDeadClaims = async (io: Io, folder: string, board = folderBoard(io)): Promise<void> => {
  const names = (await io.files.list(folder)).filter((name) => claimedName(name) !== undefined);
  for (const file of names.map((name) => join(folder, name))) {
    const bytes = await io.files.read(file);
    const process = bytes && parseName(bytes);
    if (!process || (await io.processes.liveness(process)) !== 'dead') continue;
    await removeDead(io, file);
    board.noteGone(file);
  }
};

const PAUSE_MS = 25;

/**
 * Claims a path, and waits up to `patienceMs` for its holder. A waiting process only looks, at random intervals, and claims
 * once the path is free: many simultaneous claimants would block each other.
 */
export const claimWithin = async (
  io: Io,
  path: string,
  patienceMs: number,
  board = folderBoard(io),
): Promise<ClaimResult> => {
  const until = io.clock.monotonic() + patienceMs;
  for (;;) {
    let claiming = await claim(io, path, board);
    while ('holder' in claiming) {
      if (io.clock.monotonic() >= until) return claiming;
      await io.clock.sleep(PAUSE_MS * (0.5 + io.random.fraction()), io.interrupted);
      const holder = await findHolder(io, board, path, '');
      if (holder === undefined) break;
      claiming = { holder };
    }
    if ('claim' in claiming) return claiming;
  }
};
