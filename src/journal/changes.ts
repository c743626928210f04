import { basename, dirname, join } from 'node:path';
import { type ClaimBoard, claimedName } from '../io/files/claim.ts';
import type { Io, Places } from '../io/io.ts';

/**
 * The end of the log that was read last: its last whole line, and where that line starts. A line has the random name of a
 * claim file and is written once. So a log that still has the line there is the same log, and nothing is missing in it.
 */
type Anchor = { readonly at: number; readonly line: string };

/** What this process last knew of a journal folder. */
type Known = {
  anchor: Anchor | undefined;
  /** The claim files in the folder, by the name that they claim. */
  claims: Map<string, Set<string>>;
  /** The claim files of this process. */
  own: Set<string>;
  /** Names that were claimed since `take`. */
  changed: Set<string>;
  /** The names of the last listing, until `take`. */
  listed: readonly string[] | undefined;
  listedAt: number;
  /** Each line since the last `take` was read. */
  isWhole: boolean;
  /** Claim files that were gone when they were read. */
  gone: Set<string>;
  /** Some writers of the folder do not write to this log. */
  hasStrangers: boolean;
  /** Other machines may write to the folder. `undefined`: not known yet. */
  isRemote: boolean | undefined;
  queue: Promise<unknown>;
};

const known = new WeakMap<Places, Known>();

const newKnown = (): Known => ({
  ...{ anchor: undefined, claims: new Map(), changed: new Set(), listed: undefined, listedAt: 0, isWhole: false },
  ...{ own: new Set(), gone: new Set(), hasStrangers: false, isRemote: undefined, queue: Promise.resolve() },
});

const knownOf = ({ places }: Io): Known => {
  const found = known.get(places) ?? newKnown();
  known.set(places, found);
  return found;
};

/** A program that writes no log (an earlier version, a restored backup) is found by the next listing. */
const LIST_EVERY_MS = 60_000;

/** Lines of the log: a claim file of the folder, before its process writes and after. */
const LINE = /^(open|close) ([^\s/]+\.claim-[0-9a-f]+)$/;

/** Longer than two lines. */
const END_BYTES = 512;

/** Above this a clean-up removes the log. Each process then lists the folder once. */
const MAX_LOG_BYTES = 4 * 1024 * 1024;

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** The text after the anchor; `undefined` if the log is missing, replaced, shorter or unreadable. */
const readAfter = async ({ files }: Io, path: string, { at, line }: Anchor): Promise<string | undefined> => {
  const bytes = await files.readFrom(path, at).catch(() => undefined);
  const text = bytes && latin(bytes);
  return text?.startsWith(`${line}\n`) ? text.slice(line.length + 1) : undefined;
};

/** The last whole line of the log; `undefined` if it has none. */
const endOf = async ({ files }: Io, path: string): Promise<Anchor | undefined> => {
  const { size = 0 } = (await files.facts(path)) ?? {};
  const start = Math.max(0, size - END_BYTES);
  const bytes = size === 0 ? undefined : await files.readFrom(path, start);
  const text = bytes ? latin(bytes) : '';
  const end = text.lastIndexOf('\n');
  const at = text.lastIndexOf('\n', end - 1) + 1;
  const line = text.slice(at, Math.max(end, at));
  return LINE.test(line) ? { at: start + at, line } : undefined;
};

const note = (of: Known, verb: string, file: string): void => {
  const name = claimedName(file) ?? '';
  const files = of.claims.get(name) ?? new Set();
  if (verb === 'open') files.add(file);
  else files.delete(file);
  if (files.size > 0) of.claims.set(name, files);
  else of.claims.delete(name);
  of.changed.add(name);
};

/** Reads what was appended since the anchor. Returns `false` if it cannot be known: another log, or a damaged line. */
const follow = async (io: Io, of: Known, path: string): Promise<boolean> => {
  const { anchor } = of;
  const text = anchor && (await readAfter(io, path, anchor));
  if (anchor === undefined || text === undefined) return false;
  let start = anchor.at + anchor.line.length + 1;
  for (const line of text.split('\n').slice(0, -1)) {
    const [, verb = '', file = ''] = LINE.exec(line) ?? [];
    if (file === '') return false;
    note(of, verb, file);
    of.anchor = { at: start, line };
    start += line.length + 1;
  }
  return true;
};

/**
 * Whether other machines may write to the folder: their appends may overwrite each other, and may be seen late. They remove
 * the log instead, so that each process of any machine lists the folder.
 */
