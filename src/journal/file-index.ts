import { join } from 'node:path';
import type { Io } from '../io/io.ts';
import type { IndexEntry, Store, ViewSource } from './store.ts';

/** Whether a list of keys contains a key. */
export const hasKey = (keys: string, key: string): boolean => keys.includes(` ${key} `);

/** The keys in a list of keys. */
export const keysIn = (keys: string): readonly string[] => keys.split(' ').filter(Boolean);

/** Increase this when the keys or the meaning of "ended" change. */
const VERSION = 3;

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

const LINE_END = 0x0a;
const CHUNK = 1024 * 1024;

/** The lines of a file. Above 2 million operations it is too long for one text. */
const linesIn = function* (bytes: Uint8Array): Generator<string> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, at + CHUNK);
    const next = end < 0 ? bytes.length : end + 1;
    yield* new TextDecoder().decode(bytes.subarray(at, next)).split('\n');
    at = next;
  }
};

/**
 * The index, a cache of ended operations: two files. It is rebuilt from their lines when it is lost. Several processes
 * append whole lines to them. `journal-keys` has the keys of operations, `journal-index` their summaries for lists. An
 * operation without a line is read from its own file. Lines never expire, because an ended operation is never resumed.
 */
export const indexFile = (io: Io): Pick<Store, 'summaries'> & { readonly index: ViewSource['index'] } => {
  const { files } = io;
  const keysPath = join(io.places.cache, 'journal-keys');
  const summariesPath = join(io.places.cache, 'journal-index');
  const readBytes = async (path: string): Promise<Uint8Array> =>
    (await files.read(path).catch(() => undefined)) ?? new Uint8Array();
  const read = async (path: string): Promise<string> => new TextDecoder().decode(await readBytes(path));
  // The leading line end terminates a half-written line of a crash.
  const append = (path: string, lines: string) => files.append(path, `\n${lines}`).catch(() => undefined);
  return {
    index: {
      read: async () => {
        const keys = new Map<string, string>();
        for (const line of linesIn(await readBytes(keysPath))) {
          const entry = entryIn(line);
          if (entry) keys.set(entry.id, entry.keys);
        }
        return keys;
      },
      add: (entries) => append(keysPath, entries.map(lineOf).join('')),
      drop: async () => {
        await files.remove(keysPath);
        await files.remove(summariesPath);
      },
    },
    summaries: { read: () => read(summariesPath), add: (text) => append(summariesPath, text) },
  };
};
