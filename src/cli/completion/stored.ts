import type { Io } from '../../io/io.ts';

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
