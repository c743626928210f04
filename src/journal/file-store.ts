import { join } from 'node:path';
import { Failure, isFailure, whyUnwritable } from '../core/failure.ts';
import { WIRE_INTENT_CLAIM } from '../core/wire-names.ts';
import { claim, claimedName, claimWithin, removeDeadClaims } from '../io/files/claim.ts';
import type { Io, Places } from '../io/io.ts';
import { changesOf } from './changes.ts';
import { indexFile } from './file-index.ts';
import { assertNotMoved } from './moved.ts';
import type { Contents, Store, Subject } from './store.ts';

/** The start time (UTC), then milliseconds and a random part in hex. */
const ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}/;

/** Whether a text is an operation id. Only such texts become part of a path. */
export const isOperationId = (text: string): boolean => ID.exec(text)?.[0] === text;

/** The operation id of a file in the journal folder; `undefined` for other files. */
export const operationIdOf = (fileName: string): string | undefined => {
  const [id] = ID.exec(fileName) ?? [];
  return id !== undefined && fileName[id.length] === '.' ? id : undefined;
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

/** The store of a home: each operation is one file, all in one folder. `isMove`: it moves to a database. */
export const folderStore = (io: Io, isMove = false): Store => {
  const { files } = io;
  const folder = journalFolder(io);
  const secretPath = join(io.places.state, 'payer-secret');
  const changes = changesOf(io, folder);
  const { index, summaries } = indexFile(io);
  return {
    id: 'folder',
    isReadOnly: false,
    where: (id) => pathOf(io, id),
    list: async () => contentsIn(await files.list(folder)),
    search: {
      by: 'view',
      changes: async (isFirst) => {
        const { listed, changed, claimed, own, isWhole } = await changes.take(isFirst);
        const ids = { changed: idsIn(changed), claimed: idsIn(claimed), own: idsIn(own) };
        return { listed: listed && contentsIn(listed).ids, ...ids, isWhole };
      },
      noteStranger: changes.noteStranger,
      index,
    },
    now: async () => io.clock.now(),
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
        // A wallet is claimed in a folder of its own, which is short.
        const board = subject.of === 'wallet' ? undefined : changes.board;
        const claiming = await claimWithin(io, path, patienceMs, board);
        if (isMove || !('claim' in claiming)) return claiming;
        // A move marks the folder first and claims then, so that one of the two sees the other.
        await assertNotMoved(io).catch(async (error: unknown) => {
          await claiming.claim.release();
          throw error;
        });
        return claiming;
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
    summaries,
    cleanUp: (needs) => cleanUp(io, needs).catch(() => undefined),
  };
};

const idIn = (name: string): string => name.slice(0, name.indexOf(SUFFIX));

const idsIn = (names: readonly string[]): readonly string[] => names.filter((name) => name.endsWith(SUFFIX)).map(idIn);

const contentsIn = (names: readonly string[]): Contents => {
  const claimed = idsIn(names.flatMap((name) => claimedName(name) ?? []));
  return { ids: idsIn(names).toReversed(), claimed: new Set(claimed) };
};

/** Longer than any process takes between writing a file and renaming it. */
const MOMENT_MS = 60_000;

/** When a process last cleaned up a home, in milliseconds of its monotonic clock. */
const cleanedAt = new WeakMap<Places, number>();

/**
 * Removes what killed processes left. A failed removal is repeated later. Each clean-up lists the whole journal, so a
 * process that starts many operations makes one a minute. What is left until then blocks nothing.
 */
const cleanUp = async (io: Io, needs: Parameters<Store['cleanUp']>[0]): Promise<void> => {
  const last = cleanedAt.get(io.places);
  if (last !== undefined && io.clock.monotonic() - last < MOMENT_MS) return;
  cleanedAt.set(io.places, io.clock.monotonic());
  const folder = journalFolder(io);
  const changes = changesOf(io, folder);
  await changes.removeLongLog();
  await removeDeadClaims(io, folder, changes.board);
  await removeDeadClaims(io, turnsFolder(io));
  const names = (await io.files.list(folder)).filter((name) => !name.endsWith(SUFFIX));
  const uselessOf = async (id: string): Promise<readonly string[]> => {
    const need = await needs(id).catch(() => 'inputs');
    if (need === 'inputs') return [];
    const inputs = names.filter((each) => each.startsWith(`${id}.inputs`)).map((name) => join(folder, name));
    const isEmpty = need === 'nothing' && (await io.files.facts(pathOf(io, id))) !== undefined;
    return isEmpty ? [...inputs, pathOf(io, id)] : inputs;
  };
  for (const id of new Set(names.flatMap((name) => operationIdOf(name) ?? []))) {
    if ((await uselessOf(id)).length === 0) continue;
    // Another process may be about to start it: its lines would be removed with the empty file.
    const claiming = await claim(io, pathOf(io, id), changes.board);
    if (!('claim' in claiming)) continue;
    try {
      for (const path of await uselessOf(id)) await io.files.remove(path);
    } finally {
      await claiming.claim.release();
    }
  }
  for (const name of names.filter((each) => each.endsWith('.tmp'))) {
    const facts = await io.files.facts(join(folder, name));
    if (facts && io.clock.now() - facts.modifiedAt > MOMENT_MS) await io.files.remove(join(folder, name));
  }
};
