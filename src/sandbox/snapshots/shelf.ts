import { join } from 'node:path';
import type { Io } from '../../io/io.ts';

/** The texts of snapshots by name. */
export type Shelf = {
  readonly names: () => Promise<readonly string[]>;
  readonly read: (name: string) => Promise<string | undefined>;
  /** Durable and atomic: a name has the whole old text or the whole new one. */
  readonly write: (name: string, text: string) => Promise<void>;
  /** The name of the restore that is not complete. */
  readonly pending: () => Promise<string | undefined>;
  readonly begin: (name: string) => Promise<void>;
  readonly complete: () => Promise<void>;
};

const ENDING = '.snapshot';

const snapshotsFolder = (io: Pick<Io, 'places'>): string => join(io.places.sandbox, 'snapshots');

/** The file with the name of a restore that is not complete. It is in the chains' folder, so that a reset removes it. */
const pendingPath = (io: Pick<Io, 'places'>): string => join(io.places.sandbox, 'chains', 'restoring');

const decode = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes);

/** Keeps snapshots as private files in the sandbox's folder. */
export const folderShelf = (io: Pick<Io, 'places' | 'files'>): Shelf => {
  const { files } = io;
  const folder = snapshotsFolder(io);
  const path = (name: string) => join(folder, name + ENDING);
  return {
    names: async () =>
      (await files.list(folder))
        .filter((name) => name.endsWith(ENDING))
        .map((name) => name.slice(0, -ENDING.length))
        .toSorted(),
    read: async (name) => decode(await files.read(path(name))),
    write: (name, text) => files.replacePrivate(path(name), text),
    pending: async () => decode(await files.read(pendingPath(io))),
    begin: (name) => files.replacePrivate(pendingPath(io), name),
    complete: () => files.remove(pendingPath(io)),
  };
};

/** Keeps the snapshots of an ephemeral sandbox in memory. */
export const memoryShelf = (): Shelf => {
  const texts = new Map<string, string>();
  return {
    names: async () => [...texts.keys()].toSorted(),
    read: async (name) => texts.get(name),
    write: async (name, text) => void texts.set(name, text),
    pending: async () => undefined,
    begin: async () => undefined,
    complete: async () => undefined,
  };
};
