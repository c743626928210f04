import type { Stats } from 'node:fs';
import { chmod, link, lstat, mkdir, open, readdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import type { FileFacts } from './file-facts.ts';

/** A file that is open for writing. */
export type OpenFile = {
  readonly size: () => Promise<number>;
  /** Writes at the end. */
  readonly write: (bytes: Uint8Array | string) => Promise<void>;
  readonly truncate: (size: number) => Promise<void>;
  /** Resolves when what was written survives a crash. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * The calls of an operating system that `files.ts` is written on. Each throws an error with a `code` of errno
 * (`ENOENT`, `EEXIST`), as Node does. A simulation of crashes puts another disk here.
 */
export type Disk = {
  /** `new` fails where the path exists; `append` creates it; `change` needs it. `mode` is that of a file that is created. */
  readonly open: (path: string, use: 'new' | 'append' | 'change', mode?: number) => Promise<OpenFile>;
  readonly read: (path: string) => Promise<Uint8Array>;
  /** Reads what a user named, a pipe or a device too. Throws `unreadable_file` above `mostBytes`. */
  readonly readGiven: (path: string, mostBytes: number) => Promise<Uint8Array>;
  /** Facts of a path; of a symbolic link those of the link itself. */
  readonly lstat: (path: string) => Promise<FileFacts>;
  /** Facts of what a path leads to. */
  readonly stat: (path: string) => Promise<FileFacts>;
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly makeFolder: (path: string, mode: number) => Promise<void>;
  readonly chmod: (path: string, mode: number) => Promise<void>;
  /** Resolves when the names in a folder survive a crash. */
  readonly syncFolder: (path: string) => Promise<void>;
  /** Gives a file a second name. Fails where that name exists. */
  readonly link: (path: string, name: string) => Promise<void>;
  /** Gives a file another name, in the place of what has it. */
  readonly rename: (path: string, name: string) => Promise<void>;
  readonly truncate: (path: string, size: number) => Promise<void>;
  /** Removes a file; nothing when there is none. */
  readonly remove: (path: string) => Promise<void>;
  /** Removes a folder and all in it; nothing when there is none. */
  readonly removeFolder: (path: string) => Promise<void>;
};

const FLAGS = { new: 'wx', append: 'a', change: 'r+' } as const;

const factsIn = (found: Stats): FileFacts => ({
  mode: found.mode & 0o777,
  isFile: found.isFile(),
  isSymlink: found.isSymbolicLink(),
  isFolder: found.isDirectory(),
  size: found.size,
  modifiedAt: found.mtimeMs,
});

/** The disk of this machine. */
export const systemDisk: Disk = {
  open: async (path, use, mode) => {
    const handle = await open(path, FLAGS[use], mode);
    return {
      size: async () => (await handle.stat()).size,
      write: (bytes) => handle.appendFile(bytes),
      truncate: (size) => handle.truncate(size),
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  read: (path) => readFile(path),
  readGiven: async (path, mostBytes) => (await import('./read-given.ts')).readGiven(path, mostBytes),
  lstat: async (path) => factsIn(await lstat(path)),
  stat: async (path) => factsIn(await stat(path)),
  list: (folder) => readdir(folder),
  makeFolder: (path, mode) => mkdir(path, { mode }),
  chmod,
  syncFolder: async (path) => {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  link,
  rename,
  truncate,
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => rm(path, { recursive: true, force: true }),
};
