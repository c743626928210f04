import { dirname } from 'node:path';
import type { Disk, FileFacts, OpenFile } from '../../src/io/files/disk.ts';
import type { Action, Decision } from './decisions.ts';
import type { Call, Kernel, Later, Process } from './kernel.ts';

/** A file: its current content, and the content at its last sync. */
type File = { kind: 'file'; bytes: Buffer; saved: Buffer; mode: number; modifiedAt: number };

/** A folder: its current names, and the names at its last sync. */
type Folder = { kind: 'folder'; names: Map<string, Node>; saved: Map<string, Node>; mode: number; modifiedAt: number };

type Node = File | Folder;

const errno = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'disk', path });

const identities = new WeakMap<Node, string>();
let known = 0;

/** The number of a file or folder, as a disk gives it. */
const identityOf = (node: Node): string => {
  const found = identities.get(node);
  if (found !== undefined) return found;
  known += 1;
  identities.set(node, `1:${known}`);
  return `1:${known}`;
};

const newFolder = (mode: number): Folder => ({
  kind: 'folder',
  names: new Map(),
  saved: new Map(),
  mode,
  modifiedAt: 0,
});

/**
 * A disk with no more than the guarantees of POSIX: bytes survive a power loss after a sync of their file, and names after
 * a sync of their folder. Unsynced bytes may survive in part.
 */
export const newDiskState = () => {
  let root = newFolder(0o755);

  const find = (path: string): Node | undefined => {
    let node: Node | undefined = root;
    for (const name of path.split('/').filter(Boolean)) {
      if (node?.kind !== 'folder') return undefined;
      node = node.names.get(name);
    }
    return node;
  };
  const get = (path: string): Node => {
    const node = find(path);
    if (node === undefined) throw errno('ENOENT', path);
    return node;
  };
  const folder = (path: string): Folder => {
    const node = get(path);
    if (node.kind !== 'folder') throw errno('ENOTDIR', path);
    return node;
  };
  const file = (path: string): File => {
    const node = get(path);
    if (node.kind !== 'file') throw errno('EISDIR', path);
    return node;
  };
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

  /** A folder after a power loss. `survives` draws which unsynced changes survive. */
  const restored = (lost: Folder, survives: () => number): Folder => {
    const names = new Map(lost.saved);
    // Unsynced names may reach the disk before the power loss, in any order.
    for (const [name, node] of lost.names) if (survives() < 0.5) names.set(name, node);
    for (const name of lost.saved.keys()) if (!lost.names.has(name) && survives() < 0.5) names.delete(name);
    for (const [name, node] of names) names.set(name, restoredNode(node, survives));
    return { ...lost, names, saved: new Map(names) };
  };
  const restoredFiles = new Map<File, File>();
  const restoredNode = (node: Node, survives: () => number): Node => {
    if (node.kind === 'folder') return restored(node, survives);
    const known = restoredFiles.get(node);
    if (known) return known;
    const { bytes, saved } = node;
    // Appended bytes may survive in part. Other unsynced changes are lost.
    const isAppended = bytes.length > saved.length && bytes.subarray(0, saved.length).equals(saved);
    const length = isAppended
      ? saved.length + Math.floor(survives() * (bytes.length - saved.length + 1))
      : saved.length;
    const left = isAppended ? bytes.subarray(0, length) : saved;
    const after = { ...node, bytes: left, saved: left };
    restoredFiles.set(node, after);
    return after;
  };

  const copyOf = (node: Node): Node => {
    if (node.kind === 'file') return { ...node, saved: node.bytes };
    const names = new Map([...node.names].map(([name, inner]) => [name, copyOf(inner)]));
    return { ...node, names, saved: new Map(names) };
  };

  /** Each file below a folder: its path and its content. */
  const filesBelow = (node: Node, path: string): readonly (readonly [string, Buffer])[] =>
    node.kind === 'file'
      ? [[path, node.bytes]]
      : [...node.names].flatMap(([name, inner]) => filesBelow(inner, `${path}/${name}`));

  return {
    find,
    get,
    folder,
    file,
    nameOf,
    all: () => filesBelow(root, ''),
    /** Whether a synced file has this text, and each name of its path is synced. */
    isSafe: (path: string, text: string): boolean => {
      let node: Node | undefined = root;
      for (const name of path.split('/').filter(Boolean)) {
        if (node?.kind !== 'folder') return false;
        node = node.saved.get(name);
      }
      return node?.kind === 'file' && node.saved.includes(text);
    },
    /** Takes the current content of another disk, as from a backup. */
    copyFrom: (other: { readonly find: (path: string) => unknown }): void => {
      root = copyOf(other.find('/') as Folder) as Folder;
    },
    /** The user removes files. */
    removeFiles: (isRemoved: (path: string) => boolean): void => {
      for (const [path] of filesBelow(root, '')) {
        const above = folder(dirname(path));
        for (const names of isRemoved(path) ? [above.names, above.saved] : []) names.delete(nameOf(path));
      }
    },
    losePower: (survives: () => number): void => {
      restoredFiles.clear();
      root = restored(root, survives);
    },
    /** Adds a file that is on the disk, and synced, from the start. */
    put: (path: string, text: string, now: number): void => {
      let above = root;
      for (const name of dirname(path).split('/').filter(Boolean)) {
        const inner = above.names.get(name) ?? newFolder(above === root ? 0o755 : 0o700);
        if (inner.kind !== 'folder') throw errno('ENOTDIR', path);
        above.names.set(name, inner);
        above.saved.set(name, inner);
        above = inner;
      }
      const bytes = Buffer.from(text);
      const made: File = { kind: 'file', bytes, saved: bytes, mode: 0o600, modifiedAt: now };
      above.names.set(nameOf(path), made);
      above.saved.set(nameOf(path), made);
    },
  };
};

