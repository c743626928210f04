import { dirname } from 'node:path';
import { codeOf, Failure, hasCode, isFailure, messageOf, valueOn } from '../../core/failure.ts';
import { type Disk, systemDisk } from './disk.ts';

const PRIVATE_FOLDER = 0o700;

/** The mode of a file that only its owner can read. */
export const PRIVATE_FILE = 0o600;

const randomName = (): string => process.getBuiltinModule('node:crypto').randomUUID();

/**
 * Private and durable files on a disk. "Private": a file is 0600 and its folder 0700, whatever the umask. "Durable":
 * synced before the call resolves. `uniqueName` names temporary files.
 */
export const filesOn = (disk: Disk, uniqueName = randomName) => {
  const folders = foldersOn(disk);
  const { ensureFolder, syncFolder } = folders;
  const { createNew, writeTemporary } = newFilesOn(disk, folders, uniqueName);

  /** Does not follow a symbolic link. `undefined` without the path. */
  const facts = (path: string) => ifThere(disk.lstat(path));

  const makePrivateFolder = async (path: string): Promise<void> => {
    await ensureFolder(path);
    await disk.chmod(path, PRIVATE_FOLDER);
  };

  /** Private and durable. Returns `false`, and writes nothing, if the path exists. */
  const createPrivate = async (path: string, bytes: Uint8Array | string): Promise<boolean> => {
    const temporary = await writeTemporary(path, bytes);
    try {
      // `rename` would overwrite an existing target; `link` fails.
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

  /** Private, durable, atomic: after a crash the path has the whole old content or the whole new one. */
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

  /** Appends to a private file, durably; creates a missing file. */
  const appendDurably = async (path: string, text: string): Promise<void> => {
    const isNew = (await facts(path)) === undefined;
    if (isNew) await ensureFolder(dirname(path));
    const file = await disk.open(path, 'append', PRIVATE_FILE);
    const size = await file.size();
    try {
      await file.write(text);
      await file.sync();
    } catch (error) {
      // The next line would continue a half-written one.
      await file.truncate(size).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
    if (isNew) await syncFolder(dirname(path));
  };

  /** Shortens a file to `size` bytes, durably, to remove a line that a crash interrupted. */
  const cut = async (path: string, size: number): Promise<void> => {
    const file = await disk.open(path, 'change');
    try {
      await file.truncate(size);
      await file.sync();
    } finally {
      await file.close();
    }
  };

  /** Puts on the disk what another process may have written without a sync. Nothing without the file. */
  const sync = async (path: string): Promise<void> => {
    const file = await ifThere(disk.open(path, 'change'));
    if (file === undefined) return;
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  };

  return {
    sync,
    /** The content, or that from a byte to the end; `undefined` without the file. */
    read: (path: string) => ifThere(disk.read(path)),
    readFrom: (path: string, start: number) => ifThere(disk.readFrom(path, start)),
    /**
     * Reads a path that the user named: a file, a pipe or a device. `undefined` without it. Throws `unreadable_file` above
     * `maxBytes`, because a device may have no end.
     */
    readUserFile: (path: string, maxBytes: number) => ifThere(disk.readUserFile(path, maxBytes)),
    facts,
    /** Follows symbolic links. `undefined` without the path. */
    targetFacts: (path: string) => ifThere(disk.stat(path)),
    canWrite: disk.canWrite,
    /** The sorted names in a folder; none without the folder. */
    list: async (folder: string): Promise<readonly string[]> => ((await ifThere(disk.list(folder))) ?? []).toSorted(),
    makePrivateFolder,
    /** Leaves a file readable to its owner alone. */
    makePrivate: (path: string) => disk.chmod(path, PRIVATE_FILE),
    createPrivate,
    createNew,
    replacePrivate,
    appendDurably,
    truncate: cut,
    /** Empties a file, if it exists. A process that appends to it continues at its start. */
    empty: (path: string) => ifThere(disk.truncate(path, 0)),
    /** Removes a file, if it exists. */
    remove: disk.remove,
    /** Removes a folder with its content, if it exists. */
    removeFolder: disk.removeFolder,
  };
};

/** The files of a disk. */
export type Files = ReturnType<typeof filesOn>;

/** The errors of file systems and platforms that cannot sync folders. */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'];

const foldersOn = (disk: Disk) => {
  const cannotSync = (error: unknown) => hasCode(error, ...NO_FOLDER_SYNC);

  /** A new or renamed file survives a crash only after a sync of its folder. */
  const syncFolder = (path: string): Promise<void> => disk.syncFolder(path).catch(valueOn(cannotSync, undefined));

  const isFolder = async (path: string): Promise<boolean> =>
    (await disk.stat(path).catch(() => undefined))?.isFolder === true;

  /**
   * Makes a folder and its missing parents; returns the topmost new one. Node's recursive `mkdir` never ends in a
   * folder like /proc, which exists and accepts nothing. So each folder is tried once.
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

  /** Folders whose names this process has synced. */
  const synced = new Set<string>();

  /**
   * Makes a missing folder, durably. An existing folder may be the user's, so it keeps its mode. The process that made an
   * existing private folder may have been killed before it synced its name.
   */
  const ensureFolder = async (path: string): Promise<void> => {
    const first = await makeFolders(path);
    const isNew = (made: string): boolean => first !== undefined && made.length >= first.length;
    for (let at = path; at !== dirname(at); at = dirname(at)) {
      if (!isNew(at) && (synced.has(at) || (await disk.stat(at)).mode !== PRIVATE_FOLDER)) return;
      await syncFolder(dirname(at));
      synced.add(at);
    }
  };

  return { ensureFolder, syncFolder };
};

type Folders = ReturnType<typeof foldersOn>;

const newFilesOn = (disk: Disk, { ensureFolder, syncFolder }: Folders, uniqueName: () => string) => {
  /** Writes a new file, and removes it after an error: a partial file is worse than none. */
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
    const temporary = `${path}.${uniqueName()}.tmp`;
    await writeNew(temporary, bytes);
    return temporary;
  };

  /** Like `createPrivate`, in an existing folder of the user. Throws `unwritable_file`. */
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

const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ['its folder does not exist', 'Make the folder first, or choose another path.'],
  ENOTDIR: ['part of the path is a file, not a folder', 'Choose another path.'],
  EACCES: ['you have no permission to write in its folder', 'Choose another path, or change the permissions.'],
  EROFS: ['its file system is read-only', 'Choose another path.'],
  ENOSPC: ['no space left', 'Free some space, or choose another path.'],
};

const unwritable = (path: string, error: unknown): Failure => {
  const [reason, hint] = REASONS[codeOf(error)] ?? [messageOf(error), undefined];
  return new Failure('unwritable_file', `${path} cannot be written: ${reason}`, { cause: error, hint });
};

/** The files of this machine. */
export const systemFiles = filesOn(systemDisk);
