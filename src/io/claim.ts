import { basename, dirname, join } from 'node:path';
import { parseJson } from '../core/json.ts';
import type { Io } from './io.ts';
import type { ProcessName } from './process-name.ts';

/** What a process has to itself until it lets go, or dies. */
export type Claim = {
  /** Whether it is still so: somebody may have removed the file that says it. */
  readonly isOurs: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

/**
 * Who has it: a process, or somebody whose claim cannot be read; and the file that says so. `isSeen`: it is a process
 * that runs here. Of another machine or container nobody can tell from here.
 */
export type Holder = { readonly process: ProcessName | undefined; readonly file: string; readonly isSeen: boolean };

/** How an attempt to claim ended: with the claim, or with whoever has it. */
export type Claiming = { readonly claim: Claim } | { readonly holder: Holder };

const nameIn = (bytes: Uint8Array): ProcessName | undefined => {
  try {
    return parseJson(new TextDecoder().decode(bytes)) as ProcessName;
  } catch {
    return undefined;
  }
};

/** Where a claim lies, and what to do about one of which nobody can tell whether its holder lives. */
export const claimWords = ({ process, file, isSeen }: Holder): string => {
  if (isSeen) return `Its claim is ${file}.`;
  const whose = process ? `a process of ${process.host}` : 'somebody unknown';
  return `Its claim is ${file}, of ${whose}, which cannot be seen from here. Where that is gone for good, remove the file.`;
};

const CLAIM = '.claim-';

const isClaimOn = (path: string, name: string): boolean =>
  name.startsWith(`${basename(path)}${CLAIM}`) && !name.endsWith('.tmp');

/** Who else claims it and may still live. A claim of the dead is removed: nobody comes back to it. */
const otherThan = async (io: Io, path: string, own: string): Promise<Holder | undefined> => {
  const folder = dirname(path);
  const names = (await io.files.list(folder)).filter((name) => isClaimOn(path, name));
  for (const file of names.map((name) => join(folder, name)).filter((file) => file !== own)) {
    const bytes = await io.files.read(file);
    const process = bytes && nameIn(bytes);
    const liveness = process ? await io.processes.liveness(process) : 'unknown';
    if (liveness === 'dead') await io.files.remove(file);
    else if (bytes) return { process, file, isSeen: liveness === 'alive' };
  }
  return undefined;
};

/**
 * Claims a path for this process, or tells who has it. Each claimant writes a file of its own and then looks for those
 * of others: of two that come at once at least one sees the other, so that never both have it; it may be that neither
 * has. There is nothing to take over, so a claim of the dead is no contest.
 */
export const claim = async (io: Io, path: string): Promise<Claiming> => {
  const own = `${path}${CLAIM}${Buffer.from(io.random.bytes(8)).toString('hex')}`;
  await io.files.createPrivate(own, JSON.stringify(await io.processes.self()));
  const release = () => io.files.remove(own);
  try {
    const holder = await otherThan(io, path, own);
    if (holder === undefined) {
      return { claim: { isOurs: async () => (await io.files.facts(own)) !== undefined, release } };
    }
    await release();
    return { holder };
  } catch (error) {
    await release();
    throw error;
  }
};

/** Removes the claims in a folder that the dead left behind, for which nobody may ever come again. */
export const removeDeadClaims = async (io: Io, folder: string): Promise<void> => {
  const names = (await io.files.list(folder)).filter((name) => name.includes(CLAIM) && !name.endsWith('.tmp'));
  for (const file of names.map((name) => join(folder, name))) {
    const bytes = await io.files.read(file);
    const process = bytes && nameIn(bytes);
    if (process && (await io.processes.liveness(process)) === 'dead') await io.files.remove(file);
  }
};

const PAUSE_MS = 25;

/**
 * The same, patiently: another may be about to let go, and two that came at once try again at different times. Who waits
 * looks, and claims when nobody is seen: many that claim at once would keep each other out.
 */
export const claimWithin = async (io: Io, path: string, patienceMs: number): Promise<Claiming> => {
  const until = io.clock.monotonic() + patienceMs;
  for (;;) {
    let claiming = await claim(io, path);
    while ('holder' in claiming) {
      if (io.clock.monotonic() >= until) return claiming;
      await io.clock.sleep(PAUSE_MS * (0.5 + io.random.fraction()), io.interrupted);
      const holder = await otherThan(io, path, '');
      if (holder === undefined) break;
      claiming = { holder };
    }
    if ('claim' in claiming) return claiming;
  }
};