export type DiskState = ReturnType<typeof newDiskState>;

/** Lines of the journal are a small part of all calls, and faults at them matter most. */
const STEP_WEIGHT = 8;

const READ_TAKES_MS = 0.1;
const WRITE_TAKES_MS = 0.2;
const SYNC_TAKES_MS = 4;

const READ_FAULTS: readonly Action[] = ['kill before', 'stop', 'delay', 'EIO'];
const WRITE_FAULTS: readonly Action[] = [
  'kill before',
  'kill inside',
  'kill after',
  'stop',
  'ENOSPC',
  'EIO',
  'power loss',
  'interrupt',
];
const SYNC_FAULTS: readonly Action[] = ['kill before', 'kill after', 'stop', 'EIO', 'power loss', 'interrupt'];

/** The name of a path in events, without operation ids and random parts, which differ between two lives. */
export const inEvents = (path: string): string =>
  path
    .replace(/\d{8}T\d{6}Z-[0-9a-f]{8}/g, 'ID')
    .replace(/\.claim-[0-9a-f]+/g, '.claim')
    .replace(/(?<=wish-|turns\/)[\w.-]+?(?=\.claim|$)/g, 'NAME')
    .replace(/[0-9a-f-]{36}\.tmp$/, 'tmp');

/** The step of the last complete line. */
const lastStepIn = (bytes: Buffer): string => {
  const lines = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  return stepIn(lines.subarray(Math.max(0, lines.lastIndexOf('"step":"'))).toString()) || 'none';
};

const stepIn = (bytes: Uint8Array | string): string => /"step":"(\w+)"/.exec(String(bytes))?.[1] ?? '';

type DiskUse = {
  readonly kernel: Kernel;
  readonly process: Process;
  readonly state: DiskState;
  readonly losePower: () => void;
  /** The clock of the machine. */
  readonly now: () => number;
  readonly slowness: number;
};

