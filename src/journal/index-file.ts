import { join } from 'node:path';
import type { FileFacts } from '../io/files/disk.ts';
import type { Io, Places } from '../io/io.ts';
import { type Contents, hasKey, type IndexEntry, type Store } from './store.ts';

/** Increase this when the keys or the meaning of "ended" change. */
const VERSION = 1;

/** FNV-1a, 32 bits. A line that is damaged is ignored. */
const checkOf = (text: string): string => {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(36);
};

/** The version, the id, the keys, and a checksum of all three. */
const lineOf = ({ id, keys }: IndexEntry): string => {
  const text = `${VERSION} ${id}${keys}`;
  return `${text}${checkOf(text)}\n`;
};

const PREFIX = `${VERSION} `;

/** The content of a line; `undefined` if it is damaged or of another version. */
const entryIn = (line: string): IndexEntry | undefined => {
  const end = line.lastIndexOf(' ') + 1;
  if (!line.startsWith(PREFIX) || line.slice(end) !== checkOf(line.slice(0, end))) return undefined;
  const start = line.indexOf(' ', PREFIX.length);
  return { id: line.slice(PREFIX.length, start), keys: line.slice(start, end) };
};

/** The last read index with its file's metadata: one command looks up several times. */
type Read = Pick<FileFacts, 'size' | 'modifiedAt'> & { readonly keys: ReadonlyMap<string, string> };
const lastRead = new WeakMap<Places, Read>();

/**
 * The index as two files in the cache. Several processes append whole lines to them. `journal-keys` has the keys of
 * operations, `journal-index` their summaries for lists. An operation without a line is read from its own file. Lines
 * never expire, because an ended operation is never resumed.
 */
export const indexFile = (io: Io, list: () => Promise<Contents>): Store['index'] => {
  const { files } = io;
  const keysPath = join(io.places.cache, 'journal-keys');
  const summariesPath = join(io.places.cache, 'journal-index');
  const read = async (path: string): Promise<string> =>
    new TextDecoder().decode((await files.read(path).catch(() => undefined)) ?? new Uint8Array());
  // The leading line end terminates a half-written line of a crash.
  const append = (path: string, lines: string) => files.appendDurably(path, `\n${lines}`).catch(() => undefined);
  const keysById = async (): Promise<Read['keys']> => {
    const { size = 0, modifiedAt = 0 } = (await files.facts(keysPath).catch(() => undefined)) ?? {};
    const last = lastRead.get(io.places);
    if (last?.size === size && last.modifiedAt === modifiedAt) return last.keys;
    const keys = new Map<string, string>();
    for (const line of (await read(keysPath)).split('\n')) {
      const entry = entryIn(line);
      if (entry) keys.set(entry.id, entry.keys);
    }
    lastRead.set(io.places, { size, modifiedAt, keys });
    return keys;
  };
  return {
    find: async (wanted) => {
      // Read after the claims: a process that claims an operation later reads this state, or finds it ended.
      const { ids, claimed } = await list();
      const known = await keysById();
      const indexed: IndexEntry[] = [];
      const others: string[] = [];
      for (const id of ids) {
        const keys = known.get(id);
        if (keys === undefined) others.push(id);
        else if (wanted.some((key) => hasKey(keys, key))) indexed.push({ id, keys });
      }
      return { indexed, others, claimed };
    },
    add: (entries) => append(keysPath, entries.map(lineOf).join('')),
    drop: async () => {
      await files.remove(keysPath);
      await files.remove(summariesPath);
    },
    summaries: () => read(summariesPath),
    addSummaries: (text) => append(summariesPath, text),
  };
};
