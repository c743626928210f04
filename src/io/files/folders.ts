import { dirname } from 'node:path';
import { hasCode, valueOn } from '../../core/failure.ts';
import type { Disk } from './disk.ts';

/** The mode of a folder that only its owner can read. */
export const PRIVATE_FOLDER = 0o700;

/** The errors of file systems and platforms that cannot sync folders. */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'];

/** Folders that survive a crash with the names in them. */
export const foldersOn = (disk: Disk) => {
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
    if (await isFolder(path)) return undefined;
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

/** The folders of a disk. */
export type Folders = ReturnType<typeof foldersOn>;