/** The disk of a machine, for one of its processes. */
export const diskFor = ({ kernel, process, state, losePower, now, slowness }: DiskUse): Disk => {
  const call = <T>(
    name: string,
    { takes, allowed, weight }: Pick<Call<T>, 'takes' | 'allowed' | 'weight'>,
    perform: () => T,
    partly?: (size: number) => void,
  ): Promise<T> =>
    kernel.call(process, {
      name,
      takes,
      allowed,
      weight,
      partly,
      perform: (decision: Decision | undefined): T | Later<T> => {
        if (decision?.action === 'power loss') {
          partly?.(decision.size);
          losePower();
          return { later: () => undefined };
        }
        if (decision?.action === 'ENOSPC' || decision?.action === 'EIO') {
          if (decision.action === 'ENOSPC') partly?.(decision.size);
          throw errno(decision.action, name);
        }
        return perform();
      },
    });
  const reading = { takes: READ_TAKES_MS, allowed: READ_FAULTS };
  const writing = { takes: WRITE_TAKES_MS * slowness, allowed: WRITE_FAULTS };
  const syncing = { takes: SYNC_TAKES_MS * slowness, allowed: SYNC_FAULTS };
  const factsOf = (node: Node): FileFacts => ({
    mode: node.mode,
    isFile: node.kind === 'file',
    isSymlink: false,
    isFolder: node.kind === 'folder',
    size: node.kind === 'file' ? node.bytes.length : 0,
    modifiedAt: node.modifiedAt,
    identity: identityOf(node),
  });
  const readFacts = (path: string) => call(`stat ${inEvents(path)}`, reading, () => factsOf(state.get(path)));

  const opened = (path: string, file: File): OpenFile => {
    const named = inEvents(path);
    let written = '';
    const append = (bytes: Buffer): void => {
      file.bytes = Buffer.concat([file.bytes, bytes]);
      file.modifiedAt = now();
    };
    return {
      size: () => call(`size ${named}`, reading, () => file.bytes.length),
      write: (content) => {
        const bytes = Buffer.from(content as string);
        written = stepIn(bytes);
        if (written && path.endsWith('.ndjson')) {
          process.stage = written;
          process.onJournal?.(written);
        }
        const name = `write ${named}${written && ` ${written}`}`;
        return call(
          name,
          written ? { ...writing, weight: STEP_WEIGHT } : writing,
          () => append(bytes),
          (size) => append(bytes.subarray(0, Math.floor(size * bytes.length))),
        );
      },
      truncate: (size) =>
        call(`truncate ${named}`, writing, () => {
          file.bytes = file.bytes.subarray(0, size);
        }),
      sync: () =>
        call(
          `sync ${named}${written && ` ${written}`}`,
          written ? { ...syncing, weight: STEP_WEIGHT } : syncing,
          () => {
            file.saved = file.bytes;
          },
        ),
      close: () => Promise.resolve(),
    };
  };

  const changeNames = (path: string, change: (folder: Folder, name: string) => void): void => {
    const above = state.folder(dirname(path));
    change(above, state.nameOf(path));
    above.modifiedAt = now();
  };

  return {
    open: (path, use, mode = 0o666) =>
      call(`open ${inEvents(path)}`, writing, () => {
        const found = state.find(path);
        if (use === 'new' && found) throw errno('EEXIST', path);
        if (use === 'change' && !found) throw errno('ENOENT', path);
        if (found?.kind === 'folder') throw errno('EISDIR', path);
        if (found) return opened(path, found);
        const made: File = { kind: 'file', bytes: Buffer.alloc(0), saved: Buffer.alloc(0), mode, modifiedAt: now() };
        changeNames(path, ({ names }, name) => names.set(name, made));
        return opened(path, made);
      }),
    openToRead: async (path) => {
      const node = await call(`open ${inEvents(path)}`, reading, () => state.get(path));
      return {
        facts: () => call(`stat ${inEvents(path)}`, reading, () => factsOf(node)),
        read: (buffer, start) =>
          call(`read ${inEvents(path)}`, reading, () => state.file(path).bytes.copy(buffer, 0, start)),
        close: () => Promise.resolve(),
      };
    },
    read: async (path) => {
      const bytes = await call(`read ${inEvents(path)}`, reading, () => Buffer.from(state.file(path).bytes));
      if (path.endsWith('.ndjson')) process.stage = lastStepIn(bytes);
      return bytes;
    },
    readFrom: (path, start) =>
      call(`read ${inEvents(path)}`, reading, () => Buffer.from(state.file(path).bytes.subarray(start))),
    readUserFile: (path) => call(`read ${inEvents(path)}`, reading, () => Buffer.from(state.file(path).bytes)),
    lstat: readFacts,
    stat: readFacts,
    isRemote: () => Promise.resolve(false),
    canWrite: () => Promise.resolve(true),
    list: (path) => call(`list ${inEvents(path)}`, reading, () => [...state.folder(path).names.keys()]),
    makeFolder: (path, mode) =>
      call(`mkdir ${inEvents(path)}`, writing, () => {
        if (state.find(path)) throw errno('EEXIST', path);
        changeNames(path, ({ names }, name) => names.set(name, newFolder(mode)));
      }),
    chmod: (path, mode) =>
      call(`chmod ${inEvents(path)}`, writing, () => {
        state.get(path).mode = mode;
      }),
    syncFolder: (path) =>
      call(`sync folder ${inEvents(path)}`, syncing, () => {
        const found = state.folder(path);
        found.saved = new Map(found.names);
      }),
    link: (path, name) =>
      call(`link ${inEvents(name)}`, writing, () => {
        if (state.find(name)) throw errno('EEXIST', name);
        const file = state.file(path);
        changeNames(name, ({ names }, last) => names.set(last, file));
      }),
    rename: (path, name) =>
      call(`rename ${inEvents(name)}`, writing, () => {
        const node = state.get(path);
        changeNames(path, ({ names }, last) => names.delete(last));
        changeNames(name, ({ names }, last) => names.set(last, node));
      }),
    truncate: (path, size) =>
      call(`truncate ${inEvents(path)}`, writing, () => {
        const file = state.file(path);
        file.bytes = file.bytes.subarray(0, size);
      }),
    remove: (path) =>
      call(`remove ${inEvents(path)}`, writing, () => {
        if (state.find(path)) changeNames(path, ({ names }, name) => names.delete(name));
      }),
    removeFolder: (path) =>
      call(`remove folder ${inEvents(path)}`, writing, () => {
        if (state.find(path)) changeNames(path, ({ names }, name) => names.delete(name));
      }),
  };
};
