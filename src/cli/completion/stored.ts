import { join } from 'node:path';
import type { Io } from '../../io/io.ts';
import type { Store } from '../../journal/store.ts';

/** An object of a JSON file. */
export type StoredObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is StoredObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a file without a schema and without exact numbers, which take long to load. A damaged file counts as empty. */
export const readObject = async ({ files }: Io, path: string): Promise<StoredObject> => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await files.read(path)));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

/** The journal in the folder; `undefined` for one in a database, which may be slow, or ask for a password. */
export const storedJournal = async (io: Io): Promise<Store | undefined> => {
  const { storeOf, journalName } = await import('../../journal/open-store.ts');
  return (await journalName(io)) ? undefined : storeOf(io);
};

const KEY_ENDING = '.json';

/** The names of the stored keys, with the paths of their files. */
export const storedKeys = async ({ files, places }: Io) => {
  const folder = join(places.config, 'keys');
  const names = (await files.list(folder)).filter((name) => name.endsWith(KEY_ENDING));
  return names.map((name) => ({ name: name.slice(0, -KEY_ENDING.length), path: join(folder, name) }));
};
