import { dirname } from 'node:path';
import { codeOf, Failure, hasCode, isFailure, messageOf } from '../core/failure.ts';
import { type Disk, systemDisk } from './disk.ts';
import type { Files } from './file-facts.ts';

const PRIVATE_FOLDER = 0o700;

/** The mode of a file that is its owner's alone. */
export const PRIVATE_FILE = 0o600;

/** The files of a disk: what bursar writes is private, and is on the disk before a call resolves. */
export const filesOn = (disk: Disk): Files => {
  const { createNew, writeTemporary } = newFilesOn(disk);
  const { ensureFolder, syncFolder } = foldersOn(disk);

  const facts = (path: string) => ifThere(disk.lstat(path));

  const makePrivateFolder = async (path: string): Promise<void> => {
    await ensureFolder(path);
    await disk.chmod(path, PRIVATE_FOLDER);
  };

  /** `link` fails where the target exists; `rename` would overwrite it. */
  const createPrivate = async (path: string, bytes: Uint8Array | string): Promise<boolean> => {
    const temporary = await writeTemporary(path, bytes);
    try {
      await disk.link(temporary, path);
      await syncFolder(dirname(path));
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      if (hasCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS')) return createNew(path, bytes);
      throw error;
    } finally {
      await disk.remove(temporary);
    }
  };

  const replacePrivate = async (path: string, bytes: Uint8Array | string): Promise<void> => {
    const temporary = await writeTemporary(path, bytes);
    try {
      await disk.rename(temporary, path);
    } catch (error) {
      await disk.remove(temporary);
      throw error;
    }
    await syncFolder(dirname(path));
  };

  const appendDurably = async (path: string, text: string): Promise<void> => {
    const isNew = (await facts(path)) === undefined;
    if (isNew) await ensureFolder(dirname(path));
    const file = await disk.open(path, 'append', PRIVATE_FILE);
    const size = await file.size();
    try {
      await file.write(text);
      await file.sync();
    } catch (error) {
      // Half a line would run into the next one.
      await file.truncate(size).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
    if (isNew) await syncFolder(dirname(path));
  };

  const cut = async (path: string, size: number): Promise<void> => {
    const file = await disk.open(path, 'change');
    try {
      await file.truncate(size);
      await file.sync();
    } finally {
      await file.close();
    }
  };

  return {
    read: (path) => ifThere(disk.read(path)),
    readGiven: (path, mostBytes) => ifThere(disk.readGiven(path, mostBytes)),
    facts,
    targetFacts: (path) => ifThere(disk.stat(path)),
    list: async (folder) => ((await ifThere(disk.list(folder))) ?? []).toSorted(),
    makePrivateFolder,
    makePrivate: (path) => disk.chmod(path, PRIVATE_FILE),
    createPrivate,
    createNew,
    replacePrivate,
    appendDurably,
    cut,
    empty: (path) => ifThere(disk.truncate(path, 0)),
    remove: disk.remove,
    removeFolder: disk.removeFolder,
  };
};

/** File systems and platforms without a sync of folders say so with one of these. */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'];

const foldersOn = (disk: Disk) => {
  /** A new or renamed entry survives a crash only when its folder was synced too. */
  const syncFolder = async (path: string): Promise<void> => {
    try {
      await disk.syncFolder(path);
    } catch (error) {
      if (!hasCode(error, ...NO_FOLDER_SYNC)) throw error;
    }
  };

  const isFolder = async (path: string): Promise<boolean> =>
    disk.stat(path).then(
      (found) => found.isFolder,
      () => false,
    );

  /**
   * Makes a folder and those above it that are not there; resolves with the topmost that was made. Each is tried once: Node's
   * own recursive way goes on for ever where a folder says that it is there and takes nothing, as /proc does.
   */
  const makeFolders = async (path: string, mayMakeParent = true): Promise<string | undefined> => {
    try {
      await disk.makeFolder(path, PRIVATE_FOLDER);
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

  return { ensureFolder, syncFolder };
};

const newFilesOn = (disk: Disk) => {
  const { ensureFolder, syncFolder } = foldersOn(disk);

  /** Writes a file that is not there, and takes it away again when that fails: half a file is worse than none. */
  const writeNew = async (path: string, bytes: Uint8Array | string): Promise<void> => {
    const file = await disk.open(path, 'new', PRIVATE_FILE);
    try {
      await file.write(bytes);
      await file.sync();
    } catch (error) {
      await disk.remove(path);
      throw error;
    } finally {
      await file.close();
    }
  };

  const writeTemporary = async (path: string, bytes: Uint8Array | string): Promise<string> => {
    await ensureFolder(dirname(path));
    const { randomUUID } = await import('node:crypto');
    const temporary = `${path}.${randomUUID()}.tmp`;
    await writeNew(temporary, bytes);
    return temporary;
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

  return { createNew, writeTemporary };
};

const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (isFailure(error)) throw error;
    throw new Failure('unreadable_file', messageOf(error), { cause: error });
  }
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

/** The real files of this machine. */
export const systemFiles: Files = filesOn(systemDisk);
