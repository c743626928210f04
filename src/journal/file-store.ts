import { join } from 'node:path';
import { Failure, isFailure, whyUnwritable } from '../core/failure.ts';
import { WIRE_INTENT_CLAIM } from '../core/wire-names.ts';
import { claimWithin, removeDeadClaims } from '../io/files/claim.ts';
import type { FileFacts } from '../io/files/disk.ts';
import type { Io, Places } from '../io/io.ts';
import type { Contents, IndexEntry, Store, Subject } from './store.ts';

/** Whether a list of keys contains a key. */
export const hasKey = (keys: string, key: string): boolean => keys.includes(` ${key} `);

/** The start time (UTC), then milliseconds and a random part in hex. */
const ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}/;

/** Whether a text is an operation id. Only such texts become part of a path. */
export const isOperationId = (text: string): boolean => ID.exec(text)?.[0] === text;

/** The operation id of a file in the journal folder; `undefined` for other files. */
export const operationIdOf = (fileName: string): string | undefined => {
  const [id] = ID.exec(fileName) ?? [];
  return id !== undefined && fileName[id.length] === '.' ? id : undefined;
};

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

/** The last read index with its file's metadata: one command looks up several times. */
type Read = Pick<FileFacts, 'size' | 'modifiedAt'> & { readonly keys: ReadonlyMap<string, string> };
const lastRead = new WeakMap<Places, Read>();

/**
 * The index, a cache of ended operations: two files. It is rebuilt from their lines when it is lost. Several processes
 * append whole lines to them. `journal-keys` has the keys of operations, `journal-index` their summaries for lists. An
 * operation without a line is read from its own file. Lines never expire, because an ended operation is never resumed.
 */