const isRemote = async ({ files }: Io, of: Known, folder: string): Promise<boolean> => {
  // A system that does not show its file systems may have any.
  of.isRemote ??= await files.isRemote(folder).catch(() => true);
  return of.isRemote === true;
};

/**
 * Lists the folder. Claims that appear meanwhile are in the log after its end that is known before. `isFollowed`: the
 * anchor is that end.
 */
const relist = async (io: Io, of: Known, folder: string, path: string, isFollowed: boolean): Promise<void> => {
  const anchor = isFollowed ? of.anchor : await endOf(io, path).catch(() => undefined);
  of.anchor = undefined;
  const names = await io.files.list(folder);
  for (const name of of.claims.keys()) of.changed.add(name);
  of.claims = new Map();
  for (const name of names) if (claimedName(name) !== undefined) note(of, 'open', name);
  of.gone.clear();
  of.listed = names;
  of.listedAt = io.clock.monotonic();
  of.anchor = anchor;
  if (await follow(io, of, path)) return;
  of.anchor = undefined;
  of.isWhole = false;
};

const sync = async (io: Io, of: Known, folder: string, path: string, mustList = false): Promise<void> => {
  const isFollowed = await follow(io, of, path);
  of.isWhole &&= isFollowed;
  // Who releases a claim says so in the log first. Otherwise its process writes no log, or was killed.
  const isLost = [...of.gone].some((file) => of.claims.get(claimedName(file) ?? '')?.has(file));
  of.gone.clear();
  const isOld = io.clock.monotonic() - of.listedAt >= LIST_EVERY_MS;
  const isUntrusted = of.hasStrangers || (await isRemote(io, of, folder));
  if (!isFollowed || isLost || isOld || isUntrusted || mustList) await relist(io, of, folder, path, isFollowed);
};

/** What changed in a journal folder since the last `take`. */
export type FolderChanges = {
  /** All names, after a listing. */
  readonly listed: readonly string[] | undefined;
  /** Names that were claimed, and those that are. */
  readonly changed: readonly string[];
  readonly claimed: readonly string[];
  /** The claimed names without a claim of another process. */
  readonly own: readonly string[];
  /** No line was missed since the last `take`: a name that is neither known nor in `changed` has none. */
  readonly isWhole: boolean;
};

/**
 * The changes of a journal folder, by a log in it. A process claims a name, appends `open` to the log, writes, appends
 * `close`, and releases the claim. So a reader of the log knows what may have changed without a listing. It lists the
 * folder at first, when the log is not the one that it read, and once a minute.
 */
export const changesOf = (io: Io, folder: string) => {
  // In the folder itself: homes that share the folder by a link or a mount share the log. Scripts that list `*` do not see it.
  const path = join(folder, '.changes');
  const of = knownOf(io);
  /** One after the other: who calls it sees all that was written before. */
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const result = of.queue.then(work, work);
    of.queue = result.catch(() => undefined);
    return result;
  };
  const write = async (line: string): Promise<void> =>
    (await isRemote(io, of, folder)) ? io.files.remove(path) : io.files.append(path, `${line}\n`);
  const board: ClaimBoard = {
    filesOn: (claimed) =>
      queued(async () => {
        await sync(io, of, folder, path);
        return [...(of.claims.get(basename(claimed)) ?? [])].map((name) => join(dirname(claimed), name));
      }),
    announce: (file) => {
      of.own.add(basename(file));
      return write(`open ${basename(file)}`);
    },
    withdraw: (file) => {
      of.own.delete(basename(file));
      return write(`close ${basename(file)}`);
    },
    noteGone: (file) => void of.gone.add(basename(file)),
  };
  return {
    board,
    /** `isFirst`: the folder is listed now. */
    take: (isFirst: boolean): Promise<FolderChanges> =>
      queued(async () => {
        await sync(io, of, folder, path, isFirst);
        const { listed, changed, claims, isWhole } = of;
        const own = [...claims].filter(([, files]) => [...files].every((file) => of.own.has(file)));
        Object.assign(of, { listed: undefined, changed: new Set(), isWhole: of.anchor !== undefined });
        return {
          listed,
          changed: [...changed],
          claimed: [...claims.keys()],
          own: own.map(([name]) => name),
          isWhole,
        };
      }),
    /** A file was written without the log: from now on this process lists the folder each time. */
    noteStranger: (): void => {
      of.hasStrangers = true;
    },
    /** Safe at any time: claims that follow are in the next log, and all others in a listing. */
    removeLongLog: async (): Promise<void> => {
      const { size = 0 } = (await io.files.facts(path)) ?? {};
      if (size > MAX_LOG_BYTES) await io.files.remove(path);
    },
  };
};
