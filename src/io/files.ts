import type { Stats } from 'node:fs';
import {
  chmod,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, hasCode } from '../core/error-code.ts';
import { Failure, isFailure, messageOf } from '../core/failure.ts';
import type { FileFacts, Files } from './file-facts.ts';

const PRIVATE_FOLDER = 0o700;

/** File systems and platforms without a sync of folders say so with one of these. */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'];

/** A new or renamed entry survives a crash only when its folder was synced too. */
const syncFolder = async (path: string): Promise<void> => {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r');
    await handle.sync();
  } catch (error) {
    if (!hasCode(error, ...NO_FOLDER_SYNC)) throw error;
  } finally {
    await handle?.close();
  }
};

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Makes a folder and those above it that are not there; resolves with the topmost that was made. Each is tried once: Node's
 * own recursive way goes on for ever where a folder says that it is there and takes nothing, as /proc does.
 */
const makeFolders = async (path: string, mayMakeParent = true): Promise<string | undefined> => {
  try {
    await mkdir(path, { mode: PRIVATE_FOLDER });
    return path;
  } catch (error) {
    const parent = dirname(path);
    if (mayMakeParent && parent !== path && hasCode(error, 'ENOENT')) {
      const above = await makeFolders(parent);
      const own = await makeFolders(path, false);
      return above ?? own;
    }
    if (await isFolder(path)) return undefined;
    throw error;
  }
};

/** Makes a folder that is not there, durably. One that is there may be the user's own: its mode stays as it is. */
const ensureFolder = async (path: string): Promise<void> => {
  const first = await makeFolders(path);
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
};

/** Makes a folder that is its owner's alone. */
const makePrivateFolder = async (path: string): Promise<void> => {
  await ensureFolder(path);
  await chmod(path, PRIVATE_FOLDER);
};

/** The mode of a file that is its owner's alone. */
export const PRIVATE_FILE = 0o600;

const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (isFailure(error)) throw error;
    throw new Failure('unreadable_file', messageOf(error), { cause: error });
  }
};

const asFacts = (found: Stats | undefined): FileFacts | undefined =>
  found && {
    mode: found.mode & 0o777,
    isFile: found.isFile(),
    isSymlink: found.isSymbolicLink(),
    isFolder: found.isDirectory(),
    size: found.size,
    modifiedAt: found.mtimeMs,
  };

const facts = async (path: string) => asFacts(await ifThere(lstat(path)));

/** Writes a file that is not there, and takes it away again when that fails: half a file is worse than none. */
const writeNew = async (path: string, bytes: Uint8Array | string): Promise<void> => {
  const handle = await open(path, 'wx', PRIVATE_FILE);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
};

const writeTemporary = async (path: string, bytes: Uint8Array | string): Promise<string> => {
  await ensureFolder(dirname(path));
  const { randomUUID } = await import('node:crypto');
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writeNew(temporary, bytes);
  return temporary;
};

const WHY: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ['its folder does not exist', 'Make the folder first, or choose another path.'],
  ENOTDIR: ['a part of the path is a file, and no folder', 'Choose another path.'],
  EACCES: ['there is no leave to write in its folder', 'Choose another path, or mend the rights of the folder.'],
  EROFS: ['its file system cannot be written', 'Choose another path.'],
  ENOSPC: ['there is no space left', 'Make room, or choose another path.'],
};

const unwritable = (path: string, error: unknown): Failure => {
  const [why, hint] = WHY[codeOf(error)] ?? [messageOf(error), undefined];
  return new Failure('unwritable_file', `${path} cannot be written: ${why}`, { cause: error, hint });
};

/** Makes a file beside what the user has there, in a folder that is the user's. */
const createNew = async (path: string, bytes: Uint8Array | string): Promise<boolean> => {
  try {
    await writeNew(path, bytes);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw unwritable(path, error);
  }
  await syncFolder(dirname(path));
  return true;
};

/** `link` fails where the target exists; `rename` would overwrite it. */
const createPrivate = async (path: string, bytes: Uint8Array | string): Promise<boolean> => {
  const temporary = await writeTemporary(path, bytes);
  try {
    await link(temporary, path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (hasCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS')) return createNew(path, bytes);
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
};

const replacePrivate = async (path: string, bytes: Uint8Array | string): Promise<void> => {
  const temporary = await writeTemporary(path, bytes);
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
};

const appendDurably = async (path: string, text: string): Promise<void> => {
  const isNew = (await facts(path)) === undefined;
  if (isNew) await ensureFolder(dirname(path));
  const handle = await open(path, 'a', PRIVATE_FILE);
  const { size } = await handle.stat();
  try {
    await handle.appendFile(text);
    await handle.sync();
  } catch (error) {
    // Half a line would run into the next one.
    await handle.truncate(size).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
  if (isNew) await syncFolder(dirname(path));
};

const cut = async (path: string, size: number): Promise<void> => {
  const handle = await open(path, 'r+');
  try {
    await handle.truncate(size);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** The real files of this machine. */
export const systemFiles: Files = {
  read: (path) => ifThere(readFile(path)),
  readGiven: (path, mostBytes) =>
    ifThere(import('./read-given.ts').then(({ readGiven }) => readGiven(path, mostBytes))),
  facts,
  targetFacts: async (path) => asFacts(await ifThere(stat(path))),
  list: async (folder) => ((await ifThere(readdir(folder))) ?? []).toSorted(),
  makePrivateFolder,
  makePrivate: (path) => chmod(path, PRIVATE_FILE),
  createPrivate,
  createNew,
  replacePrivate,
  appendDurably,
  cut,
  empty: (path) => ifThere(truncate(path)),
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => rm(path, { recursive: true, force: true }),
};
