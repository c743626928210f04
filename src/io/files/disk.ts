// `promises` is loaded on its first use, and `node:fs/promises` at once.
import {
  close,
  constants,
  createReadStream,
  promises as files,
  fstat,
  open as openDescriptor,
  type Stats,
} from 'node:fs';
import { promisify } from 'node:util';
import { Failure } from '../../core/failure.ts';

/** The facts of a path, besides its content. `modifiedAt` is in milliseconds since 1970. */
export type FileFacts = {
  readonly mode: number;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  readonly isFolder: boolean;
  readonly size: number;
  readonly modifiedAt: number;
};

/** A file that is open for writing. */
export type OpenFile = {
  readonly size: () => Promise<number>;
  /** Writes at the end. */
  readonly write: (bytes: Uint8Array | string) => Promise<void>;
  readonly truncate: (size: number) => Promise<void>;
  /** Resolves when the written bytes survive a crash. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * The calls of an operating system that `files.ts` uses. Each throws an error with a `code` of errno
 * (`ENOENT`, `EEXIST`), as Node does. A simulation of crashes provides another disk.
 */
export type Disk = {
  /** `new` fails if the path exists; `append` creates a missing file; `change` fails without one. `mode` is for a new file. */
  readonly open: (path: string, use: 'new' | 'append' | 'change', mode?: number) => Promise<OpenFile>;
  readonly read: (path: string) => Promise<Uint8Array>;
  /** Reads a file from a byte to its end. */
  readonly readFrom: (path: string, start: number) => Promise<Uint8Array>;
  /** Reads a file, a pipe or a device; an interrupt can end the wait for a writer. Throws `unreadable_file` above `maxBytes`. */
  readonly readUserFile: (path: string, maxBytes: number) => Promise<Uint8Array>;
  /** Does not follow a symbolic link. */
  readonly lstat: (path: string) => Promise<FileFacts>;
  /** Follows symbolic links. */
  readonly stat: (path: string) => Promise<FileFacts>;
  /** Whether this process may write to a file or folder. On a read-only file system it may not. */
  readonly canWrite: (path: string) => Promise<boolean>;
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly makeFolder: (path: string, mode: number) => Promise<void>;
  readonly chmod: (path: string, mode: number) => Promise<void>;
  /** Resolves when the names in a folder survive a crash. */
  readonly syncFolder: (path: string) => Promise<void>;
  /** Gives a file a second name. Fails if that name exists. */
  readonly link: (path: string, name: string) => Promise<void>;
  /** Gives a file a new name, and replaces a file that has it. */
  readonly rename: (path: string, name: string) => Promise<void>;
  readonly truncate: (path: string, size: number) => Promise<void>;
  /** Removes a file, if it exists. */
  readonly remove: (path: string) => Promise<void>;
  /** Removes a folder with its content, if it exists. */
  readonly removeFolder: (path: string) => Promise<void>;
};

/** The mode of `access` that asks for the permission to write, as POSIX numbers it. */
const WRITE = 2;

const FLAGS = { new: 'wx', append: 'a', change: 'r+' } as const;

const factsIn = (found: Stats): FileFacts => ({
  mode: found.mode & 0o777,
  isFile: found.isFile(),
  isSymlink: found.isSymbolicLink(),
  isFolder: found.isDirectory(),
  size: found.size,
  modifiedAt: found.mtimeMs,
});

const readFrom = async (path: string, start: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of createReadStream(path, { start })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** The disk of this machine. */
export const systemDisk: Disk = {
  open: async (path, use, mode) => {
    const handle = await files.open(path, FLAGS[use], mode);
    return {
      size: async () => (await handle.stat()).size,
      write: (bytes) => handle.appendFile(bytes),
      truncate: (size) => handle.truncate(size),
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  read: (path) => files.readFile(path),
  readFrom,
  readUserFile: (path, maxBytes) => readUserFile(path, maxBytes),
  lstat: async (path) => factsIn(await files.lstat(path)),
  stat: async (path) => factsIn(await files.stat(path)),
  canWrite: (path) =>
    files.access(path, WRITE).then(
      () => true,
      () => false,
    ),
  list: (folder) => files.readdir(folder),
  makeFolder: (path, mode) => files.mkdir(path, { mode }),
  chmod: (path, mode) => files.chmod(path, mode),
  syncFolder: async (path) => {
    const handle = await files.open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  link: (path, name) => files.link(path, name),
  rename: (path, name) => files.rename(path, name),
  truncate: (path, size) => files.truncate(path, size),
  remove: (path) => files.rm(path, { force: true }),
  removeFolder: (path) => files.rm(path, { recursive: true, force: true }),
};

/** Opening never waits: a named pipe without a writer would block it. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const readUserFile = async (path: string, maxBytes: number): Promise<Uint8Array> => {
  const descriptor = await promisify(openDescriptor)(path, WITHOUT_WAITING);
  const stats = await promisify(fstat)(descriptor);
  if (stats.isFile() && stats.size > maxBytes) {
    await promisify(close)(descriptor);
    throw tooLarge(path, maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop closes the file.
  for await (const chunk of await streamOf(descriptor, stats)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(path, maxBytes);
  }
  return Buffer.concat(chunks);
};

/**
 * Reads a pipe or a terminal without a waiting thread, which would delay the end of the process. The stream owns the
 * descriptor from here on.
 */
const streamOf = async (descriptor: number, stats: Stats): Promise<AsyncIterable<Uint8Array>> => {
  if (stats.isFIFO()) {
    const { Socket } = await import('node:net');
    return new Socket({ fd: descriptor, readable: true, writable: false });
  }
  if (stats.isFile()) return createReadStream('', { fd: descriptor });
  const { isatty, ReadStream } = await import('node:tty');
  return isatty(descriptor) ? new ReadStream(descriptor) : createReadStream('', { fd: descriptor });
};

const tooLarge = (path: string, maxBytes: number): Failure =>
  new Failure('unreadable_file', `${path}: larger than ${maxBytes} bytes`);