const indexFile = (io: Io, list: Store['list']): Store['index'] => {
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

/** The file extension of an operation; the id stands before it. */
const SUFFIX = '.ndjson';

/** The folder of the journal. */
export const journalFolder = (io: Io): string => join(io.places.state, 'journal');

/**
 * The folder of wallet claims, which order the operations of a wallet. It has no other files, for it is listed often.
 */
const turnsFolder = (io: Io): string => join(io.places.state, 'turns');

/** The file of an operation. */
export const pathOf = (io: Io, id: string): string => join(journalFolder(io), `${id}${SUFFIX}`);

const inputsPath = (io: Io, id: string): string => join(journalFolder(io), `${id}.inputs`);

/** The failure for a journal that cannot be written: nothing is sent without a record. */
const orUnwritable = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((cause: unknown) => {
    if (isFailure(cause)) throw cause;
    throw new Failure('journal_unwritable', `cannot write ${path}: ${whyUnwritable(cause)}`, {
      hint: 'Nothing is sent without a record of it. Free disk space or repair the folder, then try again.',
      cause,
    });
  });

const LINE_END = 0x0a;

/** A crash during a write leaves a last line without its line end. */
const sizeOfLines = (bytes: Uint8Array): number => bytes.lastIndexOf(LINE_END) + 1;

const claimPath = (io: Io, { of, name }: Subject): string => {
  if (of === 'operation') return pathOf(io, name);
  return of === 'wallet' ? join(turnsFolder(io), name) : join(journalFolder(io), `${WIRE_INTENT_CLAIM}${name}`);
};

/** How long an operation or an intent waits for its claim: the other process may release it shortly. */
export const CLAIM_PATIENCE_MS = 300;

/** Machines that share a journal would rely on it against a second payment, so a setting without effect is refused. */
const assertOwnJournal = ({ env }: Io): void => {
  if (!env['BURSAR_JOURNAL']) return;
  throw new Failure('bad_settings', 'BURSAR_JOURNAL is set, and this version keeps the journal on one machine only', {
    hint: 'Unset it. --intent prevents a second payment on this machine only.',
  });
};

/** The store of a home: each operation is one file, all in one folder. Throws `bad_settings` for another journal. */
export const storeOf = (io: Io): Store => {
  assertOwnJournal(io);
  const { files } = io;
  const folder = journalFolder(io);
  const secretPath = join(io.places.state, 'payer-secret');
  const list = async (): Promise<Contents> => contentsIn(await files.list(folder));
  return {
    where: (id) => pathOf(io, id),
    list,
    read: async (id) => {
      const bytes = await files.read(pathOf(io, id));
      if (bytes === undefined) return undefined;
      const size = sizeOfLines(bytes);
      const lines = new TextDecoder().decode(bytes.subarray(0, size)).split('\n').slice(0, -1);
      return { lines, isTorn: size < bytes.length };
    },
    append: (id, line) => orUnwritable(pathOf(io, id), files.appendDurably(pathOf(io, id), `${line}\n`)),
    removeTornLine: async (id) => {
      const bytes = await files.read(pathOf(io, id));
      if (bytes) await orUnwritable(pathOf(io, id), files.truncate(pathOf(io, id), sizeOfLines(bytes)));
    },
    remove: (id) => orUnwritable(pathOf(io, id), files.remove(pathOf(io, id))),
    changedAt: async (id) => (await files.facts(pathOf(io, id)))?.modifiedAt ?? 0,
    claim: (subject, patienceMs) => {
      const path = claimPath(io, subject);
      const claiming = async () => {
        if (subject.of === 'operation') await files.makePrivateFolder(folder);
        return claimWithin(io, path, patienceMs);
      };
      return orUnwritable(path, claiming());
    },
    inputs: {
      read: (id) => files.read(inputsPath(io, id)),
      write: (id, text) => orUnwritable(inputsPath(io, id), files.replacePrivate(inputsPath(io, id), text)),
      remove: (id) => orUnwritable(inputsPath(io, id), files.remove(inputsPath(io, id))),
    },
    secret: {
      where: secretPath,
      read: () => files.read(secretPath),
      create: async (text) => {
        await orUnwritable(secretPath, files.createPrivate(secretPath, text));
      },
    },
    index: indexFile(io, list),
    cleanUp: (needs) => cleanUp(io, needs).catch(() => undefined),
  };
};

const contentsIn = (names: readonly string[]): Contents => {
  const idIn = (name: string): string => name.slice(0, name.indexOf(SUFFIX));
  const claims = names.filter((name) => name.includes(`${SUFFIX}.`));
  const ids = names.filter((name) => name.endsWith(SUFFIX)).map(idIn);
  return { ids: ids.toReversed(), claimed: new Set(claims.map(idIn)) };
};

/** Longer than any process takes between writing a file and renaming it. */
const MOMENT_MS = 60_000;

/** Removes what killed processes left. A failed removal is repeated later. */
const cleanUp = async (io: Io, needs: Parameters<Store['cleanUp']>[0]): Promise<void> => {
  const folder = journalFolder(io);
  await removeDeadClaims(io, folder);
  await removeDeadClaims(io, turnsFolder(io));
  const names = (await io.files.list(folder)).filter((name) => !name.endsWith(SUFFIX));
  for (const id of new Set(names.flatMap((name) => operationIdOf(name) ?? []))) {
    // The process that started it claimed it before these names were listed. Without a claim its lines are complete, so they
    // are read after the claims.
    if (contentsIn(await io.files.list(folder)).claimed.has(id)) continue;
    const need = await needs(id).catch(() => 'inputs');
    if (need === 'inputs') continue;
    for (const name of names.filter((each) => each.startsWith(`${id}.inputs`)))
      await io.files.remove(join(folder, name));
    if (need === 'nothing') await io.files.remove(pathOf(io, id));
  }
  for (const name of names.filter((each) => each.endsWith('.tmp'))) {
    const facts = await io.files.facts(join(folder, name));
    if (facts && io.clock.now() - facts.modifiedAt > MOMENT_MS) await io.files.remove(join(folder, name));
  }
};
