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
 * The holder of a claim, and its claim file. `process` is `undefined` if the file is unreadable. `isRunningHere`: it is
 * known to run; a process of another machine or container cannot be checked.
 */
export type ClaimHolder = {
  readonly process: ProcessName | undefined;
  readonly file: string;
  readonly isRunningHere: boolean;
};

/** The result of an attempt: the claim, or its present holder. */
export type ClaimResult = { readonly claim: Claim } | { readonly holder: ClaimHolder };

const parseName = (bytes: Uint8Array): ProcessName | undefined =>
  undefinedOn(() => parseJson(new TextDecoder().decode(bytes)) as ProcessName);

/** The place of a claim file, with advice if its holder cannot be checked. */
export const describeClaim = ({ process, file, isRunningHere }: ClaimHolder): string => {
  if (isRunningHere) return `Its claim file is ${file}.`;
  const owner = process ? `a process of ${process.host}` : 'an unknown process';
  return `Its claim file is ${file}, of ${owner}, which cannot be checked from here. If it has ended, remove the file.`;
};

const CLAIM = '.claim-';

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

/** Another holder that may still run. Removes the claims of ended processes. */
const findHolder = async (io: Io, path: string, own: string): Promise<ClaimHolder | undefined> => {
  const folder = dirname(path);
  const names = (await io.files.list(folder)).filter((name) => isClaimOn(path, name));
  const files = names.map((name) => join(folder, name));
  for (const file of files.filter((each) => each !== own && !isLeft(io, each))) {
    const bytes = await io.files.read(file);
    const process = bytes && parseName(bytes);
    const liveness = process ? await io.processes.liveness(process) : 'unknown';
    if (liveness === 'dead') await removeDead(io, file);
    else if (bytes) return { process, file, isRunningHere: liveness === 'alive' };
  }
  return undefined;
};

/**
 * Claims a path for this process, or returns the holder. Each claimant writes a file of its own, then looks for other
 * files. So of two simultaneous claimants at least one finds the other: never both succeed, and perhaps neither does.
 */
export const claim = async (io: Io, path: string): Promise<ClaimResult> => {
  const own = `${path}${CLAIM}${Buffer.from(io.random.bytes(8)).toString('hex')}`;
  const release = () => io.files.remove(own).catch(() => leave(io, own));
  try {
    await io.files.createPrivate(own, JSON.stringify(await io.processes.self()));
    const holder = await findHolder(io, path, own);
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
export const removeDeadClaims = async (io: Io, folder: string): Promise<void> => {
  const names = (await io.files.list(folder)).filter((name) => name.includes(CLAIM) && !name.endsWith('.tmp'));
  for (const file of names.map((name) => join(folder, name))) {
    const bytes = await io.files.read(file);
    const process = bytes && parseName(bytes);
    if (process && (await io.processes.liveness(process)) === 'dead') await removeDead(io, file);
  }
};

const PAUSE_MS = 25;

/**
 * Claims a path, and waits up to `patienceMs` for its holder. A waiting process only looks, at random intervals, and claims
 * once the path is free: many simultaneous claimants would block each other.
 */
export const claimWithin = async (io: Io, path: string, patienceMs: number): Promise<ClaimResult> => {
  const until = io.clock.monotonic() + patienceMs;
  for (;;) {
    let claiming = await claim(io, path);
    while ('holder' in claiming) {
      if (io.clock.monotonic() >= until) return claiming;
      await io.clock.sleep(PAUSE_MS * (0.5 + io.random.fraction()), io.interrupted);
      const holder = await findHolder(io, path, '');
      if (holder === undefined) break;
      claiming = { holder };
    }
    if ('claim' in claiming) return claiming;
  }
};
