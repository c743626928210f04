import { chmod, type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '../core/error-code.ts';

const PRIVATE_FOLDER = 0o700;

/** File systems and platforms without a sync of folders say so with one of these. */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'];

/** A new or renamed entry survives a crash only when its folder was synced too. */
export const syncFolder = async (path: string): Promise<void> => {
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
export const ensureFolder = async (path: string): Promise<void> => {
  const first = await makeFolders(path);
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
};

/** Makes a folder that is its owner's alone. */
export const makePrivateFolder = async (path: string): Promise<void> => {
  await ensureFolder(path);
  await chmod(path, PRIVATE_FOLDER);
};
