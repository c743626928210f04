// `promises` is loaded on its first use, and `node:fs/promises` at once.
import {
  close,
  closeSync,
  constants,
  createReadStream,
  promises as files,
  fstat,
  fstatSync,
  fsync,
  ftruncateSync,
  lstatSync,
  open as openDescriptor,
  openSync,
  readSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { Failure, hasCode, valueOn } from '../../core/failure.ts';

/** The facts of a path, besides its content. `modifiedAt` is in milliseconds since 1970. */
export type FileFacts = {
  readonly mode: number;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  readonly isFolder: boolean;
  readonly size: number;
  readonly modifiedAt: number;
  /** Equal for two names of one file. */
  readonly identity: string;
};

/** A file that is open for reading. */
export type ReadableFile = {
  readonly facts: () => Promise<FileFacts>;
  /** Reads from a place into a buffer. Returns the number of bytes, 0 at the end. */
  readonly read: (buffer: Uint8Array, start: number) => Promise<number>;
  readonly close: () => Promise<void>;
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

/** Works with an open file, and closes it in any case. */
export const closing = async (file: OpenFile, work: (file: OpenFile) => Promise<void>): Promise<void> => {
  try {
    await work(file);
  } finally {
    await file.close();
  }
};

/**
 * The calls of an operating system that `files.ts` uses. Each throws an error with a `code` of errno
 * (`ENOENT`, `EEXIST`), as Node does. A simulation of crashes provides another disk.
 */
export type Disk = {
  /** `new` fails if the path exists; `append` creates a missing file; `change` fails without one. `mode` is for a new file. */
  readonly open: (path: string, use: 'new' | 'append' | 'change', mode?: number) => Promise<OpenFile>;
  /** Opens a path of any kind, and does not wait for the writer of a pipe. */
  readonly openToRead: (path: string) => Promise<ReadableFile>;
  readonly read: (path: string) => Promise<Uint8Array>;
  /** Reads a file from a byte to its end. */
  readonly readFrom: (path: string, start: number) => Promise<Uint8Array>;
  /** Reads a file, a pipe or a device; an interrupt can end the wait for a writer. Throws `unreadable_file` above `maxBytes`. */
  readonly readUserFile: (path: string, maxBytes: number) => Promise<Uint8Array>;
  /** Does not follow a symbolic link. */
  readonly lstat: (path: string) => Promise<FileFacts>;
  /** Follows symbolic links. */
  readonly stat: (path: string) => Promise<FileFacts>;
  /** Whether the file system of a path may be that of several machines. Only Linux shows it. */
  readonly isRemote: (path: string) => Promise<boolean>;
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

/** Opening never waits: a named pipe without a writer would block it. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const FLAGS = { new: 'wx', append: 'a', change: 'r+' } as const;

const factsIn = (found: Stats): FileFacts => ({
  mode: found.mode & 0o777,
  isFile: found.isFile(),
  isSymlink: found.isSymbolicLink(),
  isFolder: found.isDirectory(),
  size: found.size,
  modifiedAt: found.mtimeMs,
  identity: `${found.dev}:${found.ino}`,
});

/** File systems of Linux behind which another machine or another kernel may write: NFS, SMB, FUSE, 9P, Ceph, Lustre, VirtualBox. */
const REMOTE = [
  ...[0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546],
  ...[0x01021997, 0x00c36400, 0x0bd00bd0, 0x786f4256],
];

/** A stream would load more code than all of this look at a file. */
const readLong = async (path: string, start: number): Promise<Uint8Array> => {
  const handle = await files.open(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, (await handle.stat()).size - start));
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      ({ bytesRead: read } = await handle.read(bytes, length, bytes.length - length, start + length));
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
};

const SHORT = 64 * 1024;

/** The bytes of a short regular file from a place to its end; `undefined` for another file. */
const readShort = (path: string, start: number): Uint8Array | undefined => {
  const descriptor = openSync(path, WITHOUT_WAITING);
  try {
    const stats = fstatSync(descriptor);
    // Files of /proc have no size.
    if (!stats.isFile() || stats.size === 0 || stats.size - start > SHORT) return undefined;
    const bytes = Buffer.alloc(Math.max(0, stats.size - start));
    let length = 0;
    for (let read = 1; read > 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, start + length);
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
};

const syncDescriptor = promisify(fsync);

/**
 * The disk of this machine. Short calls are made at once: to hand one to a thread takes the processor ten times as long.
 * What waits for the disk has a thread.
 */
export const systemDisk: Disk = {
  open: async (path, use, mode) => {
    const descriptor = openSync(path, FLAGS[use], mode);
    return {
      size: async () => fstatSync(descriptor).size,
      write: async (bytes) => writeFileSync(descriptor, bytes),
      truncate: async (size) => ftruncateSync(descriptor, size),
      sync: () => syncDescriptor(descriptor),
      close: async () => closeSync(descriptor),
    };
  },
  openToRead: async (path) => {
    const handle = await files.open(path, WITHOUT_WAITING);
    return {
      facts: async () => factsIn(await handle.stat()),
      read: async (buffer, start) => (await handle.read(buffer, 0, buffer.length, start)).bytesRead,
      close: () => handle.close(),
    };
  },
  read: async (path) => readShort(path, 0) ?? files.readFile(path),
  readFrom: async (path, start) => readShort(path, start) ?? readLong(path, start),
  readUserFile: (path, maxBytes) => readUserFile(path, maxBytes),
  lstat: async (path) => factsIn(lstatSync(path)),
  stat: async (path) => factsIn(statSync(path)),
  isRemote: async (path) => REMOTE.includes((await files.statfs(path)).type >>> 0),
  canWrite: (path) =>
    files.access(path, WRITE).then(
      () => true,
      () => false,
    ),
  list: (folder) => files.readdir(folder),
  makeFolder: (path, mode) => files.mkdir(path, { mode }),
  chmod: (path, mode) => files.chmod(path, mode),
  syncFolder: async (path) => {
    const descriptor = openSync(path, 'r');
    try {
      await syncDescriptor(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
  link: (path, name) => files.link(path, name),
  rename: (path, name) => files.rename(path, name),
  truncate: (path, size) => files.truncate(path, size),
  remove: (path) => files.unlink(path).catch(valueOn((error) => hasCode(error, 'ENOENT'), undefined)),
  removeFolder: (path) => files.rm(path, { recursive: true, force: true }),
};

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
