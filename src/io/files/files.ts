import { dirname } from 'node:path';
import { hasCode } from '../../core/failure.ts';
import { closing, type Disk, type OpenFile, type ReadableFile, systemDisk } from './disk.ts';
import { ifThere, orUnreadable, unwritable } from './errors.ts';
import { type Folders, foldersOn, PRIVATE_FOLDER } from './folders.ts';

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

  /** Opens a private file for appends. Creates a missing file with its folder. */
  const openWithFolder = async (path: string): Promise<OpenFile> => {
    try {
      return await disk.open(path, 'append', PRIVATE_FILE);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
      await ensureFolder(dirname(path));
      return disk.open(path, 'append', PRIVATE_FILE);
    }
  };

  /** Appends to a private file, durably; creates a missing file. */
  const appendDurably = async (path: string, text: string): Promise<void> => {
    let isNew = false;
    await closing(await openWithFolder(path), async (file) => {
      isNew = (await appendTo(file, text)) === 0;
    });
    if (isNew) await ensureFolder(dirname(path));
    if (isNew) await syncFolder(dirname(path));
  };

  /** Opens a file of the user for many durable appends. Creates a missing file, private. Throws `unwritable_file`. */
  const openToAppend = async (path: string): Promise<AppendableFile> => {
    const orUnwritable = (error: unknown): never => {
      throw unwritable(path, error);
    };
    const isNew = (await facts(path)) === undefined;
    const file = await disk.open(path, 'append', PRIVATE_FILE).catch(orUnwritable);
    if (isNew) await syncFolder(dirname(path)).catch(orUnwritable);
    const append = async (text: string): Promise<void> => void (await appendTo(file, text).catch(orUnwritable));
    return { append, close: file.close };
  };

  /** Opens a path of any kind; `undefined` without it. This and its calls throw `unreadable_file`. */
  const openToRead = async (path: string): Promise<ReadableFile | undefined> => {
    const file = await ifThere(disk.openToRead(path));
    return (
      file && {
        facts: () => file.facts().catch(orUnreadable),
        read: (buffer, start) => file.read(buffer, start).catch(orUnreadable),
        close: file.close,
      }
    );
  };

  /** Appends without a sync; creates a missing file. Removes nothing after an error: other processes append too. */
  const append = async (path: string, text: string): Promise<void> => {
    await closing(await openWithFolder(path), (file) => file.write(text));
  };

  /** Shortens a file to `size` bytes, durably, to remove a line that a crash interrupted. */
  const cut = async (path: string, size: number): Promise<void> =>
    closing(await disk.open(path, 'change'), async (file) => {
      await file.truncate(size);
      await file.sync();
    });

  /** Puts on the disk what another process may have written without a sync. Nothing without the file. */
  const sync = async (path: string): Promise<void> => {
    const file = await ifThere(disk.open(path, 'change'));
    if (file) await closing(file, () => file.sync());
  };

  return {
    sync,
    openToAppend,
    openToRead,
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
    /** As of the disk. `undefined` without the path. */
    isRemote: (path: string) => ifThere(disk.isRemote(path)),
    /** The sorted names in a folder; none without the folder. */
    list: async (folder: string): Promise<readonly string[]> => ((await ifThere(disk.list(folder))) ?? []).toSorted(),
    makePrivateFolder,
    /** Leaves a file readable to its owner alone. */
    makePrivate: (path: string) => disk.chmod(path, PRIVATE_FILE),
    createPrivate,
    createNew,
    replacePrivate,
    appendDurably,
    append,
    truncate: cut,
    /** Empties a file, if it exists. A process that appends to it continues at its start. */
    empty: (path: string) => ifThere(disk.truncate(path, 0)),
    /** Removes a file, if it exists. */
    remove: disk.remove,
    /** Removes a folder with its content, if it exists. */
    removeFolder: disk.removeFolder,
  };
};

/** A file for many appends. Each resolves when its text is synced. */
export type AppendableFile = {
  /** Throws `unwritable_file`. */
  readonly append: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Returns the size that the file had before. */
const appendTo = async (file: OpenFile, text: string): Promise<number> => {
  const size = await file.size();
  try {
    await file.write(text);
    await file.sync();
    return size;
  } catch (error) {
    // The next line would continue a half-written one.
    await file.truncate(size).catch(() => undefined);
    throw error;
  }
};

/** The files of a disk. */
export type Files = ReturnType<typeof filesOn>;

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

/** The files of this machine. */
export const systemFiles = filesOn(systemDisk);
