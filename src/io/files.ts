import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, link, lstat, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure, messageOf } from '../core/failure.ts';
import type { FileFacts, Files } from './io.ts';

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes(String((error as { code?: unknown }).code));

const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new Failure('unreadable_file', messageOf(error), { cause: error });
  }
};

const asFacts = (found: Stats | undefined): FileFacts | undefined =>
  found && {
    mode: found.mode & 0o777,
    isFile: found.isFile(),
    isSymlink: found.isSymbolicLink(),
    isFolder: found.isDirectory(),
    modifiedAt: found.mtimeMs,
  };

const facts = async (path: string) => asFacts(await ifThere(lstat(path)));

/** Makes a folder that is not there. One that is there may be the user's own: its mode stays as it is. */
const ensureFolder = (path: string) => mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });

const makePrivateFolder = async (path: string): Promise<void> => {
  await ensureFolder(path);
  await chmod(path, PRIVATE_FOLDER);
};

/** A new or renamed entry survives a crash only when its folder was synced too. Windows has no such call. */
const syncFolder = async (path: string): Promise<void> => {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
};

const writeTemporary = async (path: string, bytes: Uint8Array | string): Promise<string> => {
  await ensureFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}.tmp`;
  const handle = await open(temporary, 'wx', PRIVATE_FILE);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
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
  try {
    await handle.appendFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (isNew) await syncFolder(dirname(path));
};

/** The real files of this machine. */
export const systemFiles: Files = {
  read: (path) => ifThere(readFile(path)),
  facts,
  targetFacts: async (path) => asFacts(await ifThere(stat(path))),
  list: async (folder) => ((await ifThere(readdir(folder))) ?? []).toSorted(),
  makePrivateFolder,
  makePrivate: (path) => chmod(path, PRIVATE_FILE),
  createPrivate,
  replacePrivate,
  appendDurably,
  remove: (path) => rm(path, { force: true }),
  removeFolder: (path) => rm(path, { recursive: true, force: true }),
};
